r"""The whole pursuit of single columns for a softmax: `laconic.kernels.linear.pursuit` with one correlation per class.

The score of a column is :math:`\|x_j^\top A\|q_j` over the classes. As there, only the documents whose residual moved
much are followed, and only the columns that may win are looked at in full; the squares of the scores that are followed
are summed again for the columns of these documents alone.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.linear.pursuit import LATEST, REACH, ROUNDING, TIE, clear_cells
from laconic.kernels.linear.refit import CHOSEN, LOSS, SQUARE
from laconic.kernels.linear.softmax_refit import refit

BLUR = 0.04  # error of the scores, as a share of the last best one, that is left to the second look


class Search(NamedTuple):
    """Where the search stands: ``C`` is q_j x_jᵀA of ``near``, ``squares`` its rows', ``stale`` those to sum again."""

    C: NDArray[np.float64]
    near: NDArray[np.float64]
    squares: NDArray[np.float64]
    stale: NDArray[np.bool_]
    gone: NDArray[np.bool_]
    scale: NDArray[np.float64]
    memory: NDArray[np.float64]


@kernel
def follow_documents(rows, weight, P, search, limit):
    """Follow the documents whose residual moved by more than the root of ``limit``; return the sum of the others."""
    values, numbers, ends = rows
    C, near, stale = search.C, search.near, search.stale
    n, K = P.shape
    change, rest = np.empty(K), 0.0
    for i in range(n):
        square = 0.0
        for k in range(K):
            change[k] = weight[i] * (near[i, k] - P[i, k])
            square += change[k] * change[k]
        square /= weight[i]
        if square <= limit:
            rest += square
            continue
        for k in range(K):
            near[i, k] = P[i, k]
        for at in range(ends[i], ends[i + 1]):
            j, x = numbers[at], values[at]
            stale[j] = True
            for k in range(K):
                C[j, k] += x * change[k]
    return rest


@kernel
def sum_squares(search):
    """Sum the squares of the correlations that have changed; return the largest of all."""
    C, squares, stale = search.C, search.squares, search.stale
    highest = 0.0
    for j in range(len(squares)):
        if stale[j]:
            stale[j] = False
            total = 0.0
            for k in range(C.shape[1]):
                total += C[j, k] * C[j, k]
            squares[j] = total
        highest = max(highest, squares[j])
    return highest


@kernel
def exact_score(columns, target, P, j, total):
    """Return ‖x_jᵀA‖."""
    data, indices, start, stop = columns
    K = P.shape[1]
    for k in range(K):
        total[k] = 0.0
    for at in range(start[j], stop[j]):
        i = indices[at]
        s = target.weight[i] * (1.0 if len(data) == 0 else data[at])
        total[target.y[i]] += s
        for k in range(K):
            total[k] -= s * P[i, k]
    square = 0.0
    for k in range(K):
        square += total[k] * total[k]
    return math.sqrt(square)


@kernel
def best_column(columns, rows, target, model, search):
    """Return the column with the highest ‖x_jᵀA‖q_j that is not gone (−1 for none), and that score."""
    P, latest, reach = model.documents.P, search.memory[LATEST], search.memory[REACH]
    n, K = P.shape
    rest = follow_documents(rows, target.weight, P, search, (BLUR * latest / reach) ** 2 / n)
    error = 2.0 * reach * math.sqrt(rest) * (1.0 + 1e-9) + ROUNDING * latest
    enough = max(math.sqrt(sum_squares(search)) * (1.0 - TIE) - error, 0.0) ** 2
    winner, highest, total = -1, 0.0, np.empty(K)
    for j in range(len(search.squares)):
        if search.squares[j] >= enough and not search.gone[j]:
            score = exact_score(columns, target, P, j, total) * search.scale[j]
            if score > highest * (1.0 + TIE):
                winner, highest = j, score
    search.memory[LATEST] = highest
    return winner, highest


@kernel
def leave(columns, rows, feature, search):
    """Take a column out of the search: its cells become zero, and so nothing follows it any more."""
    clear_cells(columns, rows, feature)
    for k in range(search.C.shape[1]):
        search.C[feature, k] = 0.0
    search.stale[feature] = True
    search.gone[feature] = True


@kernel
def pursue_columns(columns, rows, target, ridge, model, search, precision, tol, separated, weights, records):
    """Take the best column and refit, up to once a record while the loss is above ``separated``; return how often."""
    # Weights of all steps follow each other; a record is the score squared, the objective, ‖A‖ and the intercepts.
    P, W = model.documents.P, model.words.W
    K = P.shape[1]
    written = 0
    chosen = np.empty(1, dtype=np.int32)
    for step in range(len(records)):
        winner, score = best_column(columns, rows, target, model, search)
        if winner < 0 or score <= precision:
            return step
        leave(columns, rows, winner, search)
        chosen[0] = winner
        refit(columns, target, chosen, ridge, model, tol)
        for c in range(model.counts[CHOSEN]):
            for k in range(K):
                weights[written, k] = W[c + 1, k]
            written += 1
        objective = model.sums[LOSS] + model.sums[SQUARE]
        records[step, 0], records[step, 1] = score * score, objective
        records[step, 2] = residual_length(target, P)
        for k in range(K):
            records[step, 3 + k] = W[0, k]
        if objective <= separated:
            return step + 1
    return len(records)


@kernel
def residual_length(target, P):
    """Return ‖A‖."""
    n, K = P.shape
    total = 0.0
    for i in range(n):
        square = 1.0 - 2.0 * P[i, target.y[i]]
        for k in range(K):
            square += P[i, k] * P[i, k]
        total += target.weight[i] ** 2 * max(square, 0.0)
    return math.sqrt(total)
