"""Model folders that cannot be used: one sentence for every command that takes one."""

import json
import shutil

import pytest


def edited(folder, **facts):
    head = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    (folder / "model.json").write_text(json.dumps({**head, **facts}), encoding="utf-8")


DAMAGE = {
    "missing": (shutil.rmtree, "There is no model folder"),
    "another folder": (lambda folder: (folder / "model.json").unlink(), "is not a laconic model folder"),
    "truncated": (lambda folder: (folder / "weights.npy").write_bytes(b"\x93NUMPY"), "is not as it was saved"),
    "edited": (lambda folder: edited(folder, cells="count"), "is not as it was saved"),
    "newer": (lambda folder: edited(folder, format=99), "newer laconic"),
}


@pytest.mark.parametrize("case", DAMAGE)
@pytest.mark.parametrize("command", ["predict", "evaluate", "inspect"])
def test_a_damaged_model(run, model, letters, tmp_path, command, case):
    damage, sentence = DAMAGE[case]
    folder = shutil.copytree(model, tmp_path / "m")
    damage(folder)
    result = run(command, folder, *([] if command == "inspect" else [letters]))
    assert result.code == 1
    assert result.out == ""
    assert result.err.startswith("laconic: error: ")
    assert sentence in result.err
    assert result.err.count("\n") == 1
