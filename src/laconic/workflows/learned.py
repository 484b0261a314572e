"""A tagger or a parser that is to be learned from sentences, and what became of it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class LearnJob:
    """What to learn from, what to score on, and where to save; ``settings`` are the parameters of the estimator."""

    source: str
    target: Path
    settings: dict[str, Any]
    dev: str | None = None
    force: bool = False


@dataclass(frozen=True)
class Learned:
    """The model that was learned, where it is saved, of how many templates, and its scores on dev if there is one."""

    model: Any
    saved: Path
    n_templates: int
    scores: Any

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        dev = None if self.scores is None else self.scores.to_dict()
        facts = {"templates": len(self.model.templates), "weights": self.model.n_weights}
        return {"saved": str(self.saved), **facts, "dev": dev}
