import json


def test_it_says_how_long_and_where(run):
    result = run("warmup")
    assert result.code == 0
    assert "kernels-" in result.out
    found = json.loads(run("warmup", "--json").out)
    assert found["seconds"] >= 0
    assert found["folder"] in result.out
