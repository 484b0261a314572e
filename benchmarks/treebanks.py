"""Parsers on eight treebanks, with all templates and with 200: file to saved model, memory, tokens per second.

What a process takes and what is counted is as in `benchmarks.parsing`; every parser learns from all training sentences.
"""

import os
import tempfile
from pathlib import Path

from benchmarks.parsing import fitted, measured

BUDGETS = (None, 200)


def run() -> list[dict]:
    """Return two rows per treebank that is there."""
    from papers.emnlp2011_parsing import TREEBANKS, treebank_file

    base = Path(os.environ.get("LACONIC_DATA", ""), "structured")
    if not base.is_dir():
        raise FileNotFoundError("treebanks needs treebanks: set LACONIC_DATA to the folder that holds structured/")
    rows = []
    for language, folder in TREEBANKS.items():
        train, test = (treebank_file(base / folder, split) for split in ("train", "test"))
        for budget in BUDGETS:
            with tempfile.TemporaryDirectory() as place:
                took = fitted(train, Path(place, "parser"), budget)
                rows.append(measured(f"{language}, {budget or 'all 684'}", test, Path(place, "parser"), *took))
                print(rows[-1], flush=True)
    return rows
