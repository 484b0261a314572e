"""One file per solver. Each has:

- ``NAME`` as printed, ``PACKAGES`` whose versions are reported, ``ENVIRONMENT`` (a requirements file, None for ours);
- ``FORMAT``, the sparse layout it likes best, ``OBJECTIVES`` that it solves exactly as stated;
- ``SETTINGS``, a ladder from loose to tight: keyword arguments of `fit`;
- ``DRAWS``, optional: fits per rung of a solver whose answers differ from fit to fit; the middle one counts;
- ``refuses(n, p, n_classes)``, optional: a reason why it cannot be run at that size, or None;
- ``prepare(X, y)``, optional and not timed: the library's own form of the data;
- ``fit(prepared, task, **settings)``, the library's public fit call and the only thing that is timed;
- ``weights(fitted)``, not timed: W of shape (p, k), dense or sparse, and b of shape (k,).

Solvers of paths (``*_path``) also take the list ``lambdas``, and put the weights of all points side by side.

A solver file imports only numpy, scipy and its own library, since it runs in that library's environment. A race reads
the facts without importing the library, so libraries are imported inside the functions.
"""

from importlib import import_module
from types import ModuleType

OURS = "laconic_newton"
PEERS = (
    "liblinear",
    "sklearn_liblinear",
    "sklearn_saga",
    "sklearn_lbfgs",
    "sklearn_newton_cg",
    "sklearn_newton_cholesky",
    "sklearn_newton_cd",
    "skglm_prox_newton",
    "celer_prox_newton",
    "cyanure_auto",
)
OUR_PATH = "laconic_path"
PATH_PEERS = ("adelie_path", "glmnet_path")
OUR_GROUPS, OUR_GROUP_PATH = "laconic_group", "laconic_group_path"
GROUP_PATH_PEERS = ("adelie_group_path",)


def get(name: str) -> ModuleType:
    """Return the file of that solver."""
    return import_module(f"benchmarks.solvers.{name}")


def solving(objective: str, among: tuple[str, ...] = PEERS) -> list[str]:
    """Return the names of the peers that solve the objective."""
    return [name for name in among if objective in get(name).OBJECTIVES]


def ladder(*, loosest: float, tightest: float, per_decade: int = 1, name: str = "tol") -> list[dict[str, float]]:
    """Return tolerances from loose to tight, ``per_decade`` of them for each power of ten."""
    from math import log10

    steps = round((log10(loosest) - log10(tightest)) * per_decade)
    return [{name: float(f"{loosest * 10 ** (-i / per_decade):.3g}")} for i in range(steps + 1)]
