import json
import sys

import numpy as np
from rich import progress

from laconic.cli.shared.output import console, echo_json, program, progress_bar, terminal


def test_json_knows_neither_nan_nor_numpy(capsys):
    echo_json({1: (np.float64(0.5), float("inf")), "a": np.array([1, 2]), "b": float("nan"), "ü": "ß"})
    out = capsys.readouterr().out
    assert json.loads(out) == {"1": [0.5, None], "a": [1, 2], "b": None, "ü": "ß"}
    assert "ß" in out


def test_a_pipe_is_100_columns_wide(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert console().width == 100
    monkeypatch.setenv("COLUMNS", "70")
    assert console().width == 70


def test_no_bar_without_a_terminal(capsys):
    with progress_bar("fit") as advance:
        advance(1, 2, "note")
    assert capsys.readouterr() == ("", "")


def test_the_bar_never_runs_back_until_the_work_begins_anew(monkeypatch):
    shares = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    update = progress.Progress.update
    told = lambda self, task, **new: (shares.append(new["completed"]), update(self, task, **new))  # noqa: E731
    monkeypatch.setattr(progress.Progress, "update", told)
    with progress_bar("fit") as advance:
        for done, total in [(0, None), (0, 1), (2, 4), (3, 12), (9, 12), (10, 10), (0, 5), (1, 5), (1, None)]:
            advance(done, total)
    assert shares == [0.0, 0.0, 0.5, 0.5, 0.75, 1.0, 0.0, 0.2, 0.0]


def test_remarks_are_broken_between_words_on_a_terminal_alone(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "20")
    remark = "  labels: spam 86.6%, a-long-label-of-one-word 13.4%"
    for on_terminal in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda on=on_terminal: on)
        with terminal() as watch:
            watch.say(remark)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["  labels: spam", "    86.6%,", "    a-long-label-of-one-word", "    13.4%", remark]
    with terminal(quiet=True) as watch:
        watch.say(remark)
    assert capsys.readouterr().err == ""


def test_the_program_is_named_as_it_can_be_called(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [".venv/bin/laconic", "demo"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == ".venv/bin/laconic"
    monkeypatch.setattr(sys, "argv", ["pytest"])
    assert program() == "laconic"
    (tmp_path / "laconic").touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [".venv/bin/laconic", "demo"])
    assert program() == "laconic"
