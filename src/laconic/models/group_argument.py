"""What may be given as groups of a text model, and the `Groups` that it becomes on the training texts.

Allowed are a builder (anything with ``build(corpus, vocabulary, analyzer)``), finished `Groups`, a dictionary
``{name: [word, …]}``, or a list of these, whose families are put together.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.data.document import Document
from laconic.groups.given import GivenGroups, check_made_for
from laconic.text import Analyzer, Vocabulary


def check_groups(groups: Any) -> None:
    """Raise TypeError unless `groups` is None or something that `built_groups` takes."""
    if groups is None:
        return
    families = _families(groups)
    if not families:
        raise ValueError("groups is an empty list; give at least one family of groups, or None for no groups.")
    for one in families:
        if isinstance(one, type) or not (isinstance(one, (Groups, Mapping)) or callable(getattr(one, "build", None))):
            what = f"the class {one.__name__}" if isinstance(one, type) else f"a {type(one).__name__}"
            raise TypeError(
                f"groups is {what}; it must be a builder such as SentenceGroups(), a laconic.Groups, a dictionary "
                "{name: [word, …]}, or a list of these."
            )


def built_groups(groups: Any, corpus: Corpus, vocabulary: Vocabulary, analyzer: Analyzer) -> Groups:
    """Return the groups of training texts over the vocabulary of their design; several families become one."""
    check_groups(groups)
    return reduce(add, (_built(one, corpus, vocabulary, analyzer) for one in _families(groups)))


def corpus_of(documents: Sequence[Any]) -> Corpus:
    """Return texts, token lists or documents as an unlabelled corpus; texts without an id are numbered from 1."""
    whole = [one for one in documents if isinstance(one, Document)]
    ids = tuple(one.id if isinstance(one, Document) else str(i) for i, one in enumerate(documents, 1))
    if len(set(ids)) < len(ids):  # of several sources: only their positions tell them apart
        ids = tuple(map(str, range(1, len(ids) + 1)))
    sentences, trees = None, None
    if len(whole) == len(documents) and all(one.sentences is not None for one in whole):
        sentences = tuple(one.sentences or () for one in whole)
    if len(whole) == len(documents) and all(one.tree is not None for one in whole):
        trees = tuple(one.tree or "" for one in whole)
    texts = tuple(one.text if isinstance(one, Document) else one for one in documents)
    return Corpus(texts, None, ids, sentences, trees)


def _families(groups: Any) -> list[Any]:
    return list(groups) if isinstance(groups, (list, tuple)) else [groups]


def _built(one: Any, corpus: Corpus, vocabulary: Vocabulary, analyzer: Analyzer) -> Groups:
    if isinstance(one, Groups):
        check_made_for(one, vocabulary)
        return one
    builder = GivenGroups(one) if isinstance(one, Mapping) else one
    return builder.build(corpus, vocabulary, analyzer)
