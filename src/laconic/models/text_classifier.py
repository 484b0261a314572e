"""`TextClassifier`: raw strings in, labels out; a bag of words and a linear estimator as one scikit-learn estimator."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from laconic.core.edits import Edits
from laconic.evaluate.resampling.stability_selection import Stability, stability
from laconic.evaluate.tuning.grid_fits import own_copies
from laconic.models.export import sklearn_pipeline
from laconic.models.folder.estimator import certificate_facts, estimator_facts
from laconic.models.inputs import checked_labels
from laconic.models.links import SOFTMAX
from laconic.models.scoring.decisions import most_likely, named
from laconic.models.scoring.linear_text import LinearText
from laconic.models.search.shared_fit import default_estimator, designed, fit_together
from laconic.models.text_model import TextModel, warn_if_empty
from laconic.text import Analyzer, BagOfWords, Tokenizer

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from laconic.core.selected_groups import SelectedGroups


@dataclass(eq=False, repr=False)
class TextClassifier(ClassifierMixin, TextModel):
    """Classify texts by a linear model over their words.

    Parameters
    ----------
    estimator : scikit-learn classifier, optional
        Fitted on the matrix of words; None is ``ElasticNetClassifier()``, a ridge, or with groups
        ``GroupLassoClassifier(group=0.01, l1=0.1)``. To save, explain or export a model it must be linear (``coef_``,
        ``intercept_``, ``classes_``).
    groups : builder, Groups, mapping or list of these, optional
        Groups of words for the estimator's parameter ``groups``: a builder such as `laconic.groups.SentenceGroups`,
        which is called on the training texts (in cross-validation on those of each fold); finished `laconic.Groups` of
        the same vocabulary; or ``{name: [word, …]}``. If you pass a list, the groups from all entries are combined.
    analyzer : {"word", "char", "char_wb", "tokens"}, default="word"
        What a feature is; with "tokens", texts are lists of strings.
    tokenizer : {"default", "default-1", "wnut2018"}, Tokenizer or callable, default="default"
        What a word is. A function ``text -> list of str`` is stored only by its name.
    ngrams : (int, int), default=(1, 1)
        Shortest and longest n-gram.
    cells : {"binary", "count", "tfidf"}, default="binary"
        Feature values: binary occurrence, count or tf-idf.
    min_df, max_df : int or float, default=1 and 1.0
        Ignore words that occur in fewer (min_df) or more (max_df) documents than this: an int is a number of documents,
        a float a share of them.
    strip_mail : bool, default=False
        Blank out mail headers, quotations and signatures first.
    edits : Edits, optional
        Words to ban or keep, signs and factors, by their words; see `laconic.Edits`.

    Attributes
    ----------
    classes_ : ndarray
        Labels, sorted.
    estimator_ : classifier
        The fitted estimator.
    vocabulary_ : laconic.text.Vocabulary
        The words of the training texts, in the order of the estimator's features.
    n_vocabulary_, n_words_ : int
        Number of words in training, and of those with any non-zero weight.
    selected_groups_ : laconic.core.selected_groups.SelectedGroups
        The groups that the estimator kept, strongest first; only with groups.
    path_ : laconic.models.search.model_path.ModelPath
        Smaller and larger models beside this one; only of a model that `laconic.models.search.fit_text.fit_text` made.
    selection_frequency_ : ndarray
        How often each word was selected again on random halves of the texts; likewise.
    timings_ : dict
        Seconds spent on the matrix and the groups ("design") and on the fit ("fit").
    reference_ : dict
        What ``laconic check`` compares new texts with: shares of the classes ("shares"), of a text's different words
        that have a weight ("known"), and of texts without any such word ("empty").
    calibration_ : laconic.core.calibration.Calibration or None
        How margins become probabilities and labels, after `calibrate`; a fit forgets it.

    Examples
    --------
    >>> texts = ["broken lamp", "broken bench", "kind thanks", "thanks again"]
    >>> model = TextClassifier().fit(texts, ["repair", "repair", "praise", "praise"])
    >>> model.predict(["a broken door", "thanks"]).tolist()
    ['repair', 'praise']
    >>> why = model.explain("So broken!")
    >>> why.label, [(word.word, word.spans) for word in why.words]
    ('repair', [('broken', ((3, 9),))])
    """

    link = SOFTMAX

    estimator: Any = None
    groups: Any = None
    _: KW_ONLY
    analyzer: str = "word"
    tokenizer: str | Tokenizer | Callable[[str], Sequence[str]] = "default"
    ngrams: tuple[int, int] = (1, 1)
    cells: str = "binary"
    min_df: int | float = 1
    max_df: int | float = 1.0
    strip_mail: bool = False
    edits: Edits | None = None

    def fit(
        self, texts: Iterable[Any], y: ArrayLike, sample_weight: ArrayLike | None = None, start: Any = None
    ) -> Self:
        """Learn the vocabulary and the weights.

        Parameters
        ----------
        texts : list of str
            Lists of str with ``analyzer="tokens"``. A `Corpus` or documents will do as well: their ids then name the
            groups, and sentences that they bring along are taken.
        y : list of str, int or bool
            One label for each text.
        sample_weight : array of shape (n_texts,), optional
        start : fitted TextClassifier or Scorer, optional
            An older model with the same labels, whose weights are the start, word by word; a good start saves time and
            changes nothing else. Pursuits make no use of it.
        """
        fit_together([self], texts, y, sample_weight, start)
        warn_if_empty(self)
        return self

    def fit_grid(
        self,
        texts: Iterable[Any],
        y: ArrayLike,
        grid: Sequence[Mapping[str, Any]],
        sample_weight: ArrayLike | None = None,
    ) -> list[Self]:
        """Fit one clone for each setting of parameters, in their order; equal text parameters share one matrix."""
        points = [clone(self) for _ in grid]
        for point, parameters in zip(points, grid, strict=True):
            if point.estimator is None:
                point.estimator = default_estimator(parameters.get("groups", point.groups))
            point.set_params(**own_copies(parameters))
        fit_together(points, texts, y, sample_weight)
        return points

    def predict(self, texts: Iterable[Any]) -> NDArray:
        """Return the label of each text; a text without known words gets the one the intercept favours.

        Where every class has a threshold (see `calibrate`), a text that reaches none of them has the label None.
        """
        X = self._matrix(texts)
        if X.shape[0] == 0:
            return self.classes_[:0]
        if self.calibration_ is not None:
            return named(self.classes_, most_likely(self.estimator_.decision_function(X), self.calibration_))
        return self.estimator_.predict(X)

    def stability(self, texts: Iterable[Any], y: ArrayLike, **options: Any) -> Stability:
        """Say which words this classifier keeps selecting when it is fitted to halves of the texts.

        Parameters
        ----------
        texts, y
            As in `fit`; the vocabulary and the groups are those of all texts.
        **options
            Of `laconic.stability`: ``pairs``, ``errors``, ``threshold``, ``words``, ``seed``, ``progress``.

        Examples
        --------
        >>> from laconic import ElasticNetClassifier
        >>> texts = ["broken lamp", "old lamp", "kind thanks", "kind lamp"] * 10
        >>> y = ["repair", "praise", "praise", "praise"] * 10
        >>> TextClassifier(ElasticNetClassifier(l1=3.0, l2=0.0)).stability(texts, y, pairs=5, threshold=0.9).stable
        ('broken',)
        """
        documents = list(texts)
        labels = checked_labels(y, len(documents))
        design, estimator = designed(self, documents)
        return stability(estimator, design.X, labels, names=design.vocabulary.words, **options)

    @property
    def selected_groups_(self) -> "SelectedGroups":
        """The groups that the estimator kept."""
        check_is_fitted(self)
        return self.estimator_.selected_groups_

    def to_sklearn(self) -> "Pipeline":
        """Return an ordinary scikit-learn pipeline of a vectorizer and a linear classifier with the same predictions.

        It holds the kept words only (for tf-idf the whole vocabulary) and can be pickled if the tokenizer can.
        """
        check_is_fitted(self)
        return sklearn_pipeline(LinearText.of(self))

    def bag_of_words(self) -> BagOfWords:
        """Return how texts become a matrix by this classifier's parameters; wrong parameters are refused here."""
        tokenizer: Any = self.tokenizer
        if isinstance(tokenizer, str):
            tokenizer = Tokenizer.preset(tokenizer)
            if self.analyzer == "tokens" and self.tokenizer == "default":
                tokenizer = None
        analyzer = Analyzer(tokenizer, self.analyzer, self.ngrams, self.strip_mail)
        return BagOfWords(analyzer, self.cells, self.min_df, self.max_df)

    def _estimator_facts(self) -> dict[str, Any]:
        return {
            "estimator": estimator_facts(self.estimator_),
            "certificate": certificate_facts(self.estimator_),
            "reference": self.reference_,
        }

    def _reader(self) -> Self:
        return self

    def _over(self, estimator: Any, classes: list[Any]) -> Any:
        self.link.check_edits(self.edits, classes)
        return estimator

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags
