"""Products with a sparse matrix and many outputs, document by document.

Row i is ``words[ends[i]:ends[i + 1]]`` with the ``values`` at the same places; empty ``values`` means that all are one.
The weights of a word, or what is summed for it, are one row with a number per output. Most cells belong to few words,
whose rows stay in the fastest memory; products column by column would read the outputs of all documents once per word.
``place`` numbers the words that count, and is below zero for others.
"""

from laconic.kernels._compile import kernel


@kernel
def accumulate_rows(values, words, ends, place, W, F):
    """Add to every row of F the rows of W of its words."""
    K = F.shape[1]
    unit = len(values) == 0
    for i in range(len(F)):
        f = F[i]
        for at in range(ends[i], ends[i + 1]):
            j = place[words[at]]
            if j >= 0:
                w, x = W[j], 1.0 if unit else values[at]
                for k in range(K):
                    f[k] += x * w[k]


@kernel
def correlate_rows(values, words, ends, place, A, C):
    """Add to the rows of C the rows of A of the documents with that word."""
    K = A.shape[1]
    unit = len(values) == 0
    for i in range(len(A)):
        a = A[i]
        for at in range(ends[i], ends[i + 1]):
            j = place[words[at]]
            if j >= 0:
                c, x = C[j], 1.0 if unit else values[at]
                for k in range(K):
                    c[k] += x * a[k]
