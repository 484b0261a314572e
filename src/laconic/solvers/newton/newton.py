r"""Newton's method for smooth objectives: no penalty, or a ridge.

The step solves :math:`(X^\top H X + 2\lambda_2 I)\,d = X^\top\alpha - 2\lambda_2 w` with the intercept as a further,
unpenalised unknown, by conjugate gradients with a diagonal preconditioner, ever more exactly as the optimum nears
(Dembo, Eisenstat & Steihaug 1982). It only needs products with the data, so it runs on any problem. Words of a single
document are solved for, see `laconic.solvers.newton.singleton_columns`.

Without a penalty there is no certificate, and on separable data no optimum either: the weights grow without end. The
solver then stops when the gradient has fallen to ``tol`` times its first value, and says so.
"""

import numpy as np

from laconic.core.interruption import check
from laconic.core.losses import Array
from laconic.core.penalties.base import Penalty
from laconic.core.problem import LinearProblem, Problem
from laconic.core.solution import Solution, Step
from laconic.solvers.certificate import certify
from laconic.solvers.conjugate_gradient import conjugate_gradients
from laconic.solvers.newton.singleton_columns import PrivateWords, worth_it
from laconic.solvers.warm_start import start_point, zero_point

SHARE = 0.05
FLAT = 1e-200  # curvature below which a column is as good as without any: its inverse would overflow
SEPARABLE = (
    "The classes can be separated without error, so a fit without a penalty has no optimum: its weights grow without "
    "end, and it was stopped when its gradient was small. Set l1 or l2 above zero for a model with a certificate."
)


def solve_newton(
    problem: Problem, penalty: Penalty, start: Solution | None = None, tol: float = 1e-6, max_iter: int = 200
) -> Solution:
    """Minimise the loss plus λ₂‖W‖² to a relative duality gap, or where λ₂ = 0 to a relative gradient norm."""
    l2 = penalty.l2
    if l2 > 0.0 and isinstance(problem, LinearProblem) and worth_it(problem):
        fewer = PrivateWords(problem)
        start = None if start is None else fewer.contract(start)
        return fewer.expand(solve_newton(fewer, penalty, start, tol, max_iter))
    point = start_point(problem, penalty, start) or zero_point(problem, penalty)
    W, b, F = point.W, point.b, point.F
    # The unpenalised fit stops by its gradient, measured against that of the model without features, where columns of
    # any scale count alike, too.
    zero = np.zeros((problem.n_samples, problem.n_outputs))
    zero = zero + problem.intercept(zero)
    unit = np.sqrt(problem.curvature_diagonal(problem.curvature(zero))) if l2 == 0.0 else np.ones(W.shape)
    unit = np.divide(1.0, unit, out=np.zeros_like(unit), where=unit > FLAT)
    reference = np.maximum(_sizes(unit, problem.correlations(problem.residual(zero))), 1e-300)
    best_dual = -np.inf
    trace: list[Step] = []
    converged = False
    for _ in range(max_iter + 1):
        check()
        objective, dual, C = certify(problem, penalty, W, F)
        best_dual = max(best_dual, dual)
        trace.append(Step(objective, best_dual, int(np.any(W != 0.0, axis=1).sum())))
        gradient = 2.0 * l2 * W - C
        left = float(np.max(_sizes(unit, gradient) / reference))
        if l2 > 0.0:
            converged = objective - best_dual <= tol * objective
        else:
            converged = left <= tol
        if converged or len(trace) > max_iter:
            break
        h = problem.curvature(F)
        forcing = min(0.1, np.sqrt(left))
        # A gradient G left by the step costs the bound ‖G‖²/4λ₂: below a share of the tolerance it needs no more.
        short = SHARE * 4.0 * l2 * tol * objective
        if isinstance(problem, PrivateWords):
            direction, move, Z = _private_step(problem, h, l2, -gradient, forcing, short)
        else:
            direction, move, Z = _newton_step(problem, h, l2, -gradient, forcing, short)
        t = _line_search(problem, l2, W, F, direction, Z, objective, float((gradient * direction).sum()))
        if t == 0.0:
            break  # no decrease can be seen in floating point
        W, b, F = W + t * direction, b + t * move, F + t * Z
        shift = problem.intercept(F)
        b, F = b + shift, F + shift
    return Solution(
        weights=W,
        # A common shift of all classes changes nothing: centred intercepts make the answer one.
        intercept=b if problem.loss.scalar_curvature else b - b.mean(),
        objective=objective,
        dual_objective=best_dual if l2 > 0.0 else -np.inf,
        converged=converged,
        iterations=len(trace) - 1,
        trace=tuple(trace),
        message=_unpenalised(problem, F, 0.0 if converged else left) if l2 == 0.0 else "",
    )


