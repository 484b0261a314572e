"""Shrinkage of groups of rows: a pass from the leaves of a tree to its root, and block ascent for groups that overlap.

Group g is ``indices[indptr[g]:indptr[g + 1]]``, never empty; weights have shape (n_features, n_outputs).
"""

import math

from laconic.kernels._compile import kernel


@kernel
def shrink_groups(w, indptr, indices, radii, order):
    """Replace w_g by max(0, 1 − radii[g]/‖w_g‖)·w_g, one group after another in the given order, in place."""
    outputs = w.shape[1]
    for g in order:
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                square += w[indices[at], k] ** 2
        norm = math.sqrt(square)
        kept = 1.0 - radii[g] / norm if norm > radii[g] else 0.0
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                w[indices[at], k] *= kept


@kernel
def ascend_groups(r, xi, inside, indptr, indices, radii, order):
    """Set every ξ_g in turn to the point of its ball ‖ξ_g‖ ≤ radii[g] that leaves the least of ``r``, in place."""
    # ``inside[g]`` becomes whether ξ_g could take all of its part of the remainder.
    outputs = r.shape[1]
    for g in order:
        square = 0.0
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                xi[at, k] += r[indices[at], k]
                square += xi[at, k] ** 2
        norm = math.sqrt(square)
        inside[g] = norm <= radii[g]
        kept = 1.0 if norm <= radii[g] else radii[g] / norm
        for at in range(indptr[g], indptr[g + 1]):
            for k in range(outputs):
                whole = xi[at, k]
                xi[at, k] = kept * whole
                r[indices[at], k] = whole - xi[at, k]
