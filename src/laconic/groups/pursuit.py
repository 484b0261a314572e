r"""Groups learned from unlabelled texts by simultaneous orthogonal matching pursuit.

Tropp, Gilbert & Strauss, "Algorithms for simultaneous sparse approximation" (2006), with the columns of the
document-term matrix as atoms and as targets, so that a few words explain in which documents all the others stand. Let
:math:`\tilde x_j` be the column of word j, centred and of length 1 (cells are 0 or 1, divided by the root of the number
of different words in the document, so that long documents count no more than others), :math:`Y = \tilde X\Omega`, and
R = Y at first. Step k takes

.. math:: j_k = \arg\max_j \|\tilde x_j^\top R\|_2^2, \quad
          q_k \propto (I - \sum_{i<k} q_i q_i^\top)\,\tilde x_{j_k}, \quad R \leftarrow R - q_k q_k^\top R

and the group of the k-th atom is the word :math:`j_k` with the words it explains best, those of the largest
:math:`\tilde x_v^\top q_k > 0`: they stand where it stands, beyond what earlier atoms say.

Ω is the identity for up to ``mixtures`` words. For more it mixes the targets at random into so many columns, which
keeps :math:`\|\tilde x_j^\top R\|` up to a few percent (Johnson & Lindenstrauss). :math:`\tilde X^\top R` is computed
once and follows R by rank-one updates, so that a step costs (words + documents) × mixtures, and so does memory.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import Builder, check_weights, check_whole, finished, first_words
from laconic.text.analyzer import Analyzer
from laconic.text.design import BagOfWords
from laconic.text.vocabulary import Vocabulary

TIE = 1e-9  # scores this near are equal, and the first word in the alphabet is taken
NOTHING = 1e-10  # a residual of this squared length counts as explained


@dataclass(frozen=True)
class PursuitGroups(Builder):
    """Learn groups of words that stand in the same documents; labels are not looked at.

    Parameters
    ----------
    n_groups : int, default=100
        At most so many; there are fewer once nothing is left to explain.
    size : int, default=20
        Words of a group, at most.
    min_df : int, default=5
        Words in fewer documents than this are in no group: too little is known of them.
    mixtures : int, default=512
        Columns that the targets are mixed into, if there are more of them.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.
    seed : int, default=0
        Of the mixtures.

    Examples
    --------
    >>> texts = ["moon orbit", "orbit moon", "disk drive", "drive disk", "soul"]
    >>> corpus = Corpus.from_lists(texts)
    >>> vocabulary = BagOfWords().fit(texts).vocabulary
    >>> groups = PursuitGroups(n_groups=2, size=2, min_df=2).build(corpus, vocabulary)
    >>> groups.names
    ('learned 1: disk, drive', 'learned 2: moon, orbit')
    """

    n_groups: int = 100
    size: int = 20
    min_df: int = 5
    mixtures: int = 512
    weights: str = "sqrt"
    seed: int = 0

    def __post_init__(self) -> None:
        check_weights(self.weights)
        for name in ("n_groups", "size", "min_df", "mixtures"):
            check_whole(name, getattr(self, name), 1)

    def build(self, corpus: Corpus, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does, in the order in which their atoms were taken.

        They are named "learned 3: orbit, moon, shuttle", the atom first.
        """
        analyzer = Analyzer() if analyzer is None else analyzer
        X = BagOfWords(analyzer, cells="binary").transform(corpus.texts, vocabulary)
        documents = np.bincount(X.indices, minlength=X.shape[1])
        kept = np.flatnonzero((documents >= self.min_df) & (documents < X.shape[0]))
        if not len(kept):
            raise ValueError(
                f"No word stands in {self.min_df} documents or more and not in all {X.shape[0]} of them, so there are "
                "no groups to learn; give more texts or a smaller min_df."
            )
        X = X[:, kept]
        balanced = csc_array(X * (1.0 / np.sqrt(np.maximum(np.diff(X.indptr), 1)))[:, None])  # rows of length 1
        mixture = None
        if len(kept) > self.mixtures:
            normal = np.random.default_rng(self.seed).standard_normal((len(kept), self.mixtures))
            mixture = normal / np.sqrt(self.mixtures)
        lists = [kept[own] for own in _pursue(balanced, self.n_groups, self.size, mixture)]
        names = [f"learned {k}: {first_words(own, vocabulary)}" for k, own in enumerate(lists, 1)]
        source = f"groups learned from {corpus.name or 'the training texts'}"
        return finished(lists, names, vocabulary, self.weights, source, "no word explains another.")


def _pursue(X: csc_array, n_groups: int, size: int, mixture: NDArray[np.float64] | None) -> list[NDArray[np.intp]]:
    """Return the words of each group, the atom first and then those that it explains best."""
    n_documents, n_words = X.shape
    mean = np.asarray(X.sum(axis=0)) / n_documents
    norm = np.sqrt(np.asarray((X * X).sum(axis=0)) - n_documents * mean**2)
    if mixture is None:
        residual = X.toarray() / norm
    else:
        residual = np.asarray(X @ (mixture / norm[:, None]))
    residual -= residual.mean(axis=0)
    scale = 1.0 / norm
    transposed = X.T.tocsr()
    products = np.asarray(transposed @ residual) * scale[:, None]  # the residual is centred, the columns need not be
    basis = np.empty((n_documents, 0))
    free = np.ones(n_words, dtype=bool)
    groups = []
    for _ in range(min(n_groups, n_words)):
        scores = np.einsum("ij,ij->i", products, products)
        scores[~free] = 0.0
        atom = int(np.argmax(scores >= scores.max() * (1.0 - TIE)))
        column = (X[:, [atom]].toarray().ravel() - mean[atom]) * scale[atom]
        for _ in range(2):  # once more, against rounding
            column -= basis @ (basis.T @ column)
        length = float(np.linalg.norm(column))
        if scores[atom] <= NOTHING or length**2 <= NOTHING:
            break
        q = column / length
        basis = np.column_stack([basis, q])
        free[atom] = False
        explained = (transposed @ q) * scale
        share = q @ residual
        residual -= np.outer(q, share)
        products -= np.outer(explained, share)
        explained[atom] = np.inf
        order = np.argsort(-explained, kind="stable")[:size]
        groups.append(order[explained[order] > NOTHING])
    return groups
