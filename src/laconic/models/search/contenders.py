"""What a tuned method enters the comparison with, and what a model's folder says about how it was chosen."""

import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.data.corpus import Corpus
from laconic.evaluate.metrics.scores import outputs, score
from laconic.models.folder.estimator import finite
from laconic.models.search.recipe import Recipe
from laconic.models.search.tried import Tried
from laconic.models.text_classifier import TextClassifier

PACKAGES = ("laconic", "numpy", "scipy", "scikit-learn", "numba")


def contender(tried: Tried, seconds: float | None = None, model: TextClassifier | None = None) -> Contender:
    """Return the row of a method in the comparison; of a method without a final model as it was tried."""
    own = {name: tried.params[name] for name in ("l1", "l2", "group", "budget") if name in tried.params}
    return Contender(
        method=tried.method,
        l1=own.pop("l1", 0.0),
        l2=own.pop("l2", 0.0),
        **own,
        score=tried.mean,
        error=tried.standard_error,
        test=None,
        words=round(tried.words) if model is None else model.n_words_,
        gap=tried.gap if model is None else float(model.estimator_.dual_gap_),
        seconds=seconds,
        also=tried.also,
    )


def test_score(model: TextClassifier, test: Corpus, metric: str) -> float:
    """Return a model's score on test documents."""
    return score(metric, list(test.labels or ()), **outputs(model, metric, list(test.texts)))


def config_of(
    recipe: Recipe, chosen: Mapping[str, Any], data: Mapping[str, Corpus | None], comparison: Comparison | None = None
) -> dict[str, Any]:
    """Return how a model was made, as plain data to be saved with it: what was asked, what was chosen, from what."""
    return {
        "recipe": recipe.to_dict(),
        "chosen": dict(chosen),
        **({} if comparison is None else {"comparison": _comparison_facts(comparison)}),
        "data": {
            split: {"name": corpus.name, "documents": len(corpus), "fingerprint": corpus.fingerprint()}
            for split, corpus in data.items()
            if corpus is not None
        },
        "versions": {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
    }


def chosen_facts(comparison: Comparison) -> dict[str, Any]:
    """Return the method that was kept and its penalty."""
    return {name: getattr(comparison.chosen, name) for name in ("method", "l1", "l2", "group", "budget")}


def _comparison_facts(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison without seconds; numbers that JSON cannot say are None."""
    facts = asdict(comparison)
    for rows in ("contenders", "frontier"):
        facts[rows] = [{name: finite(row[name]) for name in row if name != "seconds"} for row in facts[rows]]
    return {**facts, "unpredicted": list(comparison.unpredicted)}
