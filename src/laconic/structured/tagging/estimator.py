"""`SequenceTagger`: sentences in, tags out."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from laconic.data.annotated.sentences import Sentences, flat_tags
from laconic.data.annotated.tagged_files import guess_scheme
from laconic.structured.estimator import SentenceEstimator
from laconic.structured.fit import Fitted, Progress
from laconic.structured.scores import TagScores, score_tags
from laconic.structured.settings import TaggerSettings
from laconic.structured.tagging.explain import TokenExplanation, transition_table
from laconic.structured.tagging.fit import fit_chain
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.score_numba import NOTHING_GIVEN, CompiledScorer
from laconic.structured.tagging.scorer import TagScorer, as_tags


class SequenceTagger(SentenceEstimator, TaggerSettings):
    r"""Tag every token of a sentence with a linear chain model, on few feature templates.

    The best tags are :math:`\arg\max_y \sum_i \theta\cdot\phi(x, i, y_{i-1}, y_i)`: each template, with what it finds
    around token i, is conjoined with the tag there, and pairs of neighbouring tags have weights of their own. With a
    ``budget`` B, online proximal gradient steps with the penalty :math:`\sum_m d_m\|\theta_m\|_2` over templates first
    select B of them (the sparseptron of Martins et al., 2011); the model is then trained on these, without penalty.

    Parameters
    ----------
    templates : str or list of str, default="minimal"
        Names of sets (``laconic.structured.template_sets()``) and templates such as ``"word[-1] & pos[0]"``.
    budget : int, optional
        Templates to keep (for the selections ``labels`` and ``lasso``: features, weights). Default: all, in one stage.
    loss : {"crf", "svm", "perceptron", "mira", "mira-1best"}
        Loss used to train the final weights. ``mira`` decodes with the cost of wrong tokens added, ``mira-1best``
        without.
    passes : int, default=5
        Number of training epochs; for ``lbfgs`` the maximum number of iterations.
    optimizer : {"adagrad", "sgd", "lbfgs"}
        Optimizer of the CRF loss.
    rate : float, default=0.1
        Size of stochastic gradient steps; for ``sgd`` and ``svm`` divided by the square root of the epoch.
    l2 : float, default=0.05
        λ₂ of the CRF loss, on losses summed over sentences.
    damping : float, default=0.0
        Initial value of AdaGrad's sums of squared gradients. Its step is ``rate`` times the gradient over the root of
        the sum: without damping the first step on a weight is ``rate`` long, however small the gradient; with 1 it is
        at most ``rate`` times the gradient, so that rare features are learned with care.
    cap : float, optional
        Largest step of MIRA, its C: the smaller, the stronger the L2 regularization it stands for.
    average : bool, default=True
        Average the weights over all steps (not for AdaGrad and L-BFGS).
    refit : {"free", "observed", "frozen"}
        Weights the final fit may use: any of the templates kept; pairs of feature and label that occur in the training
        sentences; those that survived the selection.
    selection : str, default="group-lasso"
        How templates are selected. By online proximal steps: ``"group-lasso"``, one group per template;
        ``"coarse-to-fine"``, templates only after coarser ones (more than the budget may stay; a warning says so);
        ``"tree"``, templates within groups of those that look at the same columns, so that whole columns are dropped;
        ``"sparse-group"``, templates and single weights; ``"labels"``, one group per feature, with all its labels;
        ``"lasso"``, single weights; ``"elastic-net"``, these with λ₂ beside. As a baseline, ``"information-gain"``:
        those with the highest mutual information with the tag.
    group_weights : {"log2", "one"} or dict
        d_m of each template: max(1, log₂ of its number of weights), 1, or template to number.
    strength : float, default=0.0
        λ per sentence of the parts of a penalty that have no budget (lasso, labels, sparse-group).
    selection_loss : {"perceptron", "svm", "crf"}
        Loss used to select templates.
    selection_passes : int, default=5
        Number of epochs of the selection.
    every : int, default=1000
        Sentences between proximal steps.
    min_count : int, default=1
        Ignore features that occur less often in the training sentences.
    shuffles : int, default=1
        Number of selections over different shuffles of the sentences; more make the choice of templates stable.
    keep : int, optional
        Feature weights to keep in the end: those whose removal costs least, by w² times the occurrences of the feature,
        are cut, and the rest is trained once more and rounded to half precision.
    token_costs : dict, optional
        Cost of a wrong token, by its true tag; 1 if not named. For losses with a margin, and for the CRF, which becomes
        the softmax margin :math:`\log\sum_{y'} e^{\theta\cdot\phi(x, y') + c(y', y)} - \theta\cdot\phi(x, y)`: a tag
        that costs more is missed less often, and predicted wrongly more often.
    random_state : int, default=0
        Random seed for the order of sentences.

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
        Most features with weights, in each epoch.
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
        return as_tags(sentences, self._scorer.best(sentences, fixed), self.labels_)

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

    def _take(self, fitted: Fitted[ChainModel]) -> None:
        super()._take(fitted)
        self.objective_ = fitted.objective
        self.labels_ = fitted.model.labels
        self._scorer = CompiledScorer(fitted.model)
