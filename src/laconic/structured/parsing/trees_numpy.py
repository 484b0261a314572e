"""Best trees with numpy alone, for models that run without compiled kernels; see `laconic.kernels.arcs.trees`."""

import numpy as np
from numpy.typing import NDArray


def best_heads(scores: NDArray[np.float64], single: bool) -> NDArray[np.int64]:
    """Return the heads of the words 1, …, n in the best tree, by Chu-Liu-Edmonds."""
    matrix = scores.astype(np.float64)
    size = len(matrix)
    if size == 1:
        return np.zeros(0, dtype=np.int64)
    inner = matrix[:, 1:]
    if single:
        matrix[0, 1:] -= (inner.max() - inner.min() + 1.0) * size
    np.fill_diagonal(matrix, -np.inf)
    matrix[:, 0] = -np.inf
    heads = _arborescence(matrix)
    return np.array(heads[1:], dtype=np.int64)


def _arborescence(matrix: NDArray[np.float64]) -> list[int]:
    """Return the head of every node; node 0 is the root."""
    size = len(matrix)
    heads = [0, *matrix[:, 1:].argmax(axis=0).tolist()]
    cycle = _cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(size, dtype=np.bool_)
    inside[cycle] = True
    outer = np.flatnonzero(~inside)
    gains = matrix[[heads[v] for v in cycle], cycle]
    # What it costs to enter the cycle at each member, and from which member it is left best.
    entering = matrix[outer][:, cycle] - gains
    leaving = matrix[cycle][:, outer]
    smaller = np.full((len(outer) + 1, len(outer) + 1), -np.inf)
    smaller[:-1, :-1] = matrix[np.ix_(outer, outer)]
    smaller[:-1, -1] = entering.max(axis=1)
    smaller[-1, :-1] = leaving.max(axis=0)
    smaller[-1, 0] = -np.inf
    found = _arborescence(smaller)
    for place, node in enumerate(outer.tolist()):
        if place:
            head = found[place]
            heads[node] = int(outer[head]) if head < len(outer) else cycle[int(leaving[:, place].argmax())]
    entrance = found[-1]
    heads[cycle[int(entering[entrance].argmax())]] = int(outer[entrance])
    return heads


def _cycle(heads: list[int]) -> list[int]:
    state = [0] * len(heads)
    state[0] = 2
    for first in range(1, len(heads)):
        path = []
        at = first
        while state[at] == 0:
            state[at] = 1
            path.append(at)
            at = heads[at]
        if state[at] == 1:
            return path[path.index(at) :]
        for one in path:
            state[one] = 2
    return []


def best_projective_heads(scores: NDArray[np.float64], single: bool) -> NDArray[np.int64]:
    """Return the heads of the words 1, …, n in the best projective tree, by Eisner's algorithm."""
    size = len(scores)
    whole = np.zeros((2, size, size))  # 0: the head is the last of the span, 1: the first
    part = np.zeros((2, size, size))
    whole_at = np.zeros((2, size, size), dtype=np.int64)
    part_at = np.zeros((size, size), dtype=np.int64)
    for width in range(1, size):
        for s in range(size - width):
            t = s + width
            joined = whole[1, s, s:t] + whole[0, s + 1 : t + 1, t]
            at = int(joined.argmax())
            part_at[s, t] = s + at
            part[0, s, t] = joined[at] + (scores[t, s] if s else -np.inf)
            part[1, s, t] = joined[at] + scores[s, t]
            left = whole[0, s, s:t] + part[0, s:t, t]
            right = part[1, s, s + 1 : t + 1] + whole[1, s + 1 : t + 1, t]
            whole_at[:, s, t] = s + left.argmax(), s + 1 + right.argmax()
            whole[:, s, t] = left.max(), right.max()
    heads = np.zeros(size, dtype=np.int64)
    n = size - 1
    todo = [(0, n, 1, True)]
    if single and n:
        root = 1 + int((whole[0, 1, 1:] + whole[1, 1:, n] + scores[0, 1:]).argmax())
        todo = [(1, root, 0, True), (root, n, 1, True)]
    while todo:
        s, t, way, full = todo.pop()
        if s == t:
            continue
        if full:
            r = int(whole_at[way, s, t])
            todo += [(s, r, 0, True), (r, t, 0, False)] if way == 0 else [(s, r, 1, False), (r, t, 1, True)]
        else:
            heads[s if way == 0 else t] = t if way == 0 else s
            r = int(part_at[s, t])
            todo += [(s, r, 1, True), (r + 1, t, 0, True)]
    return heads[1:]
