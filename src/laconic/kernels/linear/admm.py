"""One round of ADMM over the copies of the weights that groups hold."""

import math

from laconic.kernels._compile import kernel


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
