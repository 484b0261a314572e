"""The walk of a command: which files of laconic it enters, in order of first entry, and how often the room changes.

``python tools/walk.py fit letters.csv`` runs ``laconic fit letters.csv`` in this process under a profiler and prints a
row per file, then two counts: files entered, and changes of room from one row to the next. A room is a top-level folder
of ``src/laconic``. What runs while a module is imported does not count, and compiled kernels cannot be seen.
"""

import argparse
import json
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any


def walk(action: Callable[[], Any], root: Path) -> list[str]:
    """Return the files below a folder that an action enters, relative to it, in order of first entry."""
    entered: dict[str, None] = {}
    importing = threading.local()
    prefix = f"{root}/"

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_name == "<module>":
            importing.depth = getattr(importing, "depth", 0) + (1 if event == "call" else -1)
        elif event == "call" and not getattr(importing, "depth", 0) and code.co_filename.startswith(prefix):
            entered.setdefault(code.co_filename.removeprefix(prefix))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(entered)


def room_of(file: str, renamed: Mapping[str, str]) -> str:
    """Return the top-level folder of a file below ``laconic``, by the module's new name if it has one."""
    module = ".".join(("laconic", *Path(file).with_suffix("").parts)).removesuffix(".__init__")
    names = renamed.get(module, module).split(".")
    if names[0] != "laconic":
        return names[0]
    in_folder = len(names) > 2 or (len(names) == 2 and Path(file).name == "__init__.py")
    return names[1] if in_folder else "laconic"


def run_command(arguments: Sequence[str]) -> None:
    """Run a command of laconic, with its output on stderr."""
    from laconic.cli import main

    with redirect_stdout(sys.stderr):
        code = main(arguments)
    if code:
        print(f"laconic ended with {code}", file=sys.stderr)


def table(files: Sequence[str], renamed: Mapping[str, str]) -> str:
    """Return a row per file (number, room where it changes, file) and the two counts."""
    rooms = [room_of(file, renamed) for file in files]
    changes = [True, *(a != b for a, b in pairwise(rooms))]
    rows = [
        f"{number:4}  {room if new else '':<12}  {file}"
        for number, (room, new, file) in enumerate(zip(rooms, changes, files, strict=False), 1)
    ]
    return "\n".join([*rows, "", f"{len(files)} files, {sum(changes[1:])} changes of room"])


def main(given: Sequence[str] | None = None) -> None:
    """Read the command line, run the command, print its walk."""
    parser = argparse.ArgumentParser(description="Print which files of laconic a command enters.")
    parser.add_argument("--rooms-map", type=Path, help="JSON file: module name to the name whose room counts")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="arguments of laconic, e.g. fit letters.csv")
    options = parser.parse_args(given)
    import laconic

    renamed = {} if options.rooms_map is None else json.loads(options.rooms_map.read_text("utf-8"))
    print(table(walk(lambda: run_command(options.command), Path(laconic.__file__).parent), renamed))


if __name__ == "__main__":
    main()
