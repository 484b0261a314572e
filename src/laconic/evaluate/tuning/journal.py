"""`Journal`: what a search has done so far, on disk, so that it can be stopped at any time and taken up again.

A file of JSON lines. The first names the search: a hash over estimator, grid, documents, labels and splits. Each
further line holds the trials of settings that were fitted together on one split, so that they are either all there or
all missing. A last line that was cut off when a run was killed is ignored.
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
    """The trials of one search.

    Parameters
    ----------
    path : path
        Made if it is not there.
    search : object
        All that decides about the trials; anything that ``joblib.hash`` takes.

    Raises
    ------
    ValueError
        If the file is of another search, or no journal.

    Examples
    --------
    >>> import tempfile
    >>> from laconic.evaluate.tuning.trials import Trial
    >>> with tempfile.TemporaryDirectory() as place:
    ...     Journal(f"{place}/a.jsonl", "search").add(0, [1], [Trial(1, 0.9, 0.1, 7, 0.0, 1.0, None)])
    ...     Journal(f"{place}/a.jsonl", "search").find(0, [1])[0].score
    0.9
    """

    def __init__(self, path: str | os.PathLike, search: Any) -> None:
        import joblib

        self.path = Path(path)
        self.search = joblib.hash(search)
        self._found: dict[tuple[int, tuple[int, ...]], list[Trial]] = {}
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise ValueError(
                f"The journal {str(self.path)!r} cannot be a file there; name one in a folder that exists."
            )
        if self.path.exists() and self.path.stat().st_size:
            self._read()
        else:
            self._append({"kind": KIND, "format": 1, "search": self.search})

    def find(self, split: int, settings: Sequence[int]) -> "list[Trial] | None":
        """Return the trials of settings that were fitted together on a split, or None."""
        return self._found.get((split, tuple(settings)))

    def add(self, split: int, settings: Sequence[int], trials: "Sequence[Trial]") -> None:
        """Write trials down; their models are not kept."""
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
            self._found[line["split"], tuple(line["settings"])] = trials
