"""Constituency trees by the parser of stanza (Qi et al. 2020), as bracketed trees of a `Corpus`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from laconic.core.extras import need
from laconic.data.corpus import Corpus
from laconic.groups.progress import report
from laconic.groups.trees.bracketed import ESCAPES

_WRITTEN = {sign: name for name, sign in ESCAPES.items()}


def parsed_by_stanza(corpus: Corpus, pipeline: Callable[[str], Any] | None = None, language: str = "en") -> Corpus:
    """Return the corpus with the trees of its texts, one tree a sentence, for `ConstituentGroups`.

    Parameters
    ----------
    corpus : Corpus
    pipeline : stanza.Pipeline, optional
        With the processor ``constituency``; None loads stanza's for the language, whose models must have been fetched
        (``stanza.download("en")``), and raises ImportError if stanza is not installed.
    language : str, default="en"
    """
    if pipeline is None:
        stanza = need("stanza", "Parsing texts", ". Or give trees of your own.")
        pipeline = stanza.Pipeline(language, processors="tokenize,pos,constituency", verbose=False)
    trees = []
    for done, text in enumerate(corpus.texts, 1):
        sentences = pipeline(text).sentences if text.strip() else []
        trees.append("\n".join(_bracketed(sentence.constituency) for sentence in sentences))
        report(done, len(corpus), "parsing")
    return replace(corpus, trees=tuple(trees))


def _bracketed(tree: Any) -> str:
    """Return a tree of nodes with ``label`` and ``children`` as a bracketed one; a node without children is a word."""
    if not tree.children:
        return "".join(_WRITTEN.get(sign, sign) for sign in tree.label)
    return f"({tree.label} {' '.join(map(_bracketed, tree.children))})"
