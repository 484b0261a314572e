"""Running the command line inside the test's own process, and one small model for all tests."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from laconic.cli import main

FILLER = ["the", "a", "street", "letter", "monday", "park", "bench", "river", "office", "again"]


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capfd, monkeypatch, tmp_path):
    """Call ``laconic`` in a folder of its own and return exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LACONIC_DATA", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments):
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        return Result(code, *capfd.readouterr())

    return call


@pytest.fixture(scope="session")
def start():
    """Start ``laconic`` as a process of its own."""

    def call(*arguments, before="", **options):
        script = f"{before}\nimport sys; from laconic.cli import main; sys.exit(main())"
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)], text=True, **{**pipes, **options})

    return call


@pytest.fixture(scope="session")
def rows():
    """Letters of two classes that a few words tell apart."""
    found = []
    for i in range(60):
        repair = i % 2 == 0
        words = [FILLER[i % 10], FILLER[(3 * i) % 10], FILLER[(7 * i + 1) % 10]]
        words.insert(i % 3, ("broken" if i % 4 else "leaking") if repair else ("thanks" if i % 3 else "kind"))
        found.append(
            {"id": f"l{i}", "text": " ".join(words).capitalize() + ".", "label": "repair" if repair else "praise"}
        )
    return found


@pytest.fixture(scope="session")
def letters(tmp_path_factory, rows):
    """The letters as a file of JSON lines."""
    return write_rows(tmp_path_factory.mktemp("data") / "letters.jsonl", rows)


@pytest.fixture(scope="session")
def model(tmp_path_factory, letters):
    """A model made by ``laconic fit``."""
    folder = tmp_path_factory.mktemp("model") / "letters.laconic"
    assert main(["fit", str(letters), "--out", str(folder), "--method", "lasso", "--quiet", "--json"]) == 0
    return folder


def write_rows(path: Path, rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
