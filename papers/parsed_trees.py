"""Trees for the training texts of tasks that bring none, by a tagger and a parser that are trained here.

Both learn from a sample of the Penn Treebank with dependency trees; every word of a text with all that hangs on it then
is a constituent. Models and trees are kept on disk, and made again only if their files are removed.
"""

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from laconic.data.annotated.treebank import Treebank, read_treebank
from laconic.models.scoring.scorer import load
from laconic.structured.parsing.estimator import DependencyParser
from laconic.structured.tagging.estimator import SequenceTagger
from laconic.workflows.parse import parse_texts
from papers.page import replace_file
from papers.tasks import splits_of

TREEBANK = Path("structured", "ptb_dependency_sample", "all.dp.conll.xz")
TAGGER: dict[str, Any] = {"templates": "minimal"}
PARSER: dict[str, Any] = {"passes": 5, "relations": False}
QUICK_PARSER: dict[str, Any] = {"templates": "small", "passes": 1, "relations": False}


def parsed_families(
    tasks: Sequence[str], data_dir: str | None, folder: Path, quick: bool = False, make: bool = True
) -> dict[str, str]:
    """Return the family of groups of each task: constituents of a file of trees of its training texts.

    Parameters
    ----------
    tasks : sequence of str
    data_dir : path, optional
        Its ``structured/ptb_dependency_sample`` is what tagger and parser learn from; without it no task has trees.
    folder : path
        Where models and trees are kept.
    quick : bool
        A parser of few templates, in one pass.
    make : bool
        Whether trees that are not there are made; else their tasks are left out.
    """
    treebank = Path(data_dir or os.environ.get("LACONIC_DATA") or "") / TREEBANK
    if not treebank.is_file():
        return {}
    kind = "quick_" if quick else ""
    places = {task: folder / f"{kind}{task.replace(' ', '_')}.conllu" for task in tasks}
    return {
        task: f"constituents:{_trees(place, task, data_dir, treebank, quick)}"
        for task, place in places.items()
        if make or place.is_file()
    }


def _trees(place: Path, task: str, data_dir: str | None, treebank: Path, quick: bool) -> Path:
    if not place.is_file():
        folder, kind = place.parent, "quick_" if quick else ""
        tagger, parser = _models(folder, treebank, kind, QUICK_PARSER if quick else PARSER)
        found = parse_texts(splits_of(task, data_dir).train.texts, parser, tagger)
        replace_file(place, "".join(found))
    return place


def _models(folder: Path, treebank: Path, kind: str, settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return tagger and parser, from the disk if they are there."""
    places = folder / f"{kind}tagger.laconic", folder / f"{kind}parser.laconic"
    if not all(place.is_dir() for place in places):
        folder.mkdir(parents=True, exist_ok=True)
        tagger, parser = learn(read_treebank(treebank), settings)
        tagger.save(places[0], overwrite=True)
        parser.save(places[1], overwrite=True)
    return load(places[0]).to_estimator(), load(places[1]).to_estimator()


def learn(train: Treebank, settings: dict[str, Any]) -> tuple[SequenceTagger, DependencyParser]:
    """Return a tagger and a parser of a treebank; the tagger looks at words only.

    Parameters
    ----------
    train : Treebank
    settings : dict
        Of the parser.
    """
    tags, ends = train.sentences.columns["pos"], train.sentences.ends.tolist()
    spans = list(pairwise(ends))
    tagger = SequenceTagger(**TAGGER).fit(train.sentences, [tags[start:end] for start, end in spans])
    trees = [train.trees[start:end].tolist() for start, end in spans]
    return tagger, DependencyParser(**settings).fit(train.sentences, trees)
