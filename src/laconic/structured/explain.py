"""What taggers and parsers tell of themselves in common: why an answer was given, and the table of templates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
        return {**self.__dict__, "reasons": [asdict(reason) for reason in self.__dict__["reasons"]]}


def strongest_first(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Return reasons, those that favour the answer most first."""
    return tuple(sorted(reasons, key=lambda reason: -(reason.weight - reason.against)))


def ranked_templates(
    templates: Sequence[Any],
    norms: NDArray[np.float64],
    counts: NDArray,
    info: Mapping[str, Any],
    resolve: Callable[[Any], Sequence[Any]],
) -> list[dict[str, Any]]:
    """Return one dict a template, those of the model first, by falling norm; then those that were dropped."""
    # ``counts`` has the features and the weights of each template; ``info`` is ``model.json``, whose settings name the
    # templates to begin with.
    strengths = info.get("strengths") or {}
    rows = []
    for number in np.argsort(-norms, kind="stable"):
        (features, weights), name = counts[number].tolist(), str(templates[number])
        sizes = {"norm": float(norms[number]), "features": features, "weights": weights}
        rows.append({"template": name, "kept": True, **sizes, "strength": strengths.get(name)})
    kept = {row["template"] for row in rows}
    given = (info.get("settings") or {}).get("templates")
    dropped = [name for name in map(str, resolve(given)) if name not in kept] if given else []
    empty = {"kept": False, "norm": 0.0, "features": 0, "weights": 0}
    return rows + [{"template": name, **empty, "strength": strengths.get(name)} for name in dropped]
