"""One file per objective; each holds an `OBJECTIVE`."""

from importlib import import_module

from benchmarks.objectives._objective import Objective

NAMES = (
    "lasso",
    "lasso_no_intercept",
    "elastic_net",
    "ridge",
    "ridge_no_intercept",
    "softmax_lasso",
    "softmax_ridge",
)
PATHS = ("group_lasso",)  # raced as paths only


def get(name: str) -> Objective:
    """Return the objective of that name."""
    return import_module(f"benchmarks.objectives.{name}").OBJECTIVE
