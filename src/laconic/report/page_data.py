"""What the page's script is given: a `Summary` as compact plain data, numbers that people read already in words."""

from typing import Any

from laconic.core.summary import Summary
from laconic.report.glance import facts, lead


def page_data(summary: Summary) -> dict[str, Any]:
    """Return the data of the page.

    Parameters
    ----------
    summary : Summary
    """
    model = summary.portable
    return {
        "title": summary.title or "A text model",
        "kind": "text classifier",
        "lead": lead(summary),
        "facts": facts(summary),
        "classes": [str(label) for label in summary.classes],
        "probabilistic": bool(model and model["probabilistic"]),
        "model": None if model is None else {**model, "classes": [str(label) for label in summary.classes]},
        "unscored": summary.unscored,
        "example": summary.examples[0].text if summary.examples else "",
        "words": [
            {
                "word": one.word,
                "weights": [float(f"{weight:.6g}") for weight in one.weights],
                "strength": float(f"{one.strength:.6g}"),
                "documents": one.documents,
                "frequency": one.frequency,
                "groups": None,
            }
            for one in summary.words
        ],
    }
