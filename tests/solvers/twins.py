"""Slow, obvious twins: convex programs for cvxpy, and a problem that lives in three parts."""

import cvxpy as cp
import numpy as np
import scipy.sparse as sp

from laconic.core.problem import Columns, LinearProblem


def random_problem(seed, loss, n=40, p=15, weighted=True):
    """Return X, y, s of a small problem with correlated, partly empty count columns."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.gamma(0.5, 1.0, p), (n, p)).astype(float)
    X[:, 0] = 0.0
    X[:, 2] = X[:, 1]
    if loss.name == "squared":
        y = X @ rng.normal(size=p) + rng.normal(size=n) + 2.0
    elif loss.name == "softmax":
        y = np.concatenate([np.arange(loss.n_classes), rng.integers(0, loss.n_classes, n - loss.n_classes)])
    else:
        y = np.where(X @ rng.normal(size=p) + 2 * rng.normal(size=n) > 0, 1.0, -1.0)
        y[:2] = 1.0, -1.0
    return X, y, rng.uniform(0.3, 2.0, n) if weighted else np.ones(n)


def optimum(X, y, s, loss, l1, l2, intercept, groups=(), radii=()):
    """Return the optimal objective by an independent interior-point solver; groups are lists of features."""
    n_outputs = loss.n_outputs(y)
    W, b = cp.Variable((X.shape[1], n_outputs)), cp.Variable(n_outputs)
    F = X @ W + (np.ones((len(y), 1)) @ cp.reshape(b, (1, n_outputs), order="C") if intercept else 0.0)
    if loss.name == "logistic":
        data = s @ cp.logistic(cp.multiply(-y, F[:, 0]))
    elif loss.name == "squared_hinge":
        data = cp.sum_squares(cp.multiply(np.sqrt(s), cp.pos(1 - cp.multiply(y, F[:, 0]))))
    elif loss.name == "squared":
        data = 0.5 * cp.sum_squares(cp.multiply(np.sqrt(s), y - F[:, 0]))
    else:
        Y = np.eye(n_outputs)[y]
        data = s @ (cp.log_sum_exp(F, axis=1) - cp.sum(cp.multiply(Y, F), axis=1))
    norms = sum(radius * cp.norm(W[list(group)], "fro") for group, radius in zip(groups, radii, strict=True))
    problem = cp.Problem(cp.Minimize(data + l1 * cp.sum(cp.abs(W)) + l2 * cp.sum_squares(W) + norms))
    tight = {"tol_gap_abs": 1e-9, "tol_gap_rel": 1e-9, "tol_feas": 1e-9}
    return problem.solve(solver=cp.CLARABEL, **tight)


def matrix_of(columns, n):
    """Return columns as a dense matrix of ``n`` rows."""
    X = np.zeros((n, len(columns.start)))
    for j, (start, stop) in enumerate(zip(columns.start, columns.stop, strict=True)):
        X[columns.indices[start:stop], j] = columns.data[start:stop] if len(columns.data) else 1.0
    return X


class ThreePartProblem:
    """The same questions as LinearProblem, each answered by three parts that hold a third of the documents each."""

    def __init__(self, X, y, loss, s, fit_intercept=True):
        rows = np.array_split(np.arange(len(y)), 3)
        self.parts = [LinearProblem(X[r], y[r], loss, s[r], fit_intercept) for r in rows]
        self.cuts = np.cumsum([len(r) for r in rows])[:-1]
        self.y, self.weight, self.loss, self.fit_intercept = y, s, loss, fit_intercept
        self.n_samples, self.n_features = X.shape
        self.n_outputs = loss.n_outputs(y)

    def _split(self, A):
        return zip(self.parts, np.split(A, self.cuts), strict=True)

    def margins(self, W, b):
        return np.concatenate([part.margins(W, b) for part in self.parts])

    def correlations(self, alpha):
        return sum(part.correlations(a) for part, a in self._split(alpha))

    def column_sizes(self):
        return sum(part.column_sizes() for part in self.parts)

    def column_norms(self):
        X = np.vstack([matrix_of(part.columns(np.arange(self.n_features)), part.n_samples) for part in self.parts])
        return np.linalg.norm(X - X.mean(axis=0) if self.fit_intercept else X, axis=0)

    def curvature_diagonal(self, h):
        return sum(part.curvature_diagonal(a) for part, a in self._split(h))

    def loss_value(self, F):
        return sum(part.loss_value(f) for part, f in self._split(F))

    def loss_values(self, F):
        return np.concatenate([part.loss_values(f) for part, f in self._split(F)])

    def residual(self, F):
        return np.concatenate([part.residual(f) for part, f in self._split(F)])

    def curvature(self, F):
        return np.concatenate([part.curvature(f) for part, f in self._split(F)])

    def curvature_product(self, h, Z):
        pairs = zip(self.parts, np.split(h, self.cuts), np.split(Z, self.cuts), strict=True)
        return np.concatenate([part.curvature_product(a, z) for part, a, z in pairs])

    def columns(self, working_set):
        dense = [matrix_of(part.columns(working_set), part.n_samples) for part in self.parts]
        X = sp.csc_array(np.vstack(dense))
        ends = X.indptr.astype(np.int32)
        return Columns(X.data, X.indices.astype(np.uint16), ends[:-1], ends[1:])

    # Shifts, balance and conjugates couple all documents only through sums; here they simply see all of them.
    def intercept(self, F):
        return self.loss.intercept(self.y, F, self.weight) if self.fit_intercept else np.zeros(self.n_outputs)

    def admit(self, alpha):
        alpha = self.loss.admit(self.y, alpha, self.weight)
        return self.loss.balance(self.y, alpha, self.weight) if self.fit_intercept else alpha

    def dual_value(self, alpha):
        return self.loss.dual_value(self.y, alpha, self.weight)
