"""Lazy public names: a package lists where its names live, and a name is imported when first asked for (PEP 562).

``laconic --help`` and ``laconic.load`` must not pay for numba, scipy or scikit-learn, so no package of laconic
imports its modules eagerly.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package.

    Parameters
    ----------
    package : str
        The package's ``__name__``.
    names : mapping
        Public name to the submodule (relative, e.g. ``".groups"``) that defines it.

    Examples
    --------
    >>> getter, lister, everything = attach("laconic.core", {"Groups": ".groups"})
    >>> everything
    ['Groups']
    """

    def __getattr__(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(names[name], package), name)

    def __dir__() -> list[str]:
        return sorted(names)

    return __getattr__, __dir__, sorted(names)
