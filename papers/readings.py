"""What else is read off a model for the papers' other tables and figures.

- ``words``: the words of the largest weights for each class (W-NUT Table 4).
- ``curve``: dev accuracy against the number of atoms (W-NUT Figure 4).
- ``sentences``: for one training document, the influence of every sentence, log P(y | document) − log P(y | document
  without it), and whether it was selected (ICML Tables 3 and 4).
- ``groups``: how many groups were selected and removed, with examples (ACL Tables 6 and 7).

Texts of the data sets may not be passed on: of sentences only the words that have a weight are written down.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from laconic.data.document import Document
from laconic.models.text_classifier import TextClassifier
from papers.cells import Cell
from papers.searches import Search
from papers.tasks import bag_of, design_of, splits_of

WORDS, EXAMPLES, MEMBERS = 5, 4, 8
MANY = 50  # words to look through for those to show
SENTENCES = (5, 12)  # of a document that is shown
SMALL = 1e-3  # weights below this are not shown, as in the papers


def read_details(
    cell: Cell, model: Any, search: Search, curve: list[list[float]], data_dir: str | None
) -> dict[str, Any]:
    """Return what the cell asks for, as plain data."""
    words = design_of(cell.task, search.view, data_dir).vocabulary.words
    found: dict[str, Any] = {}
    if "words" in cell.details:
        found["words"] = largest_words(model, words)
    if "curve" in cell.details:
        found["curve"] = curve
    if "groups" in cell.details:
        found["groups"] = group_examples(model, words)
    if "sentences" in cell.details:
        found["sentences"] = sentence_influences(cell, model, search, data_dir)
    return found


def largest_words(model: Any, words: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the words of the largest weights for each of two classes."""
    weights = np.asarray(model.coef_)[0]
    order = np.argsort(-weights, kind="stable")
    first, second = (str(label) for label in model.classes_.tolist())
    return {
        second: plain_words([words[j] for j in order[:MANY] if weights[j] > 0])[:WORDS],
        first: plain_words([words[j] for j in order[::-1][:MANY] if weights[j] < 0])[:WORDS],
    }


def plain_words(words: Sequence[str]) -> list[str]:
    """Return words without addresses, numbers and the like, which may name persons."""
    return [word for word in words if word.replace("-", "").replace("'", "").isalpha()]


def group_examples(model: Any, words: tuple[str, ...]) -> dict[str, Any]:
    """Return numbers of selected and removed groups, the strongest of the former and the largest of the latter."""
    groups, selected = model.groups_, model.selected_groups_
    kept = set(selected.indices.tolist())
    weights = np.abs(np.asarray(model.coef_)).max(axis=0)
    removed = sorted((g for g in range(len(groups)) if g not in kept), key=lambda g: (-groups.sizes[g], g))

    def shown(g: int, heaviest: bool) -> list[str]:
        members = groups.members(g).tolist()
        if heaviest:
            members = sorted((j for j in members if weights[j] > SMALL), key=lambda j: -weights[j])
        return plain_words([words[j] for j in members])[:MEMBERS]

    return {
        "selected": len(selected),
        "removed": len(removed),
        "selected_examples": [shown(g, True) for g in selected.indices[:EXAMPLES].tolist()],
        "removed_examples": [shown(g, False) for g in removed[:EXAMPLES]],
    }


def sentence_influences(cell: Cell, model: Any, search: Search, data_dir: str | None) -> dict[str, Any]:
    """Return the influence of the sentences of one training document, the same for all methods."""
    train = splits_of(cell.task, data_dir).train
    groups = getattr(model, "groups_", None)
    estimator = clone(model)
    if groups is not None:
        estimator.set_params(groups=None)
    bag = bag_of(cell.task, search.view)
    text_model = TextClassifier(
        estimator,
        groups,
        tokenizer=search.view.tokenizer,
        ngrams=bag.analyzer.ngrams,
        cells=bag.cells,
        min_df=bag.min_df,
    )
    text_model.fit(list(train), list(train.labels or ()))
    second = max(train.classes)
    documents = sorted(
        (one for one in train if one.label == second), key=lambda one: hashlib.sha256(one.id.encode()).hexdigest()
    )
    document, parts = _first_of_length(text_model, documents, second)
    return {
        "document": document.id,
        "label": str(second),
        "influence": [part.influence for part in parts],
        "selected": [part.selected for part in parts],
        "words": [plain_words(part.words)[:WORDS] for part in parts],
    }


def _first_of_length(model: TextClassifier, documents: list[Document], label: Any) -> tuple[Document, Any]:
    scorer = model.to_scorer()
    for document in documents:
        parts = scorer.sentences(document, label)
        if SENTENCES[0] <= len(parts) <= SENTENCES[1]:
            return document, parts
    return documents[0], scorer.sentences(documents[0], label)
