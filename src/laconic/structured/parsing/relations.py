"""Names for the arcs of a tree: a tagger over the words of a sentence that sees each word's head.

The head of a word, its own head, and the first and last word below it become columns of the word; on these and on the
word's neighbours a linear chain (see `laconic.structured.tagging.fit`) chooses the relation.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.annotated.sentences import Sentences
from laconic.structured.parsing.relation_columns import FROM_HEAD, with_heads
from laconic.structured.tagging.fit import fit_chain
from laconic.structured.tagging.model import ChainModel
from laconic.structured.tagging.settings import TaggerSettings

TEMPLATES = (
    *(f"{column}[0]" for column in ("word", "lemma", "pos", "xpos", "feats", "suffix3")),
    *(f"head_{column}[0] & side[0]" for column in FROM_HEAD),
    "distance[0] & side[0]",
    "pos[0] & head_pos[0] & side[0]",
    "xpos[0] & head_xpos[0] & side[0]",
    "xpos[0] & head_xpos[0] & side[0] & distance[0]",
    "feats[0] & head_xpos[0] & side[0]",
    "feats[0] & head_feats[0] & xpos[0]",
    "lemma[0] & head_xpos[0] & side[0]",
    "xpos[0] & head_lemma[0] & side[0]",
    "lemma[0] & head_lemma[0]",
    "xpos[0] & head_xpos[0] & over_xpos[0]",
    "xpos[-1..0] & side[0]",
    "xpos[0..1] & side[0]",
    "xpos[-1..1] & head_xpos[0]",
    "lemma[-1] & xpos[0] & side[0]",
    "lemma[1] & xpos[0] & side[0]",
    "xpos[0] & first_xpos[0] & side[0]",
    "xpos[0] & first_lemma[0]",
    "xpos[0] & last_xpos[0] & side[0]",
    "xpos[0] & head_xpos[0] & before_xpos[0] & side[0]",
    "xpos[0] & head_xpos[0] & after_xpos[0] & side[0]",
)


def fit_relations(
    sentences: Sentences, heads: NDArray[np.int64], relations: Sequence[str], random_state: int
) -> ChainModel:
    """Return a chain that names arcs, by the averaged perceptron; sentences need all columns of arc templates."""
    given = with_heads(sentences, heads)
    tags = Sentences({"tag": list(relations)}, sentences.lengths).split("tag")
    settings = TaggerSettings(TEMPLATES, loss="perceptron", random_state=random_state)
    return fit_chain(given, tags, settings).model
