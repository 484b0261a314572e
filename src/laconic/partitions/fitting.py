r"""`fit_partitions`: the estimators of `laconic.linear`, fitted on documents that stay in partitions.

A round: 1. the residual of a point, or the one that a model predicts, is made a dual point; its correlations with all
features are summed over partitions, and the bound they give is the certificate. It is the same certificate as in
memory: it does not depend on how the point was found. 2. Words that leave the dual set most join the working set.
3. Where its columns are few cells they are brought here, and the problem over them is solved as in memory
(`Gathered`); where they are not, partitions add up slope and curvature of the loss, and the quadratic model that these
make is minimised here (`SummedModels`).
"""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from laconic.core.folder import load_folder, save_folder
from laconic.core.groups import Groups
from laconic.core.losses import Array, classification_loss
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.penalties.group import group_penalty
from laconic.core.selected_groups import KeptGroups, SelectedGroups
from laconic.core.solution import Solution, Step
from laconic.linear.elastic_net import ElasticNetClassifier
from laconic.linear.feature_groups import resolve_groups
from laconic.linear.group_lasso import GroupLassoClassifier
from laconic.linear.pursuit import GroupOMPClassifier, OMPClassifier
from laconic.partitions.corpus import PartitionedCorpus
from laconic.partitions.passes import Candidate, Weights
from laconic.partitions.penalties import Closed, DualValue, Overlapping
from laconic.partitions.problem import PartitionedProblem
from laconic.partitions.pursuit import fit_budgets
from laconic.partitions.subproblem import Gathered, Moved, SummedModels
from laconic.solvers.dispatch import structure_of
from laconic.solvers.warm_start import admissible

SHARE, LEAST = 0.3, 0.3  # a working set is solved to this share of the last gap, at the end of the tolerance
CLOSE = 0.1  # gap from which on a set that is brought here is solved to the end at once
HERE, ROOM = 4000, 500  # features may join in one round: where their columns are brought here, and where not
STALLED = 5  # rounds without a smaller gap, after which no more is to be had in floating point
MOST = 12_000  # unknowns of a model: one matrix of this size is 1.2 GB

Watch = Callable[["Progress"], None]


def fit_partitions(
    estimator: Any,
    corpus: PartitionedCorpus,
    *,
    part: str = "all",
    start: Solution | None = None,
    watch: Watch | None = None,
    checkpoints: str | os.PathLike | None = None,
) -> Any:
    """Fit a clone of an estimator on documents in partitions, to the same optimum as in memory.

    Parameters
    ----------
    estimator : ElasticNetClassifier, GroupLassoClassifier, OMPClassifier or GroupOMPClassifier
        An elastic net with ``l1`` above zero. Groups that are given are held here; with ``groups=None`` and a corpus
        that has groups of its own (sentences), these are taken, and stay with their documents.
    corpus : PartitionedCorpus
        Made by `partition_texts` or `partition_matrices`.
    part : {"all", "train", "held"}
        All documents, all but those held out, or only these.
    start : Solution, optional
        Where to start, e.g. the ``solution_`` of a fit with a stronger penalty. Not for pursuits.
    watch : callable, optional
        Sees the progress of every round: iteration, objective, its lower bound, weights and intercept.
    checkpoints : path, optional
        A folder to which every round is written. The same fit started again goes on from the last one, and a finished
        fit is not repeated. Pursuits have none.

    Returns
    -------
    fitted estimator

    Examples
    --------
    >>> import tempfile
    >>> from laconic.partitions import partition_matrices
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> corpus = partition_matrices([(X[:2], ["ham", "ham"]), (X[2:], ["spam", "spam"])], tempfile.mkdtemp())
    >>> model = fit_partitions(ElasticNetClassifier(l1=0.3, l2=0.0), corpus)
    >>> model.predict([[0, 1, 0]]).tolist(), bool(model.dual_gap_ <= 1e-6)
    (['spam'], True)
    """
    fitted = clone(estimator)
    fitted._check_settings()
    if fitted.edits:
        raise ValueError(
            "Edits (banned and kept words, signs, factors) are not for fits on partitions; leave them out."
        )
    problem = partitioned_problem(fitted, corpus, part)
    fitted.classes_ = np.array(corpus.classes)
    fitted.n_features_in_ = corpus.n_features
    if isinstance(fitted, (OMPClassifier, GroupOMPClassifier)):
        return fit_budgets(fitted, [fitted.budget], corpus, problem)[0]
    groups, shape = _shape(fitted, corpus, problem)
    checkpoint = None if checkpoints is None else Checkpoint(checkpoints, _key(fitted, corpus, problem))
    solution = None if checkpoint is None else checkpoint.finished
    if checkpoint is not None:
        start, watch = checkpoint.start or start, checkpoint.watching(watch)
    if solution is None:
        solution = solve_partitioned(problem, shape, start, fitted.tol, fitted.max_iter, watch)
    if checkpoint is not None:
        checkpoint.finish(solution)
    if isinstance(fitted, GroupLassoClassifier):
        _keep_groups(fitted, corpus, problem, groups, solution)
    fitted._take(solution)
    return fitted