def _sizes(unit: Array, gradient: Array) -> Array:
    """Return the largest entry of a gradient as it is, and in units of its column."""
    return np.array([np.abs(gradient).max(initial=0.0), np.abs(unit * gradient).max(initial=0.0)])


def _newton_step(
    problem: Problem, h: Array, l2: float, right: Array, forcing: float, short: float, shift: Array | None = None
) -> tuple[Array, Array, Array]:
    """Return the step of weights, intercepts and margins for the negative gradients ``right`` and ``shift``, solved to
    ``forcing`` or to a residual of square ``short``."""
    if problem.loss.scalar_curvature:
        intercept_diagonal = h.sum(axis=0)
    else:
        intercept_diagonal = (problem.weight[:, None] * h * (1.0 - h)).sum(axis=0)
    # Weights and intercepts in one array, the intercepts last.
    scale = np.vstack([problem.curvature_diagonal(h) + 2.0 * l2, intercept_diagonal])
    # Columns without any curvature (all zero, or all their documents certain) stay where they are.
    inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > FLAT)
    if not problem.fit_intercept:
        inverse[-1] = 0.0

    def product(V: Array, out: Array) -> None:
        HZ = problem.curvature_product(h, problem.margins(V[:-1], V[-1]))
        np.multiply(V[:-1], 2.0 * l2, out=out[:-1])
        out[:-1] += problem.correlations(HZ)
        out[-1] = HZ.sum(axis=0) if problem.fit_intercept else 0.0

    right = np.vstack([right, np.zeros(problem.n_outputs) if shift is None else shift])
    enough = forcing**2 * float(np.vdot(right, inverse * right))
    step, _ = conjugate_gradients(product, right, inverse, enough, max_steps=2000, short=short)
    return step[:-1], step[-1], problem.margins(step[:-1], step[-1])


def _private_step(
    problem: PrivateWords, h: Array, l2: float, right: Array, forcing: float, short: float
) -> tuple[Array, Array, Array]:
    """Return the same, with the unknowns of private words solved for."""
    n_shared = problem.shared.n_features
    root, own = problem.root, right[n_shared:]
    stiff = 1.0 + root * root * h / (2.0 * l2)
    seen, pull = h / stiff, root * own / (2.0 * l2)
    pulled = seen * pull
    shared = right[:n_shared] - problem.shared.correlations(pulled)
    shift = -pulled.sum(axis=0) if problem.fit_intercept else np.zeros(1)
    step, move, Z = _newton_step(problem.shared, seen, l2, shared, forcing, short, shift)
    Z = (Z + pull) / stiff
    return np.vstack([step, (own - root * h * Z) / (2.0 * l2)]), move, Z


def _line_search(
    problem: Problem, l2: float, W: Array, F: Array, direction: Array, Z: Array, objective: float, slope: float
) -> float:
    """Return a step in (0, 1] with sufficient decrease, or 0.0 when none can be seen."""
    cross, square = float((W * direction).sum()), float((direction * direction).sum())
    norm = float((W * W).sum())
    t = 1.0
    for _ in range(40):
        value = problem.loss_value(F + t * Z) + l2 * (norm + 2.0 * t * cross + t * t * square)
        if value - objective <= 1e-4 * t * slope + 1e-15 * objective:
            return t
        t *= 0.5
    return 0.0


def _unpenalised(problem: Problem, F: Array, left: float) -> str:
    """Say so when all documents of an unpenalised classifier are right, or what share of the gradient is ``left``."""
    # Every loss below log 2 has its class ahead of all others: twice the weights have a smaller loss, and so on.
    if problem.loss.classifies and np.all(problem.loss_values(F) < np.log(2.0) * problem.weight):
        return SEPARABLE
    if left == 0.0:
        return ""
    return (
        f"The fit without a penalty stopped before its optimum: the gradient is still {left:.1e} of that of the model "
        "without features. Bring the features to one scale, raise max_iter, or set l1 or l2 above zero."
    )
