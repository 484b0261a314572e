"""Best dependency trees. ``scores[h, m]`` is what the arc from head h to word m adds; 0 is the root, words begin at 1.

`best_tree` finds the best tree of all (Chu-Liu-Edmonds in the dense form of Tarjan, O(n²)), `best_projective_tree` the
best without crossing arcs (Eisner, O(n³)). With ``single`` exactly one word hangs on the root. The heads are written
into ``heads``, of length n + 1; ``heads[0]`` is 0.
"""

import numpy as np

from laconic.kernels._compile import kernel

LEFT, RIGHT = range(2)
LOWEST = -np.inf


@kernel
def best_tree(scores, n, single, heads):
    """Write the heads of the best tree; of equal ones the choice is always the same."""
    size = n + 1
    best = np.empty((size, size))  # best[u, v] of supernodes, u above v; loses what v already has
    source = np.empty((size, size), dtype=np.int32)
    target = np.empty((size, size), dtype=np.int32)
    low, high = np.inf, LOWEST
    for h in range(size):
        for m in range(1, size):
            best[h, m] = scores[h, m]
            source[h, m] = h
            target[h, m] = m
            if h != m:
                low, high = min(low, best[h, m]), max(high, best[h, m])
    if single:
        # An arc of the root costs more than all others together could make good, so that there is one and no more.
        fine = (high - low + 1.0) * size
        for m in range(1, size):
            best[0, m] -= fine
    alive = np.ones(size, dtype=np.bool_)
    state = np.zeros(size, dtype=np.int8)  # 0 not seen, 1 on the path, 2 connected to the root
    state[0] = 2
    node = np.arange(size)  # supernodes are numbered on, in the order of their making
    above = np.full(2 * size, -1, dtype=np.int64)
    in_source = np.zeros(2 * size, dtype=np.int64)
    in_target = np.zeros(2 * size, dtype=np.int64)
    gain = np.zeros(size)
    path = np.empty(size, dtype=np.int64)
    total = size
    for first in range(1, size):
        if not alive[first] or state[first] != 0:
            continue
        depth = 1
        path[0] = first
        state[first] = 1
        while depth > 0:
            v = path[depth - 1]
            u = -1
            for x in range(size):
                if alive[x] and x != v and (u < 0 or best[x, v] > best[u, v]):
                    u = x
            in_source[node[v]], in_target[node[v]] = source[u, v], target[u, v]
            gain[v] = best[u, v]
            if state[u] == 2:
                while depth > 0:
                    depth -= 1
                    state[path[depth]] = 2
            elif state[u] == 0:
                state[u] = 1
                path[depth] = u
                depth += 1
            else:
                begin = depth - 1
                while path[begin] != u:
                    begin -= 1
                _contract(path, begin, depth, best, source, target, gain, alive)
                for at in range(begin, depth):
                    above[node[path[at]]] = total
                node[u] = total
                total += 1
                depth = begin + 1
    _expand(total, above, in_source, in_target, heads)


@kernel
def _contract(path, begin, depth, best, source, target, gain, alive):
    """Make one supernode of a cycle, ``path[begin:depth]``; its first member stands for it."""
    kept = path[begin]
    for at in range(begin + 1, depth):
        alive[path[at]] = False
    for x in range(len(alive)):
        if not alive[x] or x == kept:
            continue
        best[x, kept] -= gain[kept]
        for at in range(begin + 1, depth):
            c = path[at]
            if best[x, c] - gain[c] > best[x, kept]:
                best[x, kept] = best[x, c] - gain[c]
                source[x, kept], target[x, kept] = source[x, c], target[x, c]
            if x > 0 and best[c, x] > best[kept, x]:
                best[kept, x] = best[c, x]
                source[kept, x], target[kept, x] = source[c, x], target[c, x]


@kernel
def _expand(total, above, in_source, in_target, heads):
    """Take supernodes apart, the last first: the arc that enters one replaces the arc of the member it enters at."""
    settled = np.zeros(total, dtype=np.bool_)
    settled[0] = True
    heads[0] = 0
    for node in range(total - 1, 0, -1):
        if settled[node]:
            continue
        member = in_target[node]
        heads[member] = in_source[node]
        while member != node:
            settled[member] = True
            member = above[member]


