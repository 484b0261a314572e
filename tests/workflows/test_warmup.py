import pkgutil
from importlib import import_module
from inspect import signature
from tempfile import TemporaryDirectory

import numpy as np

import laconic.kernels
from laconic.core.groups import Groups
from laconic.core.losses import Logistic, Softmax
from laconic.core.penalties.group import GroupPenalty, TreePenalty
from laconic.core.penalties.overlapping import OverlappingPenalty
from laconic.core.problem import LinearProblem
from laconic.groups import brown_clusters
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier, OMPClassifier
from laconic.partitions import fit_partitions, partition_matrices
from laconic.solvers.admm import AdmmSettings, solve_admm
from laconic.solvers.overlapping.overlapping import solve_overlapping
from laconic.solvers.prox_newton.blocks import solve_blocks
from laconic.solvers.prox_newton.tree import solve_tree
from laconic.structured import DependencyParser, SequenceTagger
from laconic.workflows.warmup import compile_all

INNER = {
    "dot",
    "block_norm",
    "look_at_document",
    "look_at_loss",
    "total_loss",
    "join",
    "move_document",
    "trusted",
    "move_intercept",
    "worth_it",
    "left_to_gain",
    "add",
    "descend_nearby",
    "descend_by_newton",
    "highest_in_blocks",
    "leave",
    "clear_cells",
    "cells_of",
    "product",
    "scale_to_one",
    "exponentials",
    "add_words",
    "look_at_word",
    "correlate_words",
    "apply_curvature",
    "vdot",
    "precondition",
    "newton_direction",
    "probabilities_along",
    "worth_of",
    "direction_of",
    "curvature_along",
    "move_word",
    "enqueue",
    "dequeue",
    "rows_of",
    "call_up",
    "dismiss",
    "step_word",
    "follow_documents",
    "sum_squares",
    "exact_score",
    "best_column",
    "phi",
    "gain",
    "logarithm",
    "corner",
    "loss_of",
    "scan_row",
    "offer",
    "enter",
    "spread",
    "join_neighbours",
    "merge",
    "merge_best",
    "slot_of",
    "best_path",
    "descend_pairs",
    "descend_tokens",
    "surplus_pairs",
    "forward_backward",
    "move",
    "new_row",
    "row_for",
    "score_sentence",
    "sequence_score",
    "squared_change",
    "squared_transitions",
    "_contract",
    "_expand",
    "add_costs",
    "best_projective_tree",
    "best_tree",
    "columns_of",
    "decode",
    "distance_bin",
    "find_place",
    "follow",
    "half_keys",
    "has_room",
    "longest_of",
    "mixed_key",
    "move_towards",
    "note_value",
    "part_width",
    "score_between",
    "score_blocks",
    "score_list",
    "score_pairs",
    "score_side",
    "take_slot",
    "tree_score",
    "values_between",
}  # only kernels call them, as part of their own machine code


def kernels():
    modules = [import_module(one.name) for one in pkgutil.walk_packages(laconic.kernels.__path__, "laconic.kernels.")]
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
    expected = {name: 2 if "start" in signature(one.py_func).parameters else 1 for name, one in found.items()}
    assert {name: len(one.signatures) for name, one in found.items()} == expected

    rng = np.random.default_rng(0)
    X = rng.poisson(0.3, (60, 200)).astype(float)
    for classes in (2, 3):
        y = X[:, :classes].argmax(axis=1)
        for l1, l2 in ((0.5, 0.0), (0.01, 0.0), (0.5, 0.1), (0.0, 0.1)):
            ElasticNetClassifier(l1=l1, l2=l2).fit(X, y)
        loss = Logistic() if classes == 2 else Softmax(3)
        problem = LinearProblem(X, np.where(y > 0, 1.0, -1.0) if classes == 2 else y, loss)
        apart = Groups.from_lists(np.arange(200).reshape(40, 5), n_features=200)
        for l1 in (0.0, 0.1):
            solve_blocks(problem, GroupPenalty(apart, 0.2, l1))
            solve_tree(problem, TreePenalty(apart + Groups.from_lists([range(100)], n_features=200), 0.2, l1))
            solve_admm(problem, GroupPenalty(apart, 0.2, l1), AdmmSettings(rounds=2, change=0.0))
    with TemporaryDirectory() as folder:
        labels = X[:, :2].argmax(axis=1)
        corpus = partition_matrices([(X, labels), (2.0 * X, labels)], folder)
        both = {"first": [0, 1, 2], "second": [2, 3]}
        for estimator in (ElasticNetClassifier(l1=0.5), OMPClassifier(2), GroupLassoClassifier(both, 0.1, 0.1)):
            fit_partitions(estimator, corpus)
    many = np.zeros((1 << 16) + 2)
    many[:5] = 1.0
    ElasticNetClassifier(l1=0.5).fit(many[:, None], many)
    nested = Groups.from_lists([[0, 1], [0, 1, 2]], n_features=3, weights=1.0)
    crossing = Groups.from_lists([[0, 1], [1, 2]], n_features=3, weights=1.0)
    for shape in ((3,), (3, 2)):
        v = rng.normal(size=shape)
        TreePenalty(nested, group=0.1).prox(v, 1.0)
        OverlappingPenalty(crossing, group=0.1).prox(v, 1.0)
    wide = Groups.from_lists([np.arange(k, k + 30) for k in range(0, 171, 10)], n_features=200)
    for classes, l1 in ((2, 0.0), (2, 0.5), (3, 0.1)):
        y = X[:, :classes].argmax(axis=1)
        problem = LinearProblem(X, 2.0 * y - 1.0 if classes == 2 else y, Logistic() if classes == 2 else Softmax(3))
        solve_overlapping(problem, OverlappingPenalty(wide, 0.1, l1, 0.01), tol=1e-4)
    brown_clusters(["a b c b a c", "c a"], 2)
    words = [["a", "b"], ["b"]]
    for settings in ({"loss": "crf"}, {"loss": "mira", "budget": 2, "refit": "observed"}, {"optimizer": "lbfgs"}):
        tagger = SequenceTagger(["word[0]", "word[1]"], **{"passes": 50, **settings})
        tagger.fit(words, [["A", "B"], ["B"]]).predict(words)
    pairs = [[{"word": "a", "pos": "x"}, {"word": "b", "pos": "y"}]] * 2
    chosen = {"budget": 2, "refit": "frozen"}, {"budget": 2, "selection": "information-gain"}
    for more in ({}, {"loss": "crf"}, *chosen):
        parser = DependencyParser("small", passes=2, relations=False, **more).fit(pairs, [[2, 0], [2, 0]])
        parser.predict(pairs)
        parser.predict_marginals(pairs)
    assert {name: len(one.signatures) for name, one in found.items()} == expected
