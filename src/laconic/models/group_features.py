"""Groups as features: words, and beside them how many words of each group a text has.

The baseline of Yogatama & Smith (ACL 2014, Table 5): topics or clusters as additional features of an ordinary model, in
place of a penalty. The paper took the ten words of a topic, and clusters of fewer than 50 words.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from laconic.groups.builder import check_whole
from laconic.groups.given import built_groups, check_groups, corpus_of
from laconic.models.inputs import checked_documents
from laconic.text import BagOfWords


@dataclass(eq=False, repr=False)
class GroupFeatures(TransformerMixin, BaseEstimator):
    """Turn texts into the matrix of their words with one more column per group.

    Parameters
    ----------
    groups : builder, Groups, mapping or list of these
        As in `TextClassifier`; built on the texts of `fit`.
    bag : laconic.text.BagOfWords, optional
        How texts become words; None is ``BagOfWords()``, counts of lower-cased words.
    max_size : int, optional
        Groups with more words are left out.

    Attributes
    ----------
    vocabulary_ : laconic.text.Vocabulary
    groups_ : laconic.Groups
        Those that became features.

    Examples
    --------
    >>> features = GroupFeatures({"space": ["moon", "orbit"]})
    >>> features.fit_transform(["moon orbit moon", "lamp"]).toarray()
    array([[0., 2., 1., 3.],
           [1., 0., 0., 0.]])
    >>> features.get_feature_names_out().tolist()
    ['lamp', 'moon', 'orbit', 'space']
    """

    groups: Any
    bag: BagOfWords | None = None
    max_size: int | None = None

    def fit(self, texts: Iterable[Any], y: Any = None) -> Self:
        """Learn the vocabulary and build the groups."""
        check_groups(self.groups)
        if self.groups is None:
            raise ValueError("groups is None; GroupFeatures needs groups, such as LDAGroups().")
        if self.max_size is not None:
            check_whole("max_size", self.max_size, 1)
        bag = self._bag()
        corpus = corpus_of(list(checked_documents(texts, bag.analyzer.kind, whole=True)))
        self.vocabulary_ = bag.fit(corpus.texts).vocabulary
        groups = built_groups(self.groups, corpus, self.vocabulary_, bag.analyzer)
        if self.max_size is not None:
            groups = groups.take(np.flatnonzero(groups.sizes <= self.max_size))
        self.groups_ = groups
        return self

    def transform(self, texts: Iterable[Any]) -> csr_array:
        """Return words, then for each group how many of its words, with repetitions, a text has."""
        check_is_fitted(self)
        bag = self._bag()
        documents = list(checked_documents(texts, bag.analyzer.kind))
        counts = BagOfWords(bag.analyzer).transform(documents, self.vocabulary_)
        groups = self.groups_
        ones = np.ones(len(groups.indices))
        members = csr_array((ones, groups.indices, groups.indptr), shape=(len(groups), groups.n_features))
        return csr_array(hstack([bag.transform(documents, self.vocabulary_), counts @ members.T], format="csr"))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray:
        """Return the words and the names of the groups."""
        check_is_fitted(self)
        return np.array([*self.vocabulary_.words, *self.groups_.names], dtype=object)

    def _bag(self) -> BagOfWords:
        return BagOfWords() if self.bag is None else self.bag
