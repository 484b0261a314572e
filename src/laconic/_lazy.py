"""Lazy public names: a package lists where its names live, and a name is imported when first asked for (PEP 562).

``laconic --help`` and ``laconic.load`` must not pay for numba, scipy or scikit-learn, so no package of laconic
imports its modules eagerly.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attach(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the names that each submodule defines.

    Examples
    --------
    >>> getter, lister, everything = attach("laconic.core", {".groups": "Groups"})
    >>> everything
    ['Groups']
    """
    places = {name: module for module, names in modules.items() for name in names.split()}

    def __getattr__(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(places[name], package), name)

    def __dir__() -> list[str]:
        return sorted(places)

    return __getattr__, __dir__, sorted(places)
