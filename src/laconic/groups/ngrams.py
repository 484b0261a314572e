"""One group per history of the n-grams: a word, or several, with all n-grams that begin with it.

The history of "new york times" is "new york", whose history is "new". The groups are nested: a longer n-gram stays in
the model only with its history, as in the structured penalties of Nelakanti et al., "Structured penalties for
log-linear language models" (EMNLP 2013).
"""

from collections import defaultdict
from dataclasses import dataclass

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.groups.builder import Builder, check_weights, finished
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class NgramGroups(Builder):
    """Make nested groups out of the n-grams of a vocabulary.

    Parameters
    ----------
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.

    Examples
    --------
    >>> from laconic.text import BagOfWords
    >>> texts = ["new york times", "new york city", "times new"]
    >>> vocabulary = BagOfWords(Analyzer(ngrams=(1, 3))).fit(texts).vocabulary
    >>> groups = NgramGroups().build(None, vocabulary)
    >>> for name, g in zip(groups.names, range(len(groups))):
    ...     print(name, [vocabulary.words[j] for j in groups.members(g)])
    history: new ['new', 'new york', 'new york city', 'new york times']
    history: new york ['new york', 'new york city', 'new york times']
    history: times ['times', 'times new']
    history: york ['york', 'york city', 'york times']
    """

    weights: str = "sqrt"

    def __post_init__(self) -> None:
        check_weights(self.weights)

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups of two n-grams or more, as `SentenceGroups.build` does, from the vocabulary alone."""
        below: defaultdict[str, list[int]] = defaultdict(list)
        for column, feature in enumerate(vocabulary.words):
            words = feature.split(" ")
            for length in range(1, len(words) + 1):
                below[" ".join(words[:length])].append(column)
        kept = {history: own for history, own in sorted(below.items()) if len(own) > 1}
        reason = "no n-gram of the vocabulary begins like another feature; use n-grams of words, such as ngrams=(1, 2)."
        names = [f"history: {history}" for history in kept]
        return finished(list(kept.values()), names, vocabulary, self.weights, "histories of n-grams", reason)
