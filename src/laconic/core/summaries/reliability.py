"""`Reliability`: how well the probabilities of a model match the true shares, as plain data."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Bin:
    """Documents of similar probability: their mean probability, the share that has the label, their number."""

    probability: float
    share: float
    documents: int


@dataclass(frozen=True)
class Reliability:
    """What `laconic.evaluate.reliability` finds.

    Attributes
    ----------
    error : float
        Expected calibration error, with bins of equal counts.
    brier : float
        Mean squared error of the probabilities, halved over the classes so that it is that of one class of two.
    log_loss : float
        Mean of −ln(probability of the true class).
    bins : tuple of Bin

    Examples
    --------
    >>> Reliability(0.02, 0.1, 0.3, (Bin(0.9, 0.88, 100),)).to_dict()["bins"]
    [{'probability': 0.9, 'share': 0.88, 'documents': 100}]
    """

    error: float
    brier: float
    log_loss: float
    bins: tuple[Bin, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**asdict(self), "bins": [asdict(each) for each in self.bins]}
