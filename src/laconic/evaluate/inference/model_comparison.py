"""`compare`: several models on the same documents, each against the first, with paired tests and intervals."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from laconic.evaluate.inference.intervals import Interval, bootstrap_interval
from laconic.evaluate.inference.paired import holm, mcnemar, sign_test


@dataclass(frozen=True)
class Versus:
    """One model, and how it does against the first.

    Attributes
    ----------
    name : str
    accuracy, macro_f1 : Interval
    wins, losses : int
        Documents that only this model, and only the first, classifies correctly.
    difference : Interval or None
        Accuracy minus that of the first model; None for the first itself, like all that follows.
    sign : float or None
        p-value of the one-sided micro sign test that this model is better.
    mcnemar : float or None
        p-value of the exact two-sided McNemar test.
    holm : float or None
        The McNemar p-value, adjusted for the number of models compared.

    Examples
    --------
    >>> sure = Interval(1.0, 1.0, 1.0)
    >>> Versus("ridge", sure, sure).holm is None
    True
    """

    name: str
    accuracy: Interval
    macro_f1: Interval
    wins: int = 0
    losses: int = 0
    difference: Interval | None = None
    sign: float | None = None
    mcnemar: float | None = None
    holm: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def compare(y_true: Any, predictions: Mapping[str, Any], *, level: float = 0.95, seed: int = 0) -> tuple[Versus, ...]:
    """Compare models on labelled documents.

    Parameters
    ----------
    y_true : sequence of labels
    predictions : dict of sequences of labels
        By name of the model; the others are compared with the first.
    level : float
        Coverage of the bootstrap intervals.
    seed : int

    Examples
    --------
    >>> y = ["a", "b"] * 10
    >>> first, second = compare(y, {"always a": ["a"] * 20, "perfect": y})
    >>> second.wins, second.losses, round(second.sign, 5), second.accuracy.value
    (10, 0, 0.00098, 1.0)
    """
    if not predictions:
        raise ValueError("There is nothing to compare: give the predictions of at least one model.")
    names = list(predictions)
    first = predictions[names[0]]
    tests = [mcnemar(y_true, predictions[name], first) for name in names[1:]]
    adjusted = holm([test.p_value for test in tests])

    def interval(metric: str, name: str, minus: Any = None) -> Interval:
        return bootstrap_interval(metric, y_true, predictions[name], minus, level=level, seed=seed)

    rows = [Versus(names[0], interval("accuracy", names[0]), interval("macro_f1", names[0]))]
    for name, test, p_value in zip(names[1:], tests, adjusted, strict=True):
        rows.append(
            Versus(
                name,
                interval("accuracy", name),
                interval("macro_f1", name),
                test.wins,
                test.losses,
                interval("accuracy", name, first),
                sign_test(y_true, predictions[name], first).p_value,
                test.p_value,
                p_value,
            )
        )
    return tuple(rows)
