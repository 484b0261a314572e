"""Texts to dependency trees: sentences and words by rules, tags by a tagger, trees by a parser.

Written as CoNLL-U, they are what `ConstituentGroups` takes: every word with all that hangs on it is a constituent, so
that a corpus without trees can use the parse regularizer.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.text.sentences import sentence_spans

LONGEST = 200  # words: what is longer is no sentence but a table or code, and arcs grow with the square
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")


def tokenized_sentences(text: str, language: str = "en") -> list[list[str]]:
    """Return the sentences of a text as lists of words and signs; those above 200 words are cut into pieces."""
    found = [_WORD.findall(text[start:end]) for start, end in sentence_spans(text, language)]
    return [one[start : start + LONGEST] for one in found for start in range(0, len(one), LONGEST)]


def parse_texts(
    texts: Iterable[str], parser: Any, tagger: Any, language: str = "en"
) -> Iterator[tuple[Sentences, NDArray[np.int64], list[str]]]:
    """Yield for each text its sentences, tagged by their words alone, the heads of all words, and their relations."""
    for text in texts:
        words = tokenized_sentences(text, language)
        sentences = Sentences.of([{"word": one} for one in words] or [{"word": []}])
        tags = [tag for one in tagger.predict(sentences) for tag in one]
        tagged = sentences.with_column("pos", tags)
        heads, relations = parser.parse(tagged)
        yield tagged, heads, relations or ["dep"] * len(heads)


def conllu_rows(sentences: Sentences, heads: NDArray[np.int64], relations: list[str]) -> str:
    """Return sentences as lines of a CoNLL-U file, a blank line after each."""
    lines: list[str] = []
    columns = zip(sentences.columns["word"], sentences.columns["pos"], heads.tolist(), relations, strict=True)
    ends = set(sentences.ends[1:].tolist())
    number = 0
    for place, (word, tag, head, relation) in enumerate(columns, 1):
        number += 1
        lines.append("\t".join([str(number), word, "_", tag, "_", "_", str(head), relation, "_", "_"]))
        if place in ends:
            lines.append("")
            number = 0
    return "".join(f"{line}\n" for line in lines)
