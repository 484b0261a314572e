"""`ArcLearner`: the weights of a parser while they are learned; memory follows what was touched."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.arcs.learning import TINY, learn_arcs_by_likelihood, learn_arcs_by_margin
from laconic.kernels.arcs.shapes import CLOCK, USED, Bases, Table, no_blocks
from laconic.kernels.arcs.tables import list_rows, move_rows, part_squares, place_rows, scale_parts
from laconic.structured.fit import RULES
from laconic.structured.parsing.extraction import Arcs
from laconic.structured.settings import WITH_COSTS
from laconic.structured.templates.intern import power_of_two

FEW_SLOTS = 1 << 8
FEW_WEIGHTS = 1 << 16
RIDGE_EVERY = 1000


class ArcLearner:
    """Weights of training trees that are being learned."""

    # ``single`` and ``projective`` say what trees are allowed in decoding, ``sums`` whether to keep what averages (or
    # AdaGrad) need, as much memory again as the weights. ``collapsed`` keeps one number for all templates of a base,
    # which is all that margins need.

    def __init__(self, arcs: Arcs, single: bool, projective: bool, sums: bool, collapsed: bool = False) -> None:
        self.arcs, self.single, self.projective, self.collapsed = arcs, single, projective, collapsed
        self.bases = arcs.program.arrays(arcs.tables, collapsed)
        self.table = empty_table(self.bases, [FEW_SLOTS] * len(self.bases.kind), FEW_WEIGHTS, sums)
        self._grow = True

    @property
    def n_rows(self) -> int:
        """Weights that have room in memory."""
        return int(self.table.used[USED])

    @property
    def rows(self) -> NDArray[np.float32]:
        """All weights, one a row."""
        return self.table.weights[: self.n_rows, None]

    def by_margin(self, order: NDArray[np.int64], rule: str, step: float = 1.0, cap: float = np.inf) -> None:
        """Go over sentences in an order with the perceptron, structured SVM or MIRA; a wrong head costs 1."""
        asked = rule in WITH_COSTS
        settings = (RULES[rule], asked, float(step), float(cap), self.single, self.projective)
        self._go(order, learn_arcs_by_margin, settings)

    def by_likelihood(self, order: NDArray[np.int64], adaptive: bool, rate: float, l2: float = 0.0) -> None:
        """Go over sentences in an order with stochastic gradient steps of the CRF loss."""
        # After every thousand sentences (k of them) comes a proximal step of the ridge, :math:`w/(1 + k\eta\lambda)`; η
        # is the step of that weight, λ is ``l2``.
        for start in range(0, len(order), RIDGE_EVERY):
            window = order[start : start + RIDGE_EVERY]
            self._go(window, learn_arcs_by_likelihood, (adaptive, np.float32(rate), self.single))
            if l2 > 0.0:
                self._shrink(adaptive, np.float32(rate * l2 * len(window)))

    def _shrink(self, adaptive: bool, size: np.float32) -> None:
        weights, sums = self.table.weights[: self.n_rows], self.table.sums[: self.n_rows]
        steps = size / np.sqrt(sums + TINY) if adaptive else size
        changes = weights / (np.float32(1.0) + steps) - weights
        weights += changes
        if not adaptive and len(sums):
            sums += np.float32(self.table.used[CLOCK] - 1) * changes

    def settle(self, average: bool) -> None:
        """Put the mean of the weights over all examples in their place, if asked, and forget what it was made of."""
        weights = self.table.weights
        if average:
            mean = self.table.sums
            mean /= np.float32(-max(self.table.used[CLOCK], 1))
            mean += weights
            weights = mean
        self.table = self.table._replace(weights=weights, sums=np.zeros(0, dtype=np.float32))

    def template_squares(self) -> NDArray[np.float64]:
        """Return the squared norm of each template's weights."""
        out = np.empty(len(self.arcs.program.templates))
        part_squares(self.bases, self.table, out)
        return out

    def scale_templates(self, factors: NDArray[np.float64]) -> None:
        """Multiply the weights of each template."""
        scale_parts(self.bases, self.table, factors.astype(np.float32))

    def drop_zeros(self) -> None:
        """Forget rows without weight, whose room is free again."""
        old = self.table
        new = empty_table(self.bases, (old.mask + 1).tolist(), len(old.weights), len(old.sums) > 0)
        move_rows(self.bases, old, new)
        new.used[CLOCK] = old.used[CLOCK]
        self.table = new

    def only_rows(self, keys: list[NDArray[np.int64]]) -> None:
        """Give rows to these keys of each base; from now on no others get any."""
        widths = self.bases.width.tolist()
        used = np.cumsum([0, *(width * len(one) for width, one in zip(widths, keys, strict=True))])
        slots = [power_of_two(4 * len(one)) for one in keys]
        self.table = empty_table(self.bases, slots, int(used[-1]), len(self.table.sums) > 0)
        for b, mine in enumerate(keys):
            place_rows(self.table, b, mine, used[b] + widths[b] * np.arange(len(mine)))
        self.table.used[USED] = used[-1]
        self._grow = False

    def _go(self, order: NDArray[np.int64], learn: Callable, settings: tuple) -> None:
        at = 0
        arcs = self.arcs
        ends = arcs.ends
        while at < len(order):
            at = learn(
                arcs.text, arcs.heads, ends, order, at, len(order), self.bases, self.table, self._grow, *settings
            )
            if at < len(order):
                self._enlarge(int(arcs.text.lengths[order[at]]))

    def _enlarge(self, n: int) -> None:
        """Make room for a sentence of n tokens with all its arcs wrong, and for others after it."""
        old, bases = self.table, self.bases
        new = 2 * n * np.where(bases.between_column >= 0, np.minimum(n, bases.between_size), 1)
        slots = old.mask + 1
        small = 4 * (old.counts + new) > slots
        while small.any():
            slots = np.where(small, 2 * slots, slots)
            small = 4 * (old.counts + new) > slots
        weights = old.weights
        needed = self.n_rows + int((new * bases.width).sum())
        if needed > len(weights):
            size = max(needed, len(weights) + len(weights) // 2)
            # in place: the old and the new array are never in memory together where the system can help it
            weights.resize(size, refcheck=False)
            if len(old.sums):
                old.sums.resize(size, refcheck=False)
        if (slots > old.mask + 1).any():
            bigger = empty_table(bases, slots.tolist(), 0, False)
            for b in range(len(slots)):
                place_rows(bigger, b, *listed_rows(old, b))
            self.table = bigger._replace(weights=weights, sums=old.sums, used=old.used)


def listed_rows(table: Table, b: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the keys of a base, and where their rows begin."""
    count = int(table.counts[b])
    keys, starts = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    list_rows(table, b, keys, starts)
    return keys, starts


def empty_table(bases: Bases, slots: list[int], n_weights: int, sums: bool) -> Table:
    """Return a table without rows, with so many slots a base (powers of two) and room for so many weights."""
    sizes = np.array(slots, dtype=np.int64)
    return Table(
        np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
        sizes - 1,
        np.zeros(int(sizes.sum()), dtype=np.uint64),
        np.zeros(int(sizes.sum()), dtype=np.uint32),
        np.zeros(len(sizes), dtype=np.int64),
        np.zeros(n_weights, dtype=np.float32),
        np.zeros(n_weights if sums else 0, dtype=np.float32),
        np.zeros(2, dtype=np.int64),
        no_blocks(len(sizes)),
    )
