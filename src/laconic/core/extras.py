"""Packages that only some work needs, and the extra of laconic that brings each."""

from typing import Any


def need(module: str, what: str, extra: str, hint: str = "", package: str = "") -> Any:
    """Import a module, or say which extra brings its package, by another name than the module's if given one."""
    top = module.partition(".")[0]
    try:
        __import__(top)
        return __import__(module, fromlist=["_"])
    except ImportError as error:
        raise ImportError(f"{what} needs the package {package or top}: pip install laconic[{extra}]{hint}") from error
