"""`DependencyParser`: tagged sentences in, trees out."""

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from laconic.data.annotated.sentences import Sentences
from laconic.structured.estimator import SentenceEstimator
from laconic.structured.fit import Fitted, Progress
from laconic.structured.parsing.explain import ArcExplanation
from laconic.structured.parsing.fit import fit_parser
from laconic.structured.parsing.model import ArcModel
from laconic.structured.parsing.score_numba import CompiledParser
from laconic.structured.parsing.scorer import ParseScorer, as_lists, name_arcs
from laconic.structured.scores import AttachmentScores, score_trees
from laconic.structured.settings import ParserSettings
from laconic.structured.tagging.score_numba import CompiledScorer

LONG = 1000


class DependencyParser(SentenceEstimator, ParserSettings):
    r"""Find the head of every word of tagged sentences, with an arc-factored linear model on few feature templates.

    The tree is :math:`\arg\max_y \sum_{(h, m) \in y} \theta\cdot\phi(x, h, m)` over all trees, crossing arcs included.
    With a ``budget``, templates are selected first, as by `SequenceTagger`. Relations are named in a second stage, by a
    linear chain over the words that sees the tree.

    Sentences must bring tags, in the column ``pos`` (and finer ones in ``xpos`` if there are any); ``lemma`` and
    ``feats`` are used if they are there.

    Parameters
    ----------
    templates : str or list of str, default="arcs"
        Names of sets (``laconic.structured.arc_sets()``) and templates such as ``"head.word & mod.pos"``.
    budget : int, optional
        Templates to keep (for ``lasso``: weights). Default: all, in one stage.
    loss : {"mira", "mira-1best", "perceptron", "svm", "crf"}
        Loss used to train the final weights. ``mira`` and ``svm`` decode with the cost of wrong heads added.
    passes : int, default=10
        Number of training epochs.
    projective : bool, default=False
        Allow no crossing arcs.
    single_root : bool, optional
        Whether exactly one word hangs on the root; default: as in the training sentences.
    relations : bool, default=True
        Learn to name relations, if the trees have any.
    optimizer : {"adagrad", "sgd"}
    refit : {"free", "frozen"}
    selection : {"group-lasso", "coarse-to-fine", "lasso", "information-gain"}
        How templates are selected. Information gain is that of a template about whether an arc is right.
    group_weights : {"log2", "one"} or dict
        d_m of each template: max(1, log₂ of the number of its values on training arcs), 1, or template to number.
    rate, l2, cap, average, selection_loss, selection_passes, every, shuffles, random_state
        See `SequenceTagger`.

    Attributes
    ----------
    model_ : ArcModel
    templates_ : tuple of str
        Those that were kept.
    strengths_ : dict
        Template to its strength in the selection, strongest first.
    memory_ : list of int
        Most weights in memory, in each epoch.

    Examples
    --------
    >>> X = [[{"word": "We", "pos": "PRON"}, {"word": "sang", "pos": "VERB"}, {"word": "songs", "pos": "NOUN"}]]
    >>> y = [[(2, "subj"), (0, "root"), (2, "obj")]]
    >>> parser = DependencyParser(templates="small", passes=2).fit(X, y)
    >>> parser.predict(X)
    [[(2, 'subj'), (0, 'root'), (2, 'obj')]]
    """

    _settings_class = ParserSettings

    def fit(self, X: Any, y: Any, progress: Progress | None = None) -> Self:
        """Learn from trees.

        Parameters
        ----------
        X : list
            One element per sentence: a list of dicts such as ``{"word": …, "pos": …}``, or a dict of columns; or
            `Sentences`.
        y : list of lists
            For each sentence the heads of its words, counted from 1, with 0 for the root; or pairs (head, relation).
        progress : callable, optional
            Called after each epoch with the epochs done, their total, and the name of the stage.
        """
        return super().fit(X, y, progress)

    def predict(self, X: Any) -> list[list]:
        """Return for each sentence the heads of its words, or (head, relation) if the model names relations.

        Parameters
        ----------
        X : list
        """
        check_is_fitted(self)
        sentences = Sentences.of(X)
        heads, relations = self.parse(sentences)
        return as_lists(sentences, heads, relations)

    def parse(self, sentences: Sentences) -> tuple[NDArray[np.int64], list[str] | None]:
        """Return heads and relations of all words, sentences one after another."""
        check_is_fitted(self)
        if not sentences.n_tokens:
            return np.zeros(0, dtype=np.int64), None if self._namer is None else []
        say_if_long(sentences)
        heads = self._parser.heads(sentences)
        if self._namer is None:
            return heads, None
        return heads, name_arcs(self._namer, self.model_, sentences, heads)

    def predict_marginals(self, X: Any) -> list[NDArray[np.float64]]:
        """Return for each sentence the probability of each arc: entry (h, m), row 0 is the root, column 0 is not used.

        They are probabilities of the model, well calibrated only if it was learned with the CRF loss.
        """
        check_is_fitted(self)
        sentences = Sentences.of(X)
        if not sentences.n_tokens:
            return [np.zeros((1, 1)) for _ in range(len(sentences))]
        return self._parser.marginals(sentences)

    def explain(self, sentence: Any) -> list[ArcExplanation]:
        """Return for each word of one sentence its head, the runner-up, and the features that decided."""
        return self.to_scorer().explain(sentence)

    def evaluate(self, X: Any, y: Any) -> AttachmentScores:
        """Return the shares of words that get the right head, and the right relation too if both sides name them."""
        sentences = Sentences.of(X)
        heads, relations = read_arcs(y, sentences)
        found, named = self.parse(sentences)
        return score_trees(sentences, heads, found, relations, named)

    def score(self, X: Any, y: Any) -> float:
        """Return the share of words, punctuation left out, that get the right head."""
        return self.evaluate(X, y).words.uas

    def to_scorer(self) -> ParseScorer:
        """Return the light scorer, as `laconic.load` does for a saved model."""
        check_is_fitted(self)
        return ParseScorer(self.model_, self._made())

    def _learn(self, sentences: Sentences, y: Any, settings: ParserSettings, progress: Progress | None) -> Fitted:
        return fit_parser(sentences, *read_arcs(y, sentences), settings, progress)

    def _take(self, fitted: Fitted[ArcModel]) -> None:
        super()._take(fitted)
        self._parser = CompiledParser(fitted.model)
        self._namer = None if fitted.model.relations is None else CompiledScorer(fitted.model.relations)


