"""The curvature of the softmax loss, applied to changes of the margins."""

import numpy as np

from laconic.kernels._compile import kernel


@kernel
def bend_softmax(P, s, damping, Z):
    """Multiply ``Z`` in place by s·(diag p − ppᵀ + damping·I), document by document; one row a class."""
    K, n = P.shape
    mean = np.zeros(n)
    for k in range(K):
        for i in range(n):
            mean[i] += P[k, i] * Z[k, i]
    for k in range(K):
        for i in range(n):
            Z[k, i] = s[i] * (P[k, i] * (Z[k, i] - mean[i]) + damping[i] * Z[k, i])
