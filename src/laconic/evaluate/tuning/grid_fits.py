"""Fitting an estimator at each point of a grid, and the size and certificate of what comes out."""

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from laconic.evaluate.metrics.scores import check_offers
from laconic.evaluate.tuning.candidates import describe


class Fitted(NamedTuple):
    """A fitted model and the seconds its fit took."""

    model: Any
    seconds: float


def shares_work(estimator: Any) -> bool:
    """Return whether an estimator can fit a whole grid at once: whether it has a method ``fit_grid(X, y, grid)``."""
    return callable(getattr(estimator, "fit_grid", None))


def check_estimator(estimator: Any) -> None:
    """Raise ``TypeError`` unless ``estimator`` is an object with scikit-learn's methods."""
    if isinstance(estimator, type):
        raise TypeError(
            f"estimator must be an object, got the class {estimator.__name__}; write {estimator.__name__}()."
        )
    missing = [name for name in ("fit", "predict", "get_params", "set_params") if not hasattr(estimator, name)]
    if missing:
        raise TypeError(
            f"estimator must have scikit-learn's methods, but {type(estimator).__name__} has no {', '.join(missing)}."
        )


def check_settings(estimator: Any, grid: Sequence[Mapping[str, Any]], metric: str) -> None:
    """Raise if the estimator lacks a parameter of the grid or, as far as known unfitted, what ``metric`` needs."""
    known = estimator.get_params()
    for name in (name for params in grid for name in params):
        if name.partition("__")[0] not in known:
            own = sorted(known_name for known_name in known if "__" not in known_name)
            raise ValueError(
                f"{type(estimator).__name__} has no parameter {name!r} to tune; its parameters are {', '.join(own)}."
            )
    if not shares_work(estimator):  # one that shares work may set parameters of parts it makes only in fit
        for params in grid:
            check_offers(configured(estimator, params), metric)


def configured(estimator: Any, params: Mapping[str, Any]) -> Any:
    """Return a clone of ``estimator`` with ``params`` set, or raise a ``ValueError`` that names them."""
    from sklearn.base import clone

    try:
        return clone(estimator).set_params(**own_copies(params))
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{type(estimator).__name__} cannot take {describe(params)}: {error}") from error


def own_copies(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return a setting with clones of its estimators, so that setting parameters leaves the caller's alone."""
    from sklearn.base import clone

    parts = {name: hasattr(value, "get_params") and not isinstance(value, type) for name, value in params.items()}
    return {name: clone(value) if parts[name] else value for name, value in params.items()}


def fit_points(estimator: Any, grid: Sequence[Mapping[str, Any]], X: Any, y: np.ndarray) -> list[Fitted]:
    """Fit one clone of ``estimator`` per setting, together if it can share work; an error names the settings."""
    from sklearn.base import clone

    if not shares_work(estimator):
        return [_fit_one(configured(estimator, params), params, X, y) for params in grid]
    start = perf_counter()
    try:
        models = list(clone(estimator).fit_grid(X, y, [dict(params) for params in grid]))
    except Exception as error:
        raise failure("Fitting", grid, error) from error
    if len(models) != len(grid):
        raise RuntimeError(
            f"{type(estimator).__name__}.fit_grid returned {len(models)} models for {len(grid)} settings; it must "
            f"return one for each."
        )
    share = (perf_counter() - start) / len(grid)
    return [Fitted(model, share) for model in models]


def failure(what: str, grid: Sequence[Mapping[str, Any]], error: Exception) -> Exception:
    """Return the exception to raise for a failure: ``ValueError`` for the caller's mistake, else ``RuntimeError``."""
    kind = ValueError if isinstance(error, ValueError | TypeError) else RuntimeError
    settings = " / ".join(describe(params) for params in grid[:20])
    more = f" / {len(grid) - 20} more" if len(grid) > 20 else ""
    return kind(f"{what} with {settings}{more} failed: {str(error) or type(error).__name__}")


def n_words(model: Any) -> int:
    """Return the number of features a fitted model uses: ``n_words_``, else those with any non-zero ``coef_``."""
    from scipy.sparse import issparse

    for part in _parts(model):
        if hasattr(part, "n_words_"):
            return int(part.n_words_)
        if hasattr(part, "coef_"):
            weights = part.coef_.toarray() if issparse(part.coef_) else np.asarray(part.coef_)
            return int(np.count_nonzero(np.atleast_2d(weights).any(axis=0)))
    raise TypeError(
        f"The size of a fitted {type(model).__name__} is unknown: it has neither n_words_ nor coef_; tune needs linear "
        f"models or estimators with n_words_."
    )


def relative_gap(model: Any) -> float:
    """Return the duality gap ``dual_gap_`` of a fitted model (the worst, if several), inf if it has none."""
    for part in _parts(model):
        if hasattr(part, "dual_gap_"):
            return float(np.max(part.dual_gap_))
    return float("inf")


def _fit_one(estimator: Any, params: Mapping[str, Any], X: Any, y: np.ndarray) -> Fitted:
    start = perf_counter()
    try:
        model = estimator.fit(X, y)
    except Exception as error:
        raise failure("Fitting", [params], error) from error
    return Fitted(model, perf_counter() - start)


def _parts(model: Any) -> Iterator[Any]:
    """Yield the model and what it wraps, by scikit-learn's conventions: ``estimator_``, or the last of ``steps``."""
    while model is not None:
        yield model
        steps = getattr(model, "steps", None)
        model = steps[-1][1] if steps else getattr(model, "estimator_", None)
