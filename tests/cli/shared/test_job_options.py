import json

import pytest

from laconic.cli.shared.job_options import read_config

STORED = {"recipe": {"ngrams": [1, 2]}, "reading": {}}


def test_from_a_folder_its_head_or_a_file_of_its_own(tmp_path):
    (tmp_path / "model.json").write_text(json.dumps({"format": 1, "extra": STORED}), encoding="utf-8")
    (tmp_path / "own.json").write_text(json.dumps(STORED), encoding="utf-8")
    for path in (tmp_path, tmp_path / "model.json", tmp_path / "own.json"):
        assert read_config(str(path)) == STORED


@pytest.mark.parametrize("content", ["[]", "{}", '{"extra": {}}', '{"recipe": 3}'])
def test_a_file_without_a_configuration(tmp_path, content):
    path = tmp_path / "own.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="holds no configuration"):
        read_config(str(path))


def test_an_entry_that_is_no_option(run, letters, tmp_path):
    (tmp_path / "own.json").write_text(json.dumps({"recipe": {"colour": "red"}}), encoding="utf-8")
    result = run("fit", letters, "--config", "own.json")
    assert result.code == 1
    assert "unknown entry 'colour'" in result.err


def test_a_value_that_an_option_does_not_allow_is_a_usage_mistake(run, letters, tmp_path):
    (tmp_path / "own.json").write_text(json.dumps({"recipe": {"metric": "beauty"}}), encoding="utf-8")
    result = run("fit", letters, "--config", "own.json")
    assert result.code == 2
    assert "beauty" in result.err
