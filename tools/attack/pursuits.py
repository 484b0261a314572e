"""Pursuits against a dense twin that walks along: every step must take a best atom, and its refit must be the best."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from laconic import Edits, GroupOMPClassifier, GroupOMPRegressor, Groups, OMPClassifier, OMPRegressor
from tools.attack.draws import Draw, random_draw, random_groups
from tools.attack.matrices import Array
from tools.attack.oracle import EPSILON, Plain, losses, margins, plain, residual
from tools.attack.verdicts import HELD, Verdict, refused

POWERS = {"sum": 0.0, "mean": 1.0, "norm": 2.0}
CLOSE = 5e-5  # of the root of the best score, by which that of what was taken may be lower
BETTER = 1e-6  # of the objective, by which a refit may miss its optimum
PRECISION = 1e-9  # of the objective, to which a refit is asked to come
STEPS = 60


@dataclass(frozen=True)
class Wanted:
    """What a pursuit is asked for besides the problem."""

    atoms: tuple[tuple[int, ...], ...]
    criterion: str
    unit_norm: bool
    l2: float


def pursuit_case(rng: np.random.Generator) -> Verdict:
    """Return the verdict on one random pursuit."""
    draw = random_draw(rng, ("ridge",))
    draw = replace(draw, loss="logistic" if draw.loss == "squared_hinge" else draw.loss, signs={}, factors={}, keep=())
    wanted, model = _wanted(rng, draw)
    try:
        model.fit(draw.matrix.given, draw.y, draw.sample_weight)
    except ValueError as error:
        return refused(error)
    wrong = _first_wrong_step(plain(draw), wanted, model.path_, set(draw.ban))
    return Verdict("finding", f"{wrong} [{type(model).__name__} {wanted.criterion}, {draw}]") if wrong else HELD


def _wanted(rng: np.random.Generator, draw: Draw) -> tuple[Wanted, Any]:
    p = draw.matrix.dense.shape[1]
    regression = draw.loss == "squared"
    common: dict[str, Any] = {
        "budget": int(rng.integers(1, 9)),
        "l2": draw.l2 + 1e-3,
        "unit_norm": bool(rng.random() < 0.7),
        "tol": PRECISION,
        "fit_intercept": draw.intercept,
    }
    if not regression:
        common["class_weight"] = draw.class_weight
    if draw.ban:
        common["edits"] = Edits(ban=draw.ban)
    singles = tuple((j,) for j in range(p))
    if rng.random() < 0.5:
        model = OMPRegressor(**common) if regression else OMPClassifier(**common)
        return Wanted(singles, "sum", common["unit_norm"], common["l2"]), model
    lists = random_groups(rng, p, "overlapping")
    criterion = str(rng.choice(list(POWERS)))
    outside = tuple(one for one in singles if not any(one[0] in members for members in lists))
    kind = GroupOMPRegressor if regression else GroupOMPClassifier
    model = kind(Groups.from_lists(lists, p), criterion=criterion, **common)
    return Wanted((*lists, *outside), criterion, common["unit_norm"], common["l2"]), model


def _first_wrong_step(one: Plain, wanted: Wanted, path: Any, banned: set[int]) -> str:
    """Return what is wrong with the first step of a path that is wrong, nothing if none is."""
    lengths = np.sqrt(one.s @ one.X**2)
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0.0) if wanted.unit_norm else lengths**0
    chosen: list[int] = []
    for k, step in enumerate(path.parameters):
        entered = [int(j) for j in step["entered"]]
        if k and (wrong := _wrong_choice(one, wanted, scale, chosen, entered, banned)):
            return f"step {k} took {entered}: {wrong}"
        chosen += entered
        claimed = float(step["objective"])
        best = _refit(one, wanted.l2, chosen)[2]
        if not abs(claimed - best) <= BETTER * (1.0 + abs(best)):
            return f"step {k} has the objective {claimed!r} after {chosen}, the twin {best!r}"
    return ""


def _wrong_choice(
    one: Plain, wanted: Wanted, scale: Array, chosen: list[int], entered: list[int], banned: set[int]
) -> str:
    if banned & set(entered) or set(chosen) & set(entered):
        return "banned, or taken twice"
    W, b, here = _refit(one, wanted.l2, chosen)
    C = one.X.T @ residual(one, margins(one, W, b))
    if float((np.delete(C, chosen, axis=0) ** 2).sum()) <= 4.0 * wanted.l2 * PRECISION * here:
        return ""  # all that is left gains less than a refit may miss, by the ridge's convexity: any choice is right
    squares = ((C * scale[:, None]) ** 2).sum(axis=1)
    rounding = (scale * (np.abs(one.X).T @ _residual_noise(one, W, b))) ** 2
    left = [[j for j in atom if j not in chosen and j not in banned] for atom in wanted.atoms]
    scores, noise = (
        [np.sqrt(each[atom].sum() / len(atom) ** POWERS[wanted.criterion]) if atom else 0.0 for atom in left]
        for each in (squares, rounding)
    )
    same = [g for g, atom in enumerate(left) if sorted(atom) == sorted(entered)]
    if not same:
        return f"no atom is that; left are {left}"
    taken = max(scores[g] + noise[g] for g in same)
    best = max(score - own for score, own in zip(scores, noise, strict=True))
    return "" if taken >= best * (1.0 - CLOSE) else f"score {taken!r}, the best has {best!r}"


def _residual_noise(one: Plain, W: Array, b: Array) -> Array:
    """Return what rounding may change in the residual of every document."""
    size = np.abs(one.X) @ np.abs(W) + np.abs(b) + np.abs(one.y)
    return 64.0 * EPSILON * one.s * size.max(axis=1)


def _refit(one: Plain, l2: float, chosen: list[int]) -> tuple[Array, Array, float]:
    """Return weights, intercepts and objective of a ridge on the chosen columns, by Newton with halved steps."""
    Z = np.hstack([one.X[:, chosen], np.ones((len(one.s), 1))]) if one.intercept else one.X[:, chosen]
    ridge = np.full(Z.shape[1], 2.0 * l2)
    ridge[len(chosen) :] = 0.0
    V = np.zeros((Z.shape[1], one.n_outputs))

    def value(V: Array) -> float:
        return float(losses(one, Z @ V).sum() + 0.5 * (ridge[:, None] * V**2).sum())

    here = value(V)
    for _ in range(STEPS):
        gradient = ridge[:, None] * V - Z.T @ residual(one, Z @ V)
        step = _solved(_hessian(one, Z, V, ridge), -gradient.ravel()).reshape(V.shape)
        t = 1.0
        while value(V + t * step) > here and t > 1e-12:
            t *= 0.5
        new = value(V + t * step)
        if not new < here:
            break
        V, here = V + t * step, new
    W = np.zeros((one.X.shape[1], one.n_outputs))
    W[chosen] = V[: len(chosen)]
    return W, V[len(chosen)] if one.intercept else np.zeros(one.n_outputs), here


def _solved(H: Array, right: Array) -> Array:
    """Return the shortest solution of H d = right, with the unknowns brought to one scale first."""
    size = np.sqrt(np.diag(H))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0.0)
    return unit * np.linalg.lstsq(unit[:, None] * H * unit, unit * right, rcond=None)[0]


def _hessian(one: Plain, Z: Array, V: Array, ridge: Array) -> Array:
    """Return the Hessian over all entries of V, row by row."""
    k = one.n_outputs
    F = Z @ V
    if one.loss == "softmax":
        P = np.exp(F - F.max(axis=1, keepdims=True))
        P /= P.sum(axis=1, keepdims=True)
        bend = one.s[:, None, None] * (P[:, :, None] * np.eye(k) - P[:, :, None] * P[:, None, :])
    elif one.loss == "logistic":
        bend = (one.s * np.exp(-np.logaddexp(0, F[:, 0]) - np.logaddexp(0, -F[:, 0])))[:, None, None]
    else:
        bend = one.s[:, None, None]
    H = np.einsum("ia,ikl,ib->akbl", Z, bend, Z).reshape(len(V) * k, len(V) * k)
    return H + np.diag(np.repeat(ridge, k))
