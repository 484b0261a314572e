"""What a metric needs from a fitted model: its labels, or its probabilities or margins."""

from typing import Any

from laconic.evaluate.metrics.scores import LABEL_METRICS


def outputs(model: Any, metric: str, X: Any) -> dict[str, Any]:
    """Return the arguments of `laconic.evaluate.score` for ``metric`` other than the true labels."""
    check_offers(model, metric)
    if metric in LABEL_METRICS:
        return {"y_pred": model.predict(X)}
    method = "predict_proba" if hasattr(model, "predict_proba") else "decision_function"
    return {"proba": getattr(model, method)(X), "classes": model.classes_}


def check_offers(model: Any, metric: str) -> None:
    """Raise ``TypeError`` if an estimator, fitted or not, lacks what ``metric`` needs."""
    if metric in LABEL_METRICS or hasattr(model, "predict_proba"):
        return
    if metric == "log_loss":
        raise TypeError(
            f"log_loss needs probabilities, and {type(model).__name__} has no predict_proba; use an estimator with "
            f"probabilities or another metric."
        )
    if not hasattr(model, "decision_function"):
        raise TypeError(
            f"{metric} needs probabilities or margins, and {type(model).__name__} has neither predict_proba nor "
            f"decision_function; use another estimator or metric."
        )
