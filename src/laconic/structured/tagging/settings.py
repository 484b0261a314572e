"""`Settings`: how a tagger is learned, checked before any work is done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LOSSES = ("crf", "svm", "perceptron", "mira", "mira-1best")
SELECTIONS = ("perceptron", "svm", "crf")
CHOICES = (
    "group-lasso",
    "coarse-to-fine",
    "tree",
    "sparse-group",
    "labels",
    "lasso",
    "elastic-net",
    "information-gain",
)
REFITS = ("free", "observed", "frozen")
OPTIMIZERS = ("adagrad", "sgd", "lbfgs")
WEIGHTINGS = ("log2", "one")


@dataclass(frozen=True)
class Settings:
    """Parameters of `SequenceTagger`, which documents them.

    Examples
    --------
    >>> Settings(loss="crf", passes=0)
    Traceback (most recent call last):
        ...
    ValueError: passes is 0; it must be a whole number from 1.
    """

    budget: int | None = None
    loss: str = "crf"
    passes: int = 5
    optimizer: str = "adagrad"
    rate: float = 0.1
    l2: float = 0.05
    damping: float = 0.0
    cap: float | None = None
    average: bool = True
    refit: str = "free"
    selection: str = "group-lasso"
    group_weights: str | Mapping[str, float] = "log2"
    strength: float = 0.0
    selection_loss: str = "perceptron"
    selection_passes: int = 5
    every: int = 1000
    min_count: int = 1
    shuffles: int = 1
    keep: int | None = None
    token_costs: Mapping[str, float] = field(default_factory=dict)
    random_state: int = 0

    def __post_init__(self) -> None:
        one_of("loss", self.loss, LOSSES)
        one_of("optimizer", self.optimizer, OPTIMIZERS)
        one_of("refit", self.refit, REFITS)
        one_of("selection", self.selection, CHOICES)
        one_of("selection_loss", self.selection_loss, SELECTIONS)
        if self.optimizer != "adagrad" and self.loss != "crf":
            raise ValueError(
                f"optimizer is {self.optimizer!r}, which the loss {self.loss!r} does not use; leave it out, or take "
                "the loss crf."
            )
        if not isinstance(self.group_weights, Mapping):
            one_of("group_weights", self.group_weights, WEIGHTINGS)
        for name in ("passes", "selection_passes", "every", "shuffles", "min_count"):
            _whole(name, getattr(self, name))
        for name in ("budget", "keep"):
            if getattr(self, name) is not None:
                _whole(name, getattr(self, name))
        for name in ("l2", "damping", "strength"):
            if not getattr(self, name) >= 0.0:
                raise ValueError(f"{name} is {getattr(self, name)!r}; it must be a number from 0.")
        if self.damping and (self.loss != "crf" or self.optimizer != "adagrad"):
            raise ValueError(
                f"damping is {self.damping!r}, which only the loss crf by adagrad uses; leave it out, or take these."
            )
        if not self.rate > 0.0:
            raise ValueError(f"rate is {self.rate!r}; it must be above 0.")
        if self.cap is not None and not self.cap > 0.0:
            raise ValueError(f"cap is {self.cap!r}; it must be above 0, or None for no limit.")
        if self.cap is not None and self.loss not in ("mira", "mira-1best"):
            raise ValueError(
                f"cap is {self.cap!r}, which the loss {self.loss!r} does not use; leave it out, or take the loss mira."
            )
        if self.token_costs and self.loss in ("perceptron", "mira-1best"):
            raise ValueError(
                f"token_costs are given, which the loss {self.loss!r} does not look at; take crf, svm or mira, or "
                "leave them out."
            )
        for label, cost in self.token_costs.items():
            if not cost >= 0.0:
                raise ValueError(f"token_costs of {label!r} is {cost!r}; a cost must be a number from 0.")


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not among those allowed."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(allowed)}.")


def _whole(name: str, value: Any) -> None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < 1:
        raise ValueError(f"{name} is {value!r}; it must be a whole number from 1.")
