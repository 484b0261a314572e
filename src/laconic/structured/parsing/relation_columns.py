"""What a word's place in a tree says about its relation, as columns of the word; needs numpy only."""

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences

ROOT, NONE = "⊤", "⊥"
FROM_HEAD = ("word", "lemma", "pos", "xpos", "feats")


def with_heads(sentences: Sentences, heads: NDArray[np.int64]) -> Sentences:
    """Return sentences with columns of each word's head, of the head's head, and of words below and beside it."""
    n = sentences.n_tokens
    first_of = np.repeat(sentences.ends[:-1], sentences.lengths)
    places = np.arange(n) - first_of + 1
    above = np.where(heads > 0, first_of + heads - 1, -1)  # −1 is the root
    over = np.where(above >= 0, above[above], -1)
    columns = dict(sentences.columns)
    for name in FROM_HEAD:
        columns[f"head_{name}"] = _taken(sentences.columns[name], above, ROOT)
    columns["over_xpos"] = _taken(sentences.columns["xpos"], over, ROOT)
    columns["side"] = ["left" if left else "right" for left in (places < heads).tolist()]
    columns["distance"] = [str(one) if one < 4 else "4+" for one in np.abs(places - heads).tolist()]
    first, last = np.full(n, -1), np.full(n, -1)
    before, after = np.full(n, -1), np.full(n, -1)
    latest: dict[int, int] = {}  # the last word seen below a head
    for token, head in enumerate(above.tolist()):
        if head < 0:
            continue
        if first[head] < 0:
            first[head] = token
        last[head] = token
        if head in latest:
            before[token], after[latest[head]] = latest[head], token
        latest[head] = token
    for name, which in (("first", first), ("last", last), ("before", before), ("after", after)):
        columns[f"{name}_xpos"] = _taken(sentences.columns["xpos"], which, NONE)
    columns["first_lemma"] = _taken(sentences.columns["lemma"], first, NONE)
    return Sentences(columns, sentences.lengths, sentences.source)


def _taken(values: list[str], which: NDArray[np.int64], otherwise: str) -> list[str]:
    return [values[i] if i >= 0 else otherwise for i in which.tolist()]
