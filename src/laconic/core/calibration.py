"""`Calibration`: how the margins of a model become probabilities and labels, as plain numbers.

The sigmoid is that of Platt (1999), with one scale for all classes of a softmax; the isotonic curve that of Zadrozny &
Elkan (2002), of more than two classes divided by their sum; the prior that of Saerens, Latinne & Decaestecker (2002).
The formula of each entry, and what a threshold does, are in docs/trust.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

KINDS = ("sigmoid", "isotonic", "none")  # the last is no calibration
NO_LABEL = -1

Curve = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True)
class Calibration:
    """From margins to probabilities and labels.

    Parameters
    ----------
    kind : {"sigmoid", "isotonic", "none"}
    scale, shift : tuple of float
        Of a sigmoid, one per output.
    curves : tuple of pairs of tuples of float
        Of an isotonic calibration, one pair (log-odds, probabilities) per output, both increasing.
    prior : tuple of float, optional
        A factor per class; of texts with several labels a factor of the odds.
    thresholds : tuple of float or None, optional
        One per class, None for a class without.
    several : bool
        Whether a text may have several labels.
    made : mapping
        What it was made from and how good it is; for readers.

    Examples
    --------
    >>> steep = Calibration("sigmoid", scale=(2.0,), shift=(-1.0,), thresholds=(None, 0.9))
    >>> steep.probabilities(np.array([0.5, 3.0])).round(3)
    array([[0.5  , 0.5  ],
           [0.007, 0.993]])
    >>> steep.choose(steep.probabilities(np.array([0.5, 3.0])))
    array([0, 1])
    >>> Calibration.from_json(steep.to_json()) == steep
    True
    """

    kind: str = "none"
    scale: tuple[float, ...] = ()
    shift: tuple[float, ...] = ()
    curves: tuple[Curve, ...] = ()
    prior: tuple[float, ...] | None = None
    thresholds: tuple[float | None, ...] | None = None
    several: bool = False
    made: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"There is no calibration {self.kind!r}; allowed are {', '.join(map(repr, KINDS))}.")
        if not all(np.isfinite(self.scale)) or not all(np.isfinite(self.shift)) or any(a < 0.0 for a in self.scale):
            raise ValueError("The scale and shift of a calibration must be finite, and the scale at least 0.")
        for x, q in self.curves:
            if len(x) != len(q) or not len(x) or any(np.diff(x) < 0) or any(np.diff(q) < 0):
                raise ValueError("A curve of a calibration must rise in its log-odds and its probabilities.")
            if not (min(q) >= 0.0 and max(q) <= 1.0):
                raise ValueError("A curve of a calibration must have probabilities from 0 to 1.")
        for what, values in (("prior", self.prior or ()), ("thresholds", self.thresholds or ())):
            if not all(one is None or (np.isfinite(one) and one > 0.0) for one in values):
                raise ValueError(f"The {what} of a calibration must be positive numbers.")

    def check(self, n_classes: int, n_outputs: int) -> None:
        """Raise ``ValueError`` unless this fits a model with these numbers of classes and outputs."""
        wanted = {"sigmoid": (self.scale, self.shift), "isotonic": (self.curves,), "none": ()}[self.kind]
        if any(len(one) != n_outputs for one in wanted):
            raise ValueError(f"The calibration does not fit a model with {n_outputs} outputs.")
        if any(one is not None and len(one) != n_classes for one in (self.prior, self.thresholds)):
            raise ValueError(f"The prior or the thresholds of the calibration do not fit {n_classes} classes.")

    def probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of each class, one row per text, from margins of shape (n,) or (n, n_outputs)."""
        F = margins[:, None] if margins.ndim == 1 else margins
        if self.kind == "isotonic":
            Q = np.column_stack(
                [np.interp(z, *curve) for z, curve in zip(log_odds(F, self.several).T, self.curves, strict=True)]
            )
            if not self.several:
                Q = np.column_stack([1.0 - Q, Q]) if Q.shape[1] == 1 else Q
                Q = Q / Q.sum(axis=1, keepdims=True)
        else:
            if self.kind == "sigmoid":
                F = F * np.array(self.scale) + np.array(self.shift)
            Q = linked(F, self.several)
        if self.prior is None:
            return Q
        factors = np.array(self.prior)
        if self.several:
            return np.asarray(Q * factors / (Q * factors + 1.0 - Q))
        return np.asarray(Q * factors / (Q * factors).sum(axis=1, keepdims=True))

    def choose(self, Q: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the number of the class that each row of probabilities is given, `NO_LABEL` for none."""
        if self.thresholds is None:
            return np.asarray(Q.argmax(axis=1))
        limits = np.array([np.nan if one is None else one for one in self.thresholds])
        limited = ~np.isnan(limits)
        ratios = np.where(limited, Q / np.where(limited, limits, 1.0), -1.0)
        rest = np.where(limited, -1.0, Q).argmax(axis=1) if not limited.all() else np.full(len(Q), NO_LABEL)
        return np.where(ratios.max(axis=1) >= 1.0, ratios.argmax(axis=1), rest)

    def has(self, Q: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return for every text and class whether the text has the label, where it may have several."""
        limits = self.thresholds or (None,) * Q.shape[1]
        reach = np.array([0.5 if one is None else one for one in limits])
        return reach <= Q

    def to_json(self) -> dict[str, Any]:
        """Return plain data for ``calibration.json``."""
        return {one.name: _retyped(getattr(self, one.name), list) for one in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Make a calibration from what `to_json` returned."""
        return cls(**{one.name: _retyped(data[one.name], tuple) for one in fields(cls)})


def _retyped(value: Any, kind: type) -> Any:
    """Return a value with all its sequences of another type."""
    return kind(_retyped(one, kind) for one in value) if isinstance(value, (list, tuple)) else value


def linked(F: NDArray[np.float64], several: bool = False) -> NDArray[np.float64]:
    """Return probabilities of the classes from margins of shape (n, n_outputs), without any calibration."""
    from laconic.core.losses import softmax  # only here: loading a model must stay light

    if several:
        return 0.5 * (1.0 + np.tanh(0.5 * F))
    return softmax(np.column_stack([np.zeros(len(F)), F]) if F.shape[1] == 1 else F)


def log_odds(F: NDArray[np.float64], several: bool = False) -> NDArray[np.float64]:
    """Return ln(p / (1 − p)) of each output's class, from margins of shape (n, n_outputs)."""
    if several or F.shape[1] == 1:
        return F
    others = [np.logaddexp.reduce(np.delete(F, k, axis=1), axis=1) for k in range(F.shape[1])]
    return np.asarray(F - np.column_stack(others))
