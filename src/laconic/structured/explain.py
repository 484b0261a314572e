"""What explanations of tags and of arcs share: features with what they added to the answer and to its runner-up."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Reason:
    """A feature, what its cells held (``⊥`` is beyond the sentence), and what it added to answer and runner-up."""

    template: str
    values: tuple[str, ...]
    weight: float
    against: float


class Explained:
    """An explanation, a dataclass, as plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        plain = dict(self.__dict__)
        return {**plain, "reasons": [asdict(reason) for reason in plain["reasons"]]}


def strongest_first(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return reasons, those that favour the answer most first."""
    return tuple(sorted(reasons, key=lambda reason: -(reason.weight - reason.against)))
