"""What the summaries of taggers and parsers share: how a model was made, and what its errors are shown as."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from laconic.core.summaries.structured import MarkedSentence, StructuredSummary

if TYPE_CHECKING:
    from laconic.models import Scorer
    from laconic.structured.parsing.scorer import ParseScorer
    from laconic.structured.tagging.scorer import TagScorer

TOP = 50  # features of a label
MOST_CONFUSIONS = 30


@runtime_checkable
class Fitted(Protocol):
    """A fitted estimator of laconic: it returns the light scorer that `laconic.load` gives for a saved model."""

    def to_scorer(self) -> "Scorer | TagScorer | ParseScorer": ...


def scorer_of(model: Any) -> Any:
    """Return the scorer of a fitted estimator; a scorer is returned as it is."""
    return model.to_scorer() if isinstance(model, Fitted) else model


def folder_size(folder: str | os.PathLike | None) -> int | None:
    """Return the bytes of a saved model; None without a folder."""
    return None if folder is None else sum(entry.stat().st_size for entry in Path(folder).iterdir())


def unscored(
    scorer: "TagScorer | ParseScorer", title: str, folder: str | os.PathLike | None, **own: Any
) -> StructuredSummary:
    """Return the summary of a model that was not tested, with what only its kind of model has in `own`."""
    info = scorer.info
    return StructuredSummary(
        title=title,
        weights=scorer.model.n_weights,
        memory=tuple(info.get("memory", ())),
        configuration={key: info[key] for key in ("settings", "extra", "laconic") if info.get(key)},
        size=folder_size(folder),
        **own,
    )


def scored(
    summary: StructuredSummary,
    corpus: str,
    scores: Sequence[Mapping[str, Any]],
    labels: tuple[Sequence[str], Sequence[str]],
    mistakes: Sequence[int],
    marked: Callable[[int], MarkedSentence],
    shown: int,
) -> StructuredSummary:
    """Return a summary with scores, confusions of (true, predicted) labels, and the sentences with most mistakes."""
    confusions = Counter((true, predicted) for true, predicted in zip(*labels, strict=True) if true != predicted)
    worst = sorted(range(len(mistakes)), key=lambda i: -mistakes[i])[:shown]
    return replace(
        summary,
        corpus=f"{len(mistakes):,} sentences" + (f" of {corpus}" if corpus else ""),
        scores=tuple(scores),
        confusions=tuple((*pair, count) for pair, count in confusions.most_common(MOST_CONFUSIONS)),
        sentences=tuple(map(marked, worst)),
    )
