"""`SequenceTagger`: sentences in, tags out."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from laconic.data.annotated.sentences import Sentences, flat_tags
from laconic.data.annotated.tags import guess_scheme
from laconic.structured.estimator import SentenceEstimator
from laconic.structured.fit import Fitted, Progress
from laconic.structured.tagging.explain import TokenExplanation
from laconic.structured.tagging.fit import fit_chain
from laconic.structured.tagging.folder import KIND, chain_facts, chain_parts
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.score_numba import NOTHING_GIVEN, CompiledScorer
from laconic.structured.tagging.scorer import TagScorer
from laconic.structured.tagging.scores import TagScores, score_tags
from laconic.structured.tagging.settings import TaggerSettings
from laconic.structured.tagging.summary import transition_table


class SequenceTagger(SentenceEstimator, TaggerSettings):
    r"""Tag every token of a sentence with a linear chain model, on few feature templates.

    The best tags are :math:`\arg\max_y \sum_i \theta\cdot\phi(x, i, y_{i-1}, y_i)`: every template, with what it finds
    around token i, is conjoined with the tag there, and neighbouring tags have weights of their own. With a ``budget``
    B, online proximal gradient steps with the penalty :math:`\sum_m d_m\|\theta_m\|_2` over templates choose B of them
    first (the sparseptron of Martins et al., 2011); then the model is learned again on these, without penalty.

    Parameters
    ----------
    templates : str or list of str, default="minimal"
        Names of sets (``laconic.structured.template_sets()``) and templates such as ``"word[-1] & pos[0]"``.
    budget : int, optional
        Templates to keep (for the penalties ``labels`` and ``lasso``: features, weights). Default: all, in one stage.
    loss : {"crf", "svm", "perceptron", "mira", "mira-1best"}
        Of the (re)fit. ``mira`` decodes with the cost of wrong tokens added, ``mira-1best`` without.
    passes : int, default=5
        Over the training sentences, in the (re)fit; for ``lbfgs`` iterations at most.
    optimizer : {"adagrad", "sgd", "lbfgs"}
        Of the CRF loss.
    rate : float, default=0.1
        Size of stochastic gradient steps; for ``sgd`` and ``svm`` divided by the square root of the pass.
    l2 : float, default=0.05
        λ₂ of the CRF loss, on losses summed over sentences.
    damping : float, default=0.0
        Where AdaGrad's sums of squared slopes start. Its step is ``rate`` times the slope over the root of the sum, so
        that without damping the first step on a weight is ``rate`` long, however small the slope; with 1 it is at most
        ``rate`` times the slope, and rare features learn with care.
    cap : float, optional
        Largest step of MIRA, its C: the smaller, the stronger the L2 regularization it stands for.
    average : bool, default=True
        Average the weights over all steps (not for AdaGrad and L-BFGS).
    refit : {"free", "observed", "frozen"}
        Which weights the (re)fit may use: any of the templates left; pairs of feature and label that occur in the
        training sentences; those that survived the selection.
    selection : str, default="group-lasso"
        How templates are chosen. Online proximal steps: ``"group-lasso"``, one group a template; ``"coarse-to-fine"``,
        templates only after coarser ones (more than the budget may stay; a warning says so); ``"tree"``, templates
        within groups of those that look at the same columns, so that whole columns leave; ``"sparse-group"``,
        templates and single weights; ``"labels"``, one group a feature, with all its labels; ``"lasso"``, single
        weights; ``"elastic-net"``, these with λ₂ beside. Or, as a baseline, ``"information-gain"``: those with the
        highest mutual information with the tag.
    group_weights : {"log2", "one"} or dict
        d_m of each template: max(1, log₂ of its number of weights), 1, or template to number.
    strength : float, default=0.0
        λ per sentence of the parts of a penalty that have no budget (lasso, labels, sparse-group).
    selection_loss : {"perceptron", "svm", "crf"}
    selection_passes : int, default=5
    every : int, default=1000
        Sentences between proximal steps.
    min_count : int, default=1
        Leave out what occurs less often in the training sentences.
    shuffles : int, default=1
        Selections in different orders; more make the choice of templates stable.
    keep : int, optional
        Weights of features to keep in the end: those whose loss costs least, by w² times the occurrences of the
        feature, are cut, and the rest is learned once more and rounded to half precision.
    token_costs : dict, optional
        What a wrong token costs, by its true tag; 1 if not named. For losses with a margin, and for the CRF, which
        becomes the softmax margin :math:`\log\sum_{y'} e^{\theta\cdot\phi(x, y') + c(y', y)} - \theta\cdot\phi(x, y)`:
        a tag that costs more is missed less often, and found in vain more often.
    random_state : int, default=0
        Of the order of sentences.

    Attributes
    ----------
    model_ : ChainModel
    labels_ : tuple of str
        Sorted.
    templates_ : tuple of str
        Those that were kept.
    strengths_ : dict
        Template to its strength in the selection, strongest first.
    memory_ : list of int
        Features with weights at most, in each pass.
    objective_ : float or None
        For ``lbfgs`` the summed loss with λ₂‖θ‖².

    Examples
    --------
    >>> X = [["We", "sang", "songs"], ["They", "sang"]]
    >>> y = [["B-NP", "B-VP", "B-NP"], ["B-NP", "B-VP"]]
    >>> tagger = SequenceTagger(templates=["word[0]", "word[-1]"]).fit(X, y)
    >>> tagger.predict([["We", "sang", "songs"]])
    [['B-NP', 'B-VP', 'B-NP']]
    """

    _settings_class = TaggerSettings

    def fit(self, X: Any, y: Any, progress: Progress | None = None) -> Self:
        """Learn from tagged sentences.

        Parameters
        ----------
        X : list
            One element per sentence: a list of words, a list of dicts such as ``{"word": …, "pos": …}``, a dict of
            columns; or `Sentences`.
        y : list of list of str
            The tags.
        progress : callable, optional
            Called after each epoch with the epochs done, their total, and the name of the stage.
        """
        return super().fit(X, y, progress)

    def partial_fit(self, X: Any, y: Any) -> Self:
        """Train one more epoch on further sentences, starting from the current weights; new words and tags are added.

        The first call fits, with the selection if there is a budget. Averages and AdaGrad's step sizes start again
        with each call.

        Parameters
        ----------
        X : list
        y : list of list of str
        """
        if not hasattr(self, "model_"):
            return self.fit(X, y)
        settings = replace(self._settings(), passes=1, keep=None, refit="free")
        model = fit_chain(Sentences.of(X), y, settings, start=self.model_).model
        self._take(Fitted(model, self.strengths_, self.memory_, self.objective_))
        return self

    def predict(self, X: Any, given: Any = None) -> list[list[str]]:
        """Return the tags of each sentence.

        Parameters
        ----------
        X : list
        given : list of lists, optional
            For each sentence, for each token, a tag that it must get, or None: the best tags around those known.
        """
        check_is_fitted(self)
        sentences = Sentences.of(X)
        if not sentences.n_tokens:
            return [[] for _ in range(len(sentences))]
        fixed = NOTHING_GIVEN if given is None else self._given(given, sentences)
        return self._as_tags(self._scorer.best(sentences, fixed), sentences)

    def predict_marginals(self, X: Any) -> list[NDArray[np.float32]]:
        """Return for each sentence the probability of each tag at each token, in the order of ``labels_``.

        They are probabilities of the model, well calibrated only if it was learned with the CRF loss.
        """
        check_is_fitted(self)
        sentences = Sentences.of(X)
        if not sentences.n_tokens:
            return [np.zeros((0, len(self.labels_)), dtype=np.float32) for _ in range(len(sentences))]
        return np.split(self._scorer.marginals(sentences), sentences.ends[1:-1])

    def predict_nbest(self, X: Any, n: int = 5) -> list[list[tuple[list[str], float]]]:
        """Return for each sentence its n best tag sequences with their scores, best first; fewer if there are fewer.

        Parameters
        ----------
        X : list
        n : int, default=5
        """
        check_is_fitted(self)
        if n < 1:
            raise ValueError(f"n is {n}; ask for at least one sequence.")
        sentences = Sentences.of(X)
        return [
            [([self.labels_[label] for label in path], score) for path, score in found]
            for found in self._scorer.n_best(sentences, n)
        ]

    def explain(self, sentence: Any) -> list[TokenExplanation]:
        """Return for each token of one sentence its tag and the features that made it."""
        return self.to_scorer().explain(sentence)

    @property
    def transitions_(self) -> dict[str, dict[str, float]]:
        """The weight of each pair of tags, by the first; ``⊥`` is the start of a sentence."""
        return transition_table(self.model_)

    def _as_tags(self, numbers: NDArray[np.int64], sentences: Sentences) -> list[list[str]]:
        labels = np.array(self.labels_, dtype=object)
        return Sentences({"tag": labels[numbers].tolist()}, sentences.lengths).split("tag")

    def _given(self, given: Any, sentences: Sentences) -> NDArray[np.int64]:
        if [len(one) for one in given] != sentences.lengths.tolist():
            raise ValueError("given must have one tag or None for each token of each sentence.")
        numbers: dict[str | None, int] = {label: number for number, label in enumerate(self.labels_)}
        numbers[None] = -1
        flat = [tag for one in given for tag in one]
        unknown = next((tag for tag in flat if tag not in numbers), None)
        if unknown is not None:
            raise ValueError(f"given has the tag {unknown!r}; the model knows {', '.join(self.labels_)}.")
        return np.array([numbers[tag] for tag in flat], dtype=np.int64)

    def evaluate(self, X: Any, y: Any) -> TagScores:
        """Return the scores of predicted tags: accuracy, and precision, recall and F1 of spans, per type too."""
        flat_tags(y, sentences := Sentences.of(X))
        return score_tags(y, self.predict(sentences))

    def score(self, X: Any, y: Any) -> float:
        """Return span F1; for tags that mark no spans, the share of right tokens."""
        scores = self.evaluate(X, y)
        return scores.accuracy if guess_scheme(y) is None else scores.overall.f1

    def to_scorer(self) -> TagScorer:
        """Return the light scorer, as `laconic.load` does for a saved model."""
        check_is_fitted(self)
        return TagScorer(self.model_, self._made())

    def _learn(self, sentences: Sentences, y: Any, settings: TaggerSettings, progress: Progress | None) -> Fitted:
        return fit_chain(sentences, y, settings, progress)

    def _stored(self) -> tuple[dict[str, Any], dict[str, Any]]:
        check_is_fitted(self)
        return {"kind": KIND, **chain_facts(self.model_)}, chain_parts(self.model_)

    def _take(self, fitted: Fitted[ChainModel]) -> None:
        super()._take(fitted)
        self.objective_ = fitted.objective
        self.labels_ = fitted.model.labels
        self._scorer = CompiledScorer(fitted.model)