def partitioned_problem(estimator: Any, corpus: PartitionedCorpus, part: str = "all") -> PartitionedProblem:
    """Return the problem that an estimator's loss and class weights make of a corpus."""
    loss = classification_loss(getattr(estimator, "loss", "logistic"), len(corpus.classes))
    return corpus.problem(loss, estimator.fit_intercept, _class_weights(estimator.class_weight, corpus), part)


def _shape(
    estimator: Any, corpus: PartitionedCorpus, problem: PartitionedProblem
) -> tuple[Groups | None, Closed | Overlapping]:
    """Return the groups that are held here, and the penalty."""
    K = problem.n_outputs
    if isinstance(estimator, ElasticNetClassifier):
        if not np.all(np.asarray(estimator.l1) > 0.0):
            raise ValueError(
                f"l1 is {estimator.l1}; a fit on partitions needs l1 above 0, which keeps the number of words small "
                "enough to solve for them in one place."
            )
        return None, Closed(ElasticNetPenalty(estimator.l1, estimator.l2), K)
    if not isinstance(estimator, GroupLassoClassifier):
        raise TypeError(
            f"{type(estimator).__name__} cannot be fitted on partitions; use ElasticNetClassifier, "
            "GroupLassoClassifier, OMPClassifier or GroupOMPClassifier."
        )
    if estimator.solver == "admm":
        raise ValueError("solver='admm' does not run on partitions; solver='auto' solves the same problem exactly.")
    levels = estimator.group, estimator.l1, estimator.l2
    if estimator.groups is None and corpus.grouped:
        return None, Overlapping(None, *levels, corpus.n_features, K)
    groups = resolve_groups(estimator.groups, corpus.n_features, corpus.words)
    structure, penalty = structure_of(group_penalty(groups, *levels), K)
    if structure == "overlapping":
        return groups, Overlapping(groups, *levels, corpus.n_features, K)
    return groups, Closed(penalty, K)


def _keep_groups(
    estimator: Any, corpus: PartitionedCorpus, problem: PartitionedProblem, groups: Groups | None, solution: Solution
) -> None:
    """Set the groups that were selected; those of partitions as far as they hold words that were kept."""
    if groups is not None:
        estimator.groups_ = groups
        estimator.selected_groups_ = SelectedGroups.of(groups, groups.norms(solution.weights))
        return
    kept = solution.support
    seen = problem.groups_on(kept)
    unit = "doc {}" if corpus.grouped == "document" else corpus.grouped + " {1} of doc {0}"
    names = [
        unit.format(identifier, number) + (f" + {count - 1} more" if count > 1 else "")
        for identifier, number, count in zip(seen.ids, seen.units, seen.counts, strict=True)
    ]
    source = f"{corpus.grouped}s of the training texts"
    whole = Groups(seen.indptr, kept[seen.indices], seen.weights, problem.n_features, tuple(names), None, source)
    cut = partial(whole.restrict, kept)
    estimator.kept_groups_ = KeptGroups(int(seen.counts.sum()), seen.n_groups, len(kept), source, cut)
    estimator.groups_ = whole
    estimator.selected_groups_ = SelectedGroups.of(whole, whole.norms(solution.weights))


