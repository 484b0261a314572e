r"""The search of a greedy pursuit for the best atom, and the whole pursuit where atoms are single columns.

Atoms are groups of columns, ``members[ends[a]:ends[a + 1]]``; their score is :math:`\sqrt{\sum_j (x_j^\top R)^2 q_j^2}`
over the members not yet chosen, times a power of their number, with one scale q a column. As a function of the
residual R it changes by at most a constant times the length of the change: from one step to the next only the documents
whose residual moved much are followed exactly, and only the few atoms that may win are looked at in full.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laconic.kernels._compile import kernel
from laconic.kernels.linear.columns import dot
from laconic.kernels.linear.refit import CHOSEN, INTERCEPT, LOSS, SQUARE, refit

BLOCK = 64
BLUR = 0.02  # error of the scores, as a share of the last best one, that is left to the second look
TIE = 1e-10
ROUNDING = 1e-9  # of what follows the residual for thousands of steps, against the last best score
LATEST, REACH = range(2)


class Search(NamedTuple):
    """Where the search stands: ``C`` is q_j x_jᵀα of ``near``, ``memory`` the last best score and longest column."""

    C: NDArray[np.float64]
    near: NDArray[np.float64]
    gone: NDArray[np.bool_]
    scale: NDArray[np.float64]
    tops: NDArray[np.float64]
    memory: NDArray[np.float64]


@kernel
def follow_rows(data, indices, ends, which, change, C):
    """Add the rows ``which`` of a matrix times the rows of ``change`` to ``C``: XᵀR follows R on some documents."""
    n_outputs = C.shape[1]
    unit = len(data) == 0
    for at in range(len(which)):
        i = which[at]
        for p in range(ends[i], ends[i + 1]):
            x = 1.0 if unit else data[p]
            for k in range(n_outputs):
                C[indices[p], k] += x * change[at, k]


@kernel
def score_atoms(squares, members, ends, gone, power, out):
    """Write every atom's score, the root of its members' ``squares`` times |G|^power, to ``out``; −1 for none."""
    for a in range(len(ends) - 1):
        total, count = 0.0, 0
        for at in range(ends[a], ends[a + 1]):
            j = members[at]
            if not gone[j]:
                count += 1
                total += squares[j]
        # Most atoms are single columns, and a power is the dearest part of a score.
        if count == 0:
            out[a] = -1.0
        else:
            out[a] = math.sqrt(total) if count == 1 else math.sqrt(total) * count**power


@kernel
def highest_in_blocks(C, tops):
    """Write the largest |C_j| of every block into ``tops``; return the largest of all."""
    highest = 0.0
    for block in range(len(tops)):
        j = block * BLOCK
        last = min(j + BLOCK, len(C))
        # One maximum would wait for its own last comparison.
        t0, t1, t2, t3 = 0.0, 0.0, 0.0, 0.0
        while j + 4 <= last:
            t0 = max(t0, abs(C[j]))
            t1 = max(t1, abs(C[j + 1]))
            t2 = max(t2, abs(C[j + 2]))
            t3 = max(t3, abs(C[j + 3]))
            j += 4
        while j < last:
            t0 = max(t0, abs(C[j]))
            j += 1
        tops[block] = max(max(t0, t1), max(t2, t3))
        highest = max(highest, tops[block])
    return highest


@kernel
def best_column(columns, rows, weight, model, search):
    """Return the column with the highest |x_jᵀα|q_j that is not gone (−1 for none), and that score."""
    # ``search.C`` follows Xᵀα up to an error that documents not followed bound; columns that may win are looked at
    # again.
    data, indices, start, stop = columns
    values, numbers, ends = rows
    C, near, gone, alpha, reach = search.C, search.near, search.gone, model.documents.alpha, search.memory[REACH]
    latest = search.memory[LATEST]
    n = len(alpha)
    limit, rest = (BLUR * latest / reach) ** 2 / n, 0.0
    for i in range(n):
        change = alpha[i] - near[i]
        square = change * change / weight[i]
        if square > limit:
            near[i] = alpha[i]
            for at in range(ends[i], ends[i + 1]):
                C[numbers[at]] += values[at] * change
        else:
            rest += square
    error = 2.0 * reach * math.sqrt(rest) * (1.0 + 1e-9) + ROUNDING * latest
    enough = highest_in_blocks(C, search.tops) * (1.0 - TIE) - error
    winner, highest = -1, 0.0
    for block in range(len(search.tops)):
        if search.tops[block] < enough:
            continue
        for j in range(block * BLOCK, min((block + 1) * BLOCK, len(C))):
            if abs(C[j]) >= enough and not gone[j]:
                score = abs(dot(data, indices, start[j], stop[j], alpha)) * search.scale[j]
                if score > highest * (1.0 + TIE):
                    winner, highest = j, score
    search.memory[LATEST] = highest
    return winner, highest


@kernel
def clear_cells(columns, rows, feature):
    """Make the cells of a column zero in the rows."""
    _, indices, start, stop = columns
    values, numbers, ends = rows
    for at in range(start[feature], stop[feature]):
        i = indices[at]
        low, high = ends[i], ends[i + 1]
        while low < high:
            middle = (low + high) // 2
            if numbers[middle] < feature:
                low = middle + 1
            else:
                high = middle
        values[low] = 0.0


@kernel
def leave(columns, rows, feature, search):
    """Take a column out of the search: its cells become zero, and so nothing follows it any more."""
    clear_cells(columns, rows, feature)
    search.C[feature] = 0.0
    search.gone[feature] = True


@kernel
def pursue_columns(columns, rows, target, ridge, model, search, precision, tol, separated, weights, records):
    """Take the best column and refit, up to once a record while the loss is above ``separated``; return how often."""
    # Weights of all steps follow each other; a record is the score squared, the objective, ‖α‖ and the intercept.
    written = 0
    chosen = np.empty(1, dtype=np.int32)
    for step in range(len(records)):
        winner, score = best_column(columns, rows, target.weight, model, search)
        if winner < 0 or score <= precision:
            return step
        leave(columns, rows, winner, search)
        chosen[0] = winner
        refit(columns, target, chosen, ridge, model, tol)
        k = model.counts[CHOSEN]
        for c in range(k):
            weights[written + c] = model.words.w[c]
        written += k
        records[step, 0] = score * score
        records[step, 1] = model.sums[LOSS] + model.sums[SQUARE]
        square = 0.0
        for i in range(len(model.documents.alpha)):
            square += model.documents.alpha[i] * model.documents.alpha[i]
        records[step, 2] = math.sqrt(square)
        records[step, 3] = model.sums[INTERCEPT]
        if model.sums[LOSS] + model.sums[SQUARE] <= separated:
            return step + 1
    return len(records)
