"""Scores and best tags by the compiled kernels."""

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.chains.tagging import decode_all, marginals_all, n_best_paths, score_sentence
from laconic.structured.tagging.extraction import Finder
from laconic.structured.tagging.model import ChainModel

NOTHING_GIVEN = np.zeros(0, dtype=np.int64)


class CompiledScorer:
    """A tagger made ready for the kernels."""

    def __init__(self, model: ChainModel) -> None:
        self.model = model
        self.finder = Finder(model.program, model.tables, model.grams)

    def best(self, sentences: Sentences, given: NDArray[np.int64] = NOTHING_GIVEN) -> NDArray[np.int64]:
        """Return the best labels of all tokens; ``given`` has a label or −1 for each, or is empty."""
        out = np.empty(sentences.n_tokens, dtype=np.int64)
        model = self.model
        decode_all(self.finder.text(sentences), model.row_of, model.rows, model.transitions, given, out)
        return out

    def marginals(self, sentences: Sentences) -> NDArray[np.float32]:
        """Return the probability of each label at each token."""
        out = np.empty((sentences.n_tokens, len(self.model.labels)), dtype=np.float32)
        model = self.model
        marginals_all(self.finder.text(sentences), model.row_of, model.rows, model.transitions, out)
        return out

    def n_best(self, sentences: Sentences, size: int) -> list[list[tuple[list[int], float]]]:
        """Return for each sentence its best label sequences with their scores, best first."""
        text, model = self.finder.text(sentences), self.model
        answer: list[list[tuple[list[int], float]]] = []
        for s, n in enumerate(sentences.lengths.tolist()):
            if n == 0:
                answer.append([([], 0.0)])
                continue
            scores = np.empty((n, len(model.labels)), dtype=np.float32)
            score_sentence(text, model.row_of, model.rows, s, scores)
            paths, totals = np.empty((size, n), dtype=np.int64), np.empty(size, dtype=np.float32)
            found = n_best_paths(scores, model.transitions, paths, totals)
            answer.append(list(zip(paths[:found].tolist(), totals[:found].tolist(), strict=True)))
        return answer