def read_arcs(y: Any, sentences: Sentences) -> tuple[NDArray[np.int64], list[str] | None]:
    """Return the heads of all words, and their relations if there are any; refuse what does not fit the sentences."""
    found = list(y)
    if len(found) != len(sentences):
        raise ValueError(f"There are {len(sentences)} sentences but trees for {len(found)}.")
    for number, (tree, length) in enumerate(zip(found, sentences.lengths.tolist(), strict=True)):
        if len(tree) != length:
            raise ValueError(f"Sentence {number} has {length} words, but its tree has {len(tree)} heads.")
    flat = [arc for tree in found for arc in tree]
    pairs = [isinstance(arc, Sequence) and not isinstance(arc, str) and len(arc) == 2 for arc in flat]
    heads = [arc[0] if pair else arc for arc, pair in zip(flat, pairs, strict=True)]
    odd = next((head for head in heads if isinstance(head, bool) or not hasattr(head, "__index__")), None)
    if odd is not None:
        raise TypeError(f"A head is {odd!r}; it must be the number of a word, from 1, or 0 for the root.")
    if any(pairs) and not all(pairs):
        raise ValueError("Some words have a relation and others have none; give (head, relation) for all, or heads.")
    return np.array(heads, dtype=np.int64), [str(arc[1]) for arc in flat] if flat and all(pairs) else None


def say_if_long(sentences: Sentences) -> None:
    """Warn that a very long sentence costs time and memory with the square of its length."""
    longest = int(sentences.lengths.max(initial=0))
    if longest > LONG:
        warnings.warn(
            f"A sentence of {sentences.source} has {longest:,} tokens: its {longest**2 / 1e6:.1f} million possible "
            f"arcs take about {40 * longest**2 / 1e6:.0f} MB and as long as {longest**2 // 400:,} sentences of 20; "
            "split it if it is not one.",
            stacklevel=3,
        )