@kernel
def best_projective_tree(scores, n, single, heads):
    """Write the heads of the best projective tree."""
    size = n + 1
    first = 1 if single else 0
    # [s, t, d]: spans whose head is t (LEFT) or s (RIGHT); complete ones reach as far as the head's arcs do
    whole = np.zeros((size, size, 2))
    part = np.zeros((size, size, 2))
    whole_at = np.zeros((size, size, 2), dtype=np.int32)
    part_at = np.zeros((size, size), dtype=np.int32)
    for width in range(1, size - first):
        for s in range(first, size - width):
            t = s + width
            top, at = LOWEST, s
            for r in range(s, t):
                value = whole[s, r, RIGHT] + whole[r + 1, t, LEFT]
                if value > top:
                    top, at = value, r
            part_at[s, t] = at
            part[s, t, LEFT] = top + (scores[t, s] if s > 0 else LOWEST)
            part[s, t, RIGHT] = top + scores[s, t]
            top, at = LOWEST, s
            for r in range(s, t):
                value = whole[s, r, LEFT] + part[r, t, LEFT]
                if value > top:
                    top, at = value, r
            whole[s, t, LEFT], whole_at[s, t, LEFT] = top, at
            top, at = LOWEST, t
            for r in range(s + 1, t + 1):
                value = part[s, r, RIGHT] + whole[r, t, RIGHT]
                if value > top:
                    top, at = value, r
            whole[s, t, RIGHT], whole_at[s, t, RIGHT] = top, at
    heads[0] = 0
    stack = np.empty((4 * size + 4, 4), dtype=np.int64)  # s, t, direction, whole or part
    stack[0] = np.array([0, n, RIGHT, 1])
    depth = 1
    if single:
        top, root = LOWEST, 1
        for r in range(1, size):
            value = whole[1, r, LEFT] + whole[r, n, RIGHT] + scores[0, r]
            if value > top:
                top, root = value, r
        heads[root] = 0
        stack[0] = np.array([1, root, LEFT, 1])
        stack[1] = np.array([root, n, RIGHT, 1])
        depth = 2
    while depth > 0:
        depth -= 1
        s, t, way, full = stack[depth]
        if s == t:
            continue
        if full:
            r = whole_at[s, t, way]
            if way == LEFT:
                stack[depth] = np.array([s, r, LEFT, 1])
                stack[depth + 1] = np.array([r, t, LEFT, 0])
            else:
                stack[depth] = np.array([s, r, RIGHT, 0])
                stack[depth + 1] = np.array([r, t, RIGHT, 1])
        else:
            if way == LEFT:
                heads[s] = t
            else:
                heads[t] = s
            r = part_at[s, t]
            stack[depth] = np.array([s, r, RIGHT, 1])
            stack[depth + 1] = np.array([r + 1, t, LEFT, 1])
        depth += 2


@kernel
def add_costs(scores, n, right):
    """Add 1 to every arc that is not of the tree ``right``: decoding then finds the tree that violates most."""
    for h in range(n + 1):
        for m in range(1, n + 1):
            if right[m] != h:
                scores[h, m] += 1.0


@kernel
def tree_score(scores, n, heads):
    """Return the sum of the scores of a tree's arcs."""
    total = 0.0
    for m in range(1, n + 1):
        total += scores[heads[m], m]
    return total


@kernel
def arc_marginals(scores, n, single, marginals):
    """Write P(h → m) under P(tree) ∝ exp(score) into ``marginals`` and return log Z, by the matrix-tree theorem."""
    # Z is the determinant of the words' Laplacian of e^{s_hm}; for a single root its first row has the root's arcs.
    laplacian = np.zeros((n, n))
    weights = np.zeros((n + 1, n + 1))
    log_z = 0.0
    for m in range(1, n + 1):
        top = scores[0, m]
        for h in range(1, n + 1):
            if h != m:
                top = max(top, scores[h, m])
        log_z += top
        for h in range(n + 1):
            if h != m:
                weights[h, m] = np.exp(scores[h, m] - top)
                if h > 0:
                    laplacian[h - 1, m - 1] = -weights[h, m]
                if h > 0 or not single:
                    laplacian[m - 1, m - 1] += weights[h, m]
    if single:
        for m in range(n):
            laplacian[0, m] = weights[0, m + 1]
    log_z += np.linalg.slogdet(laplacian)[1]
    inverse = np.linalg.inv(laplacian)
    for m in range(1, n + 1):
        if single:
            marginals[0, m] = weights[0, m] * inverse[m - 1, 0]
        else:
            marginals[0, m] = weights[0, m] * inverse[m - 1, m - 1]
        for h in range(1, n + 1):
            if h == m:
                marginals[h, m] = 0.0
                continue
            value = 0.0
            if not single or m > 1:
                value += inverse[m - 1, m - 1]
            if not single or h > 1:
                value -= inverse[m - 1, h - 1]
            marginals[h, m] = weights[h, m] * value
    for h in range(n + 1):
        marginals[h, 0] = 0.0
    return log_z
