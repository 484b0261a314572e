"""The public surface: names, documentation, and what importing them may cost."""

import ast
import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import laconic

MODULES = sorted(
    name
    for _, name, _ in pkgutil.walk_packages(laconic.__path__, "laconic.")
    if not name.endswith("__main__") and ".cli" not in name
)


@pytest.mark.parametrize("name", sorted(set(laconic.__all__) - {"__version__"}))
def test_public_names_resolve_and_are_documented(name):
    thing = getattr(laconic, name)
    assert getattr(laconic, name) is thing
    assert thing.__doc__


def test_the_stub_names_what_the_package_offers():
    stub = ast.parse(Path(laconic.__file__).with_suffix(".pyi").read_text("utf-8"))
    named = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert named == set(laconic.__all__) - {"__version__"}


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'lasso'"):
        laconic.lasso  # noqa: B018


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    failures, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failures == 0


@pytest.mark.parametrize(
    "statement", ["import laconic", "import laconic; laconic.load", "import laconic.cli", "import laconic.data"]
)
def test_light_doors_import_nothing_heavy(statement):
    heavy = "{'numba', 'scipy', 'sklearn', 'pandas', 'rich', 'cvxpy'}"
    code = f"{statement}\nimport sys\nprint(sorted({heavy} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
