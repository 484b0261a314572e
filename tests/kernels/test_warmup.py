import pkgutil
from importlib import import_module

import numpy as np

import laconic.kernels
from laconic.core.groups import Groups
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.penalties.tree import TreePenalty
from laconic.kernels.warmup import compile_all
from laconic.linear import ElasticNetClassifier

INNER = {"dot", "add_column"}  # only kernels call them, as part of their own machine code


def kernels():
    modules = [import_module(f"laconic.kernels.{one.name}") for one in pkgutil.iter_modules(laconic.kernels.__path__)]
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__ and name not in INNER
    }


def test_every_kernel_is_compiled_for_the_types_that_are_used():
    seconds, folder = compile_all()
    assert seconds > 0
    assert folder.is_dir()
    found = kernels()
    assert len(found) >= 5
    # Columns come with row numbers of two or of four bytes; all else in one type only.
    expected = {name: 2 if "start" in one.py_func.__code__.co_varnames else 1 for name, one in found.items()}
    assert {name: len(one.signatures) for name, one in found.items()} == expected

    rng = np.random.default_rng(0)
    X = rng.poisson(0.3, (60, 200)).astype(float)
    for classes in (2, 3):
        y = X[:, :classes].argmax(axis=1)
        for l1, l2 in ((0.5, 0.0), (0.01, 0.0), (0.5, 0.1), (0.0, 0.1)):
            ElasticNetClassifier(l1=l1, l2=l2).fit(X, y)
    many = np.zeros((1 << 16) + 2)
    many[:5] = 1.0
    ElasticNetClassifier(l1=0.5).fit(many[:, None], many)
    nested = Groups.from_lists([[0, 1], [0, 1, 2]], n_features=3, weights=1.0)
    crossing = Groups.from_lists([[0, 1], [1, 2]], n_features=3, weights=1.0)
    for shape in ((3,), (3, 2)):
        v = rng.normal(size=shape)
        TreePenalty(nested, group=0.1).prox(v, 1.0)
        OverlappingPenalty(crossing, group=0.1).prox(v, 1.0)
    assert {name: len(one.signatures) for name, one in found.items()} == expected
