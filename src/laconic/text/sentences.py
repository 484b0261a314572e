"""Sentences with character offsets, by sentencex (rules and abbreviation lists, offline, many languages).

sentencex splits silently by its English rules when it does not know a language code, so codes are checked here.
"""

import re
from collections.abc import Sequence

# ISO 639-1
CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el
en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu
ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na
nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so
sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
LANGUAGES = frozenset(CODES.split())
LONGEST = 200  # words: what is longer is no sentence but a table or code, and the arcs of a parse grow with the square


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Return start and end of each sentence, in order, in code points, without the white space around it.

    Parameters
    ----------
    text : str
    language : str, default="en"
        Two-letter ISO 639-1 code. Languages for which sentencex has no rules of its own use those of a related
        language or of English, which know the sentence marks of all scripts.

    Examples
    --------
    >>> text = "Dr. Smith left. 你好。再见。"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Smith left.', '你好。', '再见。']
    """
    if not isinstance(text, str):
        raise TypeError(f"sentence_spans takes a text, but got {type(text).__name__}.")
    if not isinstance(language, str) or language not in LANGUAGES:
        close = str(language)[:2].lower()
        raise ValueError(
            f"Unknown language {language!r}; use a two-letter ISO 639-1 code in lower case such as 'en', 'de' or 'zh'"
            + (f" (here perhaps {close!r})." if close in LANGUAGES else ".")
        )
    import sentencex

    # a lone surrogate cannot cross into sentencex; one replacement character for it keeps the offsets
    boundaries = sentencex.get_sentence_boundaries(language, _SURROGATE.sub("\ufffd", text))
    spans = (_trim(text, sentence["start_index"], sentence["end_index"]) for sentence in boundaries)
    return [(start, end) for start, end in spans if start < end]


def located_sentences(text: str, sentences: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return start and end of given sentences in their text, or None unless all are found, in order."""
    spans, end = [], 0
    for sentence in sentences:
        start = text.find(sentence, end)
        if start < 0:
            return None
        end = start + len(sentence)
        spans.append((start, end))
    return spans


def tokenized_sentences(text: str, language: str = "en") -> list[list[str]]:
    """Return the sentences of a text as lists of words and signs; those above 200 words are cut into pieces."""
    found = [_WORD.findall(text[start:end]) for start, end in sentence_spans(text, language)]
    return [one[start : start + LONGEST] for one in found for start in range(0, len(one), LONGEST)]


_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())
