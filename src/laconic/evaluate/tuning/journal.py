"""`Journal`: what a search has done so far, on disk, so that it can be interrupted and resumed.

A file of JSON lines. The first names the search: a hash over estimator, grid, documents, labels and splits. Each
further line holds the trials of settings that were fitted together on one split, so that all of them or none are kept.
A last line that was cut off when a run was killed is ignored.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laconic.evaluate.tuning.trials import Trial

KIND = "laconic tune journal"


class Journal:
    """The trials of a search on disk; ``search`` is all that determines them, as something ``joblib.hash`` takes."""

    def __init__(self, path: str | os.PathLike, search: Any) -> None:
        import joblib

        self.path = Path(path)
        self.search = joblib.hash(search)
        self._trials: dict[tuple[int, tuple[int, ...]], list[Trial]] = {}
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise ValueError(f"The journal {str(self.path)!r} cannot be written; name a file in an existing folder.")
        if self.path.exists() and self.path.stat().st_size:
            self._read()
        else:
            self._append({"kind": KIND, "format": 1, "search": self.search})

    def find(self, split: int, settings: Sequence[int]) -> "list[Trial] | None":
        """Return the trials of settings that were fitted together on a split, or None."""
        return self._trials.get((split, tuple(settings)))

    def add(self, split: int, settings: Sequence[int], trials: "Sequence[Trial]") -> None:
        """Append trials, without their models."""
        rows = [{name: value for name, value in asdict(trial).items() if name != "model"} for trial in trials]
        self._append({"split": split, "settings": list(settings), "trials": rows})

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> None:
        from laconic.evaluate.tuning.trials import Trial

        text = self.path.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]
        try:
            header, *lines = [json.loads(line) for line in whole.splitlines()]
        except ValueError:
            header, lines = {}, []
        if not isinstance(header, dict) or header.get("kind") != KIND:
            raise ValueError(f"{self.path} is not a journal of tune; name another file or remove it.")
        if header["search"] != self.search:
            raise ValueError(
                f"{self.path} is the journal of another search (other documents, labels, estimator, grid or splits); "
                f"name another file or remove it."
            )
        if len(whole) < len(text):
            with self.path.open("rb+") as file:
                file.truncate(len(whole.encode("utf-8")))
        for line in lines:
            trials = [Trial(**trial, model=None) for trial in line["trials"]]
            self._trials[line["split"], tuple(line["settings"])] = trials
