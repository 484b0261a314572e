"""Shrinkage of groups of rows: a pass from the leaves of a tree to its root, block ascent and ADMM for overlaps.

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


@kernel
def update_copies(w, v, u, pull, rho, relax, radii, indptr, indices, order, parent, zero, moved):
    """Shrink the copies ``v`` of the groups in ``order``, move their multipliers ``u``, and add ρv + u to ``pull``."""
    # With x = relax·w + (1 − relax)·v the new v is x − u/ρ shrunk by radii[g]/ρ, and the new u is u + ρ(v − x). A group
    # whose ``parent`` is zero becomes zero unseen. ``moved`` gets ‖v − w‖² and ‖v − old v‖².
    outputs = w.shape[1]
    for g in order:
        first, last = indptr[g], indptr[g + 1]
        kept = 0.0
        if parent[g] < 0 or not zero[parent[g]]:
            square = 0.0
            for at in range(first, last):
                for k in range(outputs):
                    z = relax * w[indices[at], k] + (1.0 - relax) * v[at, k] - u[at, k] / rho
                    square += z * z
            norm = math.sqrt(square)
            if norm > radii[g] / rho:
                kept = 1.0 - radii[g] / (rho * norm)
        zero[g] = kept == 0.0
        for at in range(first, last):
            j = indices[at]
            for k in range(outputs):
                x = relax * w[j, k] + (1.0 - relax) * v[at, k]
                new = kept * (x - u[at, k] / rho)
                moved[0] += (new - w[j, k]) ** 2
                moved[1] += (new - v[at, k]) ** 2
                v[at, k] = new
                u[at, k] += rho * (new - x)
                pull[j, k] += rho * new + u[at, k]
