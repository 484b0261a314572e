"""`TableClassifier`: a text column with groups of words, and numbers and categories beside it in no group.

Yogatama & Smith (ACL 2014, section 7): what is known of a document besides its text is penalised conventionally, word
groups structurally. A number becomes one column, centred and of standard deviation 1; a category one column a value;
all of them are held by λ₁ and λ₂ alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, hstack
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from laconic.core.groups import Groups
from laconic.data.files.readers import as_table
from laconic.groups.given import built_groups, check_groups, corpus_of
from laconic.models.inputs import checked_documents, checked_labels
from laconic.models.search.shared_fit import default_estimator
from laconic.text import BagOfWords


@dataclass(eq=False, repr=False)
class TableClassifier(ClassifierMixin, BaseEstimator):
    """Classify the rows of a table by the words of a text column and by other columns.

    Parameters
    ----------
    estimator : scikit-learn classifier, optional
        As in `TextClassifier`; with groups it must have a parameter ``groups``.
    groups : builder, Groups, mapping or list of these, optional
        Groups of words, as in `TextClassifier`; other columns are in no group.
    text : str, default="text"
        The column of texts.
    columns : sequence of str
        Further columns: numbers, or strings and booleans as categories. Missing numbers count as the mean, missing and
        new categories as none.
    bag : laconic.text.BagOfWords, optional
        How texts become words; None is ``BagOfWords(cells="binary")``.

    Attributes
    ----------
    estimator_ : classifier
    feature_names_ : tuple of str
        Words, then "column" for a number and "column=value" for a category.
    classes_ : ndarray

    Examples
    --------
    >>> rows = [
    ...     {"text": "moon orbit", "party": "D", "age": 30}, {"text": "orbit", "party": "D", "age": 40},
    ...     {"text": "disk", "party": "R", "age": 50}, {"text": "disk drive", "party": "R", "age": 60},
    ... ]
    >>> model = TableClassifier(groups={"space": ["moon", "orbit"]}, columns=["party", "age"])
    >>> model.fit(rows, [1, 1, 0, 0]).predict(rows).tolist()
    [1, 1, 0, 0]
    >>> model.feature_names_
    ('disk', 'drive', 'moon', 'orbit', 'party=D', 'party=R', 'age')
    """

    estimator: Any = None
    groups: Any = None
    text: str = "text"
    columns: Sequence[str] = ()
    bag: BagOfWords | None = None

    def fit(self, table: Any, y: ArrayLike) -> Self:
        """Learn the vocabulary, the values of the columns, and the weights, from a frame, a list of dicts or a file."""
        check_groups(self.groups)
        rows, texts = self._rows(table)
        bag = self._bag()
        design = bag.fit(texts)
        columns = [_Column.of(name, [row.get(name) for row in rows]) for name in self.columns]
        X = self._joined(design.X, columns, rows)
        estimator = default_estimator(self.groups) if self.estimator is None else clone(self.estimator)
        if self.groups is not None:
            own = built_groups(self.groups, corpus_of(texts), design.vocabulary, bag.analyzer)
            parts = own.indptr, own.indices, own.weights
            estimator.set_params(groups=Groups(*parts, X.shape[1], own.names, None, own.source))
        estimator.fit(X, checked_labels(y, len(rows)))
        self.vocabulary_ = design.vocabulary
        self.columns_ = columns
        self.feature_names_ = (*design.vocabulary.words, *(name for one in columns for name in one.names))
        self.estimator_ = estimator
        self.classes_ = estimator.classes_
        return self

    def predict(self, table: Any) -> NDArray:
        """Return the label of each row."""
        return self.estimator_.predict(self._matrix(table))

    def predict_proba(self, table: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classes, in the order of ``classes_``."""
        return self.estimator_.predict_proba(self._matrix(table))

    def decision_function(self, table: Any) -> NDArray[np.float64]:
        """Return the margins of the estimator."""
        return self.estimator_.decision_function(self._matrix(table))

    def _matrix(self, table: Any) -> csr_array:
        check_is_fitted(self)
        rows, texts = self._rows(table)
        return self._joined(self._bag().transform(texts, self.vocabulary_), self.columns_, rows)

    def _rows(self, table: Any) -> tuple[list[Mapping[str, Any]], list[Any]]:
        read = as_table(table)
        rows = [row.values for row in read.rows]
        if not rows:
            raise ValueError(f"{read.name} has no rows; at least one is needed.")
        for name in (self.text, *self.columns):
            if not any(name in row for row in rows):
                found = ", ".join(repr(one) for one in dict.fromkeys(key for row in rows for key in row))
                raise ValueError(f"{read.name} has no column {name!r}; its columns are {found}.")
        return rows, list(checked_documents([row.get(self.text) for row in rows], self._bag().analyzer.kind))

    def _joined(self, words: csr_array, columns: "list[_Column]", rows: list[Mapping[str, Any]]) -> csr_array:
        others = [csr_array(one.cells([row.get(one.name) for row in rows])) for one in columns]
        return csr_array(hstack([words, *others], format="csr")) if others else words

    def _bag(self) -> BagOfWords:
        return BagOfWords(cells="binary") if self.bag is None else self.bag


class _Column:
    """How the values of one column become cells: a number, or one cell for each known category."""

    def __init__(self, name: str, values: tuple[str, ...] | None, mean: float = 0.0, scale: float = 1.0) -> None:
        self.name, self.values, self.mean, self.scale = name, values, mean, scale

    @classmethod
    def of(cls, name: str, cells: list[Any]) -> "_Column":
        there = [one for one in cells if not _missing(one)]
        if not there:
            raise ValueError(f"The column {name!r} has no value in any row; leave it out.")
        if all(_is_number(one) for one in there):
            numbers = np.array(there, dtype=np.float64)
            if not np.isfinite(numbers).all():
                raise ValueError(f"The column {name!r} has an infinite number; repair it or leave the column out.")
            return cls(name, None, float(numbers.mean()), float(numbers.std()) or 1.0)
        if any(_is_number(one) for one in there):
            mixed = next(one for one in there if not _is_number(one))
            raise ValueError(f"The column {name!r} has numbers and other values such as {mixed!r}; make them one kind.")
        return cls(name, tuple(sorted({str(one) for one in there})))

    @property
    def names(self) -> list[str]:
        return [self.name] if self.values is None else [f"{self.name}={value}" for value in self.values]

    def cells(self, given: list[Any]) -> NDArray[np.float64]:
        if self.values is None:
            wrong = next((one for one in given if not _missing(one) and not _is_number(one)), None)
            if wrong is not None:
                raise ValueError(f"The column {self.name!r} has the value {wrong!r}; in training it had numbers only.")
            return np.array([[0.0 if _missing(one) else (one - self.mean) / self.scale] for one in given])
        return np.array([[float(not _missing(one) and str(one) == value) for value in self.values] for one in given])


def _missing(value: Any) -> bool:
    return value is None or value != value or value == ""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))