def _key(estimator: Any, corpus: PartitionedCorpus, problem: PartitionedProblem) -> str:
    """Return what tells one fit from another."""
    settings = {
        name: value.fingerprint() if isinstance(value, Groups) else value
        for name, value in estimator.get_params().items()
    }
    return repr((type(estimator).__name__, sorted(settings.items()), corpus.key, problem.terms))


def _class_weights(given: Mapping[Any, float] | str | None, corpus: PartitionedCorpus) -> Sequence[float]:
    if given == "balanced":
        return [corpus.n_documents / (len(corpus.classes) * count) for count in corpus.class_counts]
    weights = [float((given or {}).get(label, 1.0)) for label in corpus.classes]  # type: ignore[union-attr]
    if not all(np.isfinite(one) and one > 0.0 for one in weights):
        raise ValueError(f"class_weight is {given!r}; on partitions all weights must be finite and above 0.")
    return weights


class Checkpoint:
    """The last round of a fit on disk, from which an interrupted one goes on, in a folder named after ``key``."""

    def __init__(self, folder: str | os.PathLike, key: str) -> None:
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        self.path = place / hashlib.sha256(key.encode()).hexdigest()[:32]
        self.start: Solution | None = None
        self.finished: Solution | None = None
        if self.path.is_dir():
            self._read()

    def watching(self, watch: Watch | None) -> Watch:
        """Return a watch that writes every round, and then calls another."""

        def keep(progress: Progress) -> None:
            state = progress.objective, progress.dual_objective, float(progress.iteration), 0.0
            self._write(progress.weights, progress.intercept, state)
            if watch is not None:
                watch(progress)

        return keep

    def finish(self, solution: Solution) -> None:
        """Write the end of the fit."""
        state = solution.objective, solution.dual_objective, float(solution.iterations), 1.0 + solution.converged
        self._write(solution.weights, solution.intercept, state)

    def _write(self, weights: Array, intercept: Array, state: tuple[float, ...]) -> None:
        support = np.flatnonzero(weights.any(axis=1))
        arrays = {"support": support, "weights": weights[support], "intercept": intercept, "state": np.array(state)}
        parts = {f"{name}.npy": array for name, array in arrays.items()}
        save_folder(self.path, {"features": len(weights)}, parts, overwrite=True)

    def _read(self) -> None:
        try:
            facts, parts = load_folder(self.path)
        except (OSError, ValueError) as error:
            raise ValueError(f"{error} Or remove the checkpoint {self.path}, and the fit begins anew.") from error
        weights = np.zeros((facts["features"], parts["weights.npy"].shape[1]))
        weights[parts["support.npy"]] = parts["weights.npy"]
        objective, dual, iterations, done = parts["state.npy"].tolist()
        found = Solution(weights, parts["intercept.npy"], objective, dual, done == 2.0, int(iterations))
        if done:
            self.finished = found
        else:
            self.start = found


class TooManyWordsError(ValueError):
    """The penalty is too weak for the words to be solved for in one place."""


class Progress(NamedTuple):
    """Where a fit is: what a bar shows, and all that is needed to go on from here."""

    iteration: int
    objective: float
    dual_objective: float
    weights: Array
    intercept: Array


