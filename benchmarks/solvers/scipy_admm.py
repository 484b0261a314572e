"""The published ADMM (Yogatama & Smith 2014) in plain NumPy and SciPy: what the certified solver is measured against.

Copies v of every group's weights, multipliers u. A round: w and b by proximal gradient steps, to a relative change of
1e-5; v by shrinking; u by the difference. The steps are the paper's: the gradient of the loss and of the quadratic that
ties w to its copies, then a soft threshold. With ``apart`` the quadratic, which is a diagonal, goes into the prox; that
is not in the paper, but often quicker. Nothing here comes from laconic. It is no solver file of a race:
it is watched round by round instead of climbing a ladder.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Array = NDArray[np.float64]
INNER_TOL, INNER_MOST = 1e-5, 1000


def rounds(
    X, y: Array, indptr: Array, indices: Array, radii: Array, l1: float, rho: float, apart: bool = False
) -> Iterator[tuple]:
    """Yield weights and intercept after every round, for ever; ``y`` holds −1 and 1, ``radii`` are λ_g·d_g."""
    X, sizes = X.tocsc(), np.diff(indptr)
    Xt = X.T.tocsr()
    v, u = np.zeros(len(indices)), np.zeros(len(indices))
    count = np.bincount(indices, minlength=X.shape[1])
    inner = Inner(X, Xt, y, l1, apart)
    while True:
        pull = np.bincount(indices, weights=rho * v + u, minlength=X.shape[1])
        inner.move(rho * count, pull)
        copied = inner.w[indices]
        z = copied - u / rho
        norms = np.sqrt(np.add.reduceat(z * z, indptr[:-1]))
        level = radii / rho
        kept = np.where(norms > level, 1.0 - level / np.maximum(norms, 1e-300), 0.0)
        v = np.repeat(kept, sizes) * z
        u = u + rho * (v - copied)
        yield inner.w, inner.b


class Inner:
    """Weights and intercept, moved by proximal gradient steps with backtracking."""

    def __init__(self, X, Xt, y: Array, l1: float, apart: bool) -> None:
        self.X, self.Xt, self.y, self.l1, self.apart = X, Xt, y, l1, apart
        self.w, self.margins, self.b = np.zeros(X.shape[1]), np.zeros(len(y)), 0.0
        self.b = self.intercept(self.margins)
        slope = self.Xt @ self.residual(self.margins + self.b)
        along, p = self.X @ slope, expit(self.margins + self.b)
        self.bend = float(along @ (p * (1.0 - p) * along) / (slope @ slope))

    def move(self, quadratic: Array, pull: Array) -> None:
        """Take steps on loss + λ₁‖w‖₁ + Σ (quadratic_j w_j²/2 − pull_j w_j)."""
        below = quadratic if self.apart else np.zeros_like(quadratic)  # of the prox
        tie = np.zeros_like(quadratic) if self.apart else quadratic  # of the smooth part
        target = pull if self.apart else np.zeros_like(pull)
        pull = pull - target

        def smooth(w: Array, margins: Array) -> float:
            return self.loss(margins) + float(0.5 * tie @ (w * w) - pull @ w)

        for _ in range(INNER_MOST):
            value = smooth(self.w, self.margins + self.b)
            down = self.Xt @ self.residual(self.margins + self.b) + pull - tie * self.w
            while True:
                raw = self.bend * self.w + down + target
                new = np.sign(raw) * np.maximum(np.abs(raw) - self.l1, 0.0) / (self.bend + below)
                step = new - self.w
                margins = self.X @ new
                shifted = self.intercept(margins)
                foretold = value - down @ step + 0.5 * self.bend * step @ step
                if smooth(new, margins + shifted) <= foretold + 1e-12 * abs(value):
                    break
                self.bend *= 2.0
            self.w, self.margins, self.b = new, margins, shifted
            if self.bend * (step @ step) > 1e-10 * abs(value):
                self.bend *= 0.9
            if np.linalg.norm(step) <= INNER_TOL * np.linalg.norm(new):
                return

    def loss(self, margins: Array) -> float:
        """Return the logistic loss."""
        return float(np.logaddexp(0.0, -self.y * margins).sum())

    def residual(self, margins: Array) -> Array:
        """Return minus the derivative of the loss."""
        return self.y * expit(-self.y * margins)

    def intercept(self, margins: Array) -> float:
        """Return the best intercept by Newton's method, from the last one."""
        b = self.b
        for _ in range(50):
            total = self.residual(margins + b).sum()
            if abs(total) <= 1e-10 * len(margins):
                break
            p = expit(margins + b)
            b += float(np.clip(total / max(float((p * (1.0 - p)).sum()), 1e-12), -4.0, 4.0))
        return b
