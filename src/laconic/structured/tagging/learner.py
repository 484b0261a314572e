"""`Learner`: the weights of a tagger while they are learned, with memory that follows what was touched."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from laconic.kernels.chains.crf import learn_by_likelihood
from laconic.kernels.chains.tagging import CLOCK, USED, Weights, learn_by_margin, mark_observed
from laconic.structured.fit import RULES, TINY
from laconic.structured.settings import WITH_COSTS
from laconic.structured.tagging.extraction import Extracted

FEW = 1 << 12


class Learner:
    """Weights that are being learned, of the features of training sentences and the labels of all their tokens."""

    # ``costs`` says what a wrong token costs, by its label; ``damping`` is where AdaGrad's sums begin.

    def __init__(
        self, extracted: Extracted, tags: NDArray[np.int64], costs: NDArray[np.float32], damping: float = 0.0
    ) -> None:
        self.extracted, self.tags, self.costs = extracted, tags, costs
        self.n_labels = n_labels = len(costs)
        self._damping = np.float32(max(damping, TINY))  # a slope of exactly 0 must not be divided by 0
        lengths = extracted.text.lengths
        self.token_starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
        self.weights = Weights(
            row_of=np.full(extracted.n_features, -1, dtype=np.int32),
            rows=np.zeros((0, n_labels), dtype=np.float32),
            sums=np.zeros((0, n_labels), dtype=np.float32),
            feature_of=np.zeros(0, dtype=np.int64),
            seen=np.zeros((0, n_labels), dtype=np.int32),
            allowed=np.zeros((0, n_labels), dtype=np.bool_),
            transitions=np.zeros((n_labels + 1, n_labels), dtype=np.float32),
            transition_sums=np.zeros((n_labels + 1, n_labels), dtype=np.float32),
            counts=np.zeros(2, dtype=np.int64),
        )
        self._growing = ["rows", "sums", "feature_of"]
        longest = int(lengths.max()) if len(lengths) else 1
        self._least = longest * len(extracted.program.templates)
        self._reserve(FEW)

    @property
    def n_rows(self) -> int:
        """Features that have weights."""
        return int(self.weights.counts[USED])

    @property
    def rows(self) -> NDArray[np.float32]:
        """The weights in use, one row a feature."""
        return self.weights.rows[: self.n_rows]

    @property
    def features(self) -> NDArray[np.int64]:
        """The feature number of each row."""
        return self.weights.feature_of[: self.n_rows]

    @property
    def transitions(self) -> NDArray[np.float32]:
        """Weights of pairs of labels; the last row is for the first label of a sentence."""
        return self.weights.transitions

    def by_margin(self, order: NDArray[np.int64], rule: str, step: float = 1.0, cap: float = np.inf) -> None:
        """Go over sentences in an order with the perceptron, structured SVM or MIRA; see `learn_by_margin`."""
        asked = self.costs if rule in WITH_COSTS else np.zeros_like(self.costs)
        self._go(order, learn_by_margin, (asked, RULES[rule], float(step), float(cap)))

    def by_likelihood(self, order: NDArray[np.int64], adaptive: bool, rate: float, l2: float) -> None:
        """Go over sentences in an order with stochastic gradient steps of the CRF loss; see `learn_by_likelihood`."""
        if l2 > 0.0 and "seen" not in self._growing:
            self._growing.append("seen")
            self._reserve(len(self.weights.rows))
        self._go(order, learn_by_likelihood, (self.costs, adaptive, np.float32(rate), np.float32(l2), self._damping))

    def averaged(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the mean of the weights over all examples seen, features and transitions."""
        seen = np.float32(max(self.weights.counts[CLOCK], 1))
        sums = self.weights.sums[: self.n_rows]
        return self.rows - sums / seen, self.transitions - self.weights.transition_sums / seen

    def template_squares(self) -> NDArray[np.float64]:
        """Return the squared norm of each template's weights."""
        squares = np.einsum("ij,ij->i", self.rows, self.rows)
        n_templates = len(self.extracted.program.templates)
        return np.bincount(self._template_of(), weights=squares, minlength=n_templates).astype(np.float64)

    def scale_templates(self, factors: NDArray[np.float64]) -> None:
        """Multiply the weights of each template."""
        rows = self.rows
        rows *= factors[self._template_of()][:, None].astype(np.float32)

    def drop_zeros(self) -> None:
        """Forget rows without weight, whose room is free again."""
        used, keep = self.n_rows, np.flatnonzero(self.rows.any(axis=1))
        weights = self.weights
        weights.row_of[weights.feature_of[:used]] = -1
        for name in self._growing:
            array = getattr(weights, name)
            array[: len(keep)] = array[keep]
            array[len(keep) : used] = 0
        weights.counts[USED] = len(keep)
        weights.row_of[self.features] = np.arange(len(keep), dtype=np.int32)

    def observe(self) -> None:
        """Give a weight of 1 to every pair of feature and label that occurs in the training sentences."""
        text = self.extracted.text
        self._reserve(self.extracted.n_features)
        mark_observed(text, self.tags, self.token_starts, self.weights)

    def give_rows(self) -> None:
        """Give every feature a row, unless weights are frozen."""
        if len(self.weights.allowed):
            return
        missing = np.flatnonzero(self.weights.row_of < 0)
        used = self.n_rows
        self._reserve(self.extracted.n_features)
        self.weights.feature_of[used:] = missing
        self.weights.row_of[missing] = np.arange(used, used + len(missing), dtype=np.int32)
        self.weights.counts[USED] = used + len(missing)

    def freeze(self, allowed: NDArray[np.bool_] | None = None) -> None:
        """Set all weights to zero and let only some change: those ``allowed``, one row a feature, or the nonzero."""
        flags = self.rows != 0.0 if allowed is None else allowed
        spare = np.zeros((len(self.weights.rows) - len(flags), self.n_labels), dtype=np.bool_)
        self.weights = self.weights._replace(allowed=np.concatenate([flags, spare]))
        for name in ("rows", "sums", "transitions", "transition_sums", "seen"):
            getattr(self.weights, name)[:] = 0
        self.weights.counts[CLOCK] = 0

    def start_from(self, features: NDArray[np.int64], rows: NDArray[np.float32], transitions: NDArray) -> None:
        """Begin with given weights for some features."""
        self._reserve(len(features) + FEW)
        weights = self.weights
        weights.rows[: len(features)] = rows
        weights.feature_of[: len(features)] = features
        weights.row_of[features] = np.arange(len(features), dtype=np.int32)
        weights.counts[USED] = len(features)
        weights.transitions[:] = transitions

    def _template_of(self) -> NDArray[np.int64]:
        return np.searchsorted(self.extracted.text.base, self.features, side="right") - 1

    def _go(self, order: NDArray[np.int64], learn: Callable, settings: tuple) -> None:
        at = 0
        while at < len(order):
            at = learn(
                self.extracted.text, self.tags, self.token_starts, order, at, len(order), self.weights, *settings
            )
            if at < len(order):
                self._reserve(2 * len(self.weights.rows))

    def _reserve(self, size: int) -> None:
        size = min(max(size, self.n_rows + self._least), len(self.weights.row_of))
        for name in self._growing:
            array = getattr(self.weights, name)
            # in place: the old and the new array are never in memory together where the system can help it
            array.resize((size, *array.shape[1:]), refcheck=False)