def solve_partitioned(
    problem: PartitionedProblem,
    shape: Closed | Overlapping,
    start: Solution | None = None,
    tol: float = 1e-6,
    max_iter: int = 200,
    watch: Watch | None = None,
) -> Solution:
    """Minimise a loss in partitions plus a penalty to a relative duality gap; ``watch`` sees every round."""
    n, K = problem.n_features, problem.n_outputs
    zero = np.zeros((n, K)), np.zeros(K)
    W, b, begun, objective = _begun(problem, shape, *zero)
    if start is not None and start.weights.any():
        with np.errstate(over="ignore", invalid="ignore"):  # far away an objective may be infinite
            there = _begun(problem, shape, *admissible(problem.fit_intercept, start))
        # A start worse than zero weights is left, as in memory.
        W, b, begun, objective = there if there[3] < objective else _begun(problem, shape, *zero)
    inside: Any = W.any(axis=1)
    J = np.flatnonzero(inside)
    first = _weights(W, b)
    candidate = Candidate(first, None, begun.totals)
    dual_value: DualValue = partial(problem.dual_value, candidate)
    gathered, models = Gathered(problem, begun.sizes, begun.n_documents), SummedModels(problem)
    best_dual, smallest, stalled, idle, steps = -np.inf, np.inf, 0, 0, 0
    trace: list[Step] = []
    while True:
        C, value, _ = problem.dual_point(candidate)
        best_dual = max(best_dual, shape.bound(C, value, dual_value, inside))
        trace.append(Step(objective, best_dual, int(np.count_nonzero(W.any(axis=1)))))
        relative = (objective - best_dual) / objective if objective > 0.0 else 0.0
        if watch is not None:
            watch(Progress(len(trace) - 1, objective, best_dual, W, b))
        stalled = 0 if relative < smallest else stalled + 1
        models.judge(relative / smallest)
        smallest = min(smallest, relative)
        if relative <= tol or len(trace) > max_iter or stalled >= STALLED:
            break
        for room in (HERE, ROOM):
            wanted = shape.next_set(C, inside, np.asarray(W.any(axis=1)), tol, room)
            here = gathered.widened(wanted)
            if here is not None:
                break
        inside = wanted if here is None else here
        # The same words again: only a better solution over them can raise the bound.
        same = np.array_equal(J, np.flatnonzero(inside))
        idle = idle + 1 if same else 0
        if not same:
            J = np.flatnonzero(inside)
            shape.enter(problem, J)
        point, old = _weights(W, b), W[J].ravel()
        moved: Moved | None
        if here is not None:
            target = LEAST * tol if same or relative <= CLOSE else max(SHARE * min(relative, 1.0), LEAST * tol)
            moved = gathered.move(shape, J, point, old, 0.1**idle * target)
        else:
            if (n_weights := len(J) * K) > MOST:
                raise TooManyWordsError(
                    f"The fit would have to solve for {n_weights:,} weights at once, more than {MOST:,}: their "
                    "products with each other do not fit into memory. Strengthen l1 (or the groups), or raise min_df."
                )
            moved = models.move(shape, J, point, old, objective, relative, tol)
        if moved is None:
            break
        W[J] = moved.weights.reshape(-1, K)
        _, b, objective, candidate, dual_value, taken = moved
        steps += taken
    return Solution(
        weights=W,
        intercept=b if K == 1 else b - b.mean(),
        objective=objective,
        dual_objective=best_dual,
        converged=relative <= tol,
        iterations=steps,
        trace=tuple(trace),
    )


def _begun(
    problem: PartitionedProblem, shape: Closed | Overlapping, W: Array, b: Array
) -> tuple[Array, Array, Any, float]:
    """Return weights and intercept, what all partitions say about them, and the objective."""
    J = np.flatnonzero(W.any(axis=1))
    shape.enter(problem, J)
    begun = problem.begin(_weights(W, b))
    return W, b, begun, begun.loss + shape.value(W[J].ravel())


def _weights(W: Array, b: Array) -> Weights:
    return Weights.on(np.arange(len(W)), W, b)
