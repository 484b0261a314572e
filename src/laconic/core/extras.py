"""Packages that only some work needs."""

from typing import Any


def need(module: str, what: str, hint: str = "", package: str = "") -> Any:
    """Import a module, or say how to install its package, which may have another name than the module."""
    top = module.partition(".")[0]
    try:
        __import__(top)
        return __import__(module, fromlist=["_"])
    except ImportError as error:
        package = package or top
        raise ImportError(f"{what} needs the package {package}: pip install {package}{hint}") from error
