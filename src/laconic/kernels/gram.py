"""The curvature matrix on a support, from compressed rows: only the words a document holds meet each other."""

from laconic.kernels._compile import kernel


@kernel
def weighted_gram(data, indices, indptr, h, G):
    """Add the upper triangle of Σ_i h_i x_i x_iᵀ to ``G``; rows come compressed, their indices sorted."""
    for i in range(len(indptr) - 1):
        for p in range(indptr[i], indptr[i + 1]):
            left = h[i] * data[p]
            row = indices[p]
            for q in range(p, indptr[i + 1]):
                G[row, indices[q]] += left * data[q]
