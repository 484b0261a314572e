import sys

import pytest

from tools.walk import main, room_of, table, walk

FILES = {
    "__init__.py": "",
    "cli/__init__.py": "def command():\n    from house.core.sum import total\n    return total([1, 2])\n",
    "core/__init__.py": "",
    "core/parts.py": "def made_at_import():\n    return 1\n\ndef part(x):\n    return x\n",
    "core/sum.py": (
        "from house.core.parts import made_at_import, part\nONE = made_at_import()\n"
        "class Sum:\n    x = made_at_import()\n"
        "def total(values):\n    from house.cli.late import shown\n    return shown(sum(part(x) for x in values))\n"
    ),
    "cli/late.py": "shown = lambda x: x\n",
    "never.py": "def called():\n    pass\n",
}


@pytest.fixture
def house(tmp_path, monkeypatch):
    for name, text in FILES.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "house"
    for name in [name for name in sys.modules if name.partition(".")[0] == "house"]:
        del sys.modules[name]


def test_files_come_in_order_of_first_entry_and_imports_do_not_count(house):
    from house.cli import command

    assert walk(command, house) == ["cli/__init__.py", "core/sum.py", "core/parts.py", "cli/late.py"]
    assert sys.getprofile() is None


@pytest.mark.parametrize(
    ("file", "room"),
    [
        ("cli/fit.py", "cli"),
        ("cli/__init__.py", "cli"),
        ("_lazy.py", "laconic"),
        ("__init__.py", "laconic"),
        ("core/explanation.py", "report"),
        ("reproduce/cells.py", "papers"),
    ],
)
def test_rooms_are_top_level_folders_by_the_new_name(file, room):
    renamed = {"laconic.core.explanation": "laconic.report.explanation", "laconic.reproduce.cells": "papers.cells"}
    assert room_of(file, renamed) == room


def test_changes_of_room_are_counted():
    assert table(["cli/a.py", "cli/b.py", "core/c.py", "cli/d.py"], {}).endswith("\n\n4 files, 2 changes of room")


def test_a_command_is_walked(capsys):
    main(["data", "list", "--json"])
    out = capsys.readouterr().out
    assert "cli/data.py" in out
    assert out.splitlines()[-1].endswith("changes of room")
