"""The training matrix in a folder of its own, beside a model: what makes a later edit a matter of a moment.

A model folder never holds training texts, and can be shipped alone. This one says which words every training document
has, so it is made only when asked for (``laconic fit --editable``) and stays where the texts may be; its files:
docs/export.md.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from laconic.core.folder import load_folder, save_folder
from laconic.core.groups import Groups
from laconic.data.corpus import Corpus
from laconic.models.text_model import TextModel
from laconic.text import Design, Vocabulary

KIND = "training design"


@dataclass(frozen=True)
class KeptDesign:
    """A training matrix with its labels (or which document has which class) and groups, and what it was made of."""

    design: Design
    labels: NDArray[Any]
    groups: Groups | None
    documents: dict[str, Any]
    text: dict[str, Any]
    classes: tuple[Any, ...] = ()

    def given_labels(self) -> list[Any]:
        """Return the label of every document, or the list of its labels, as a fit takes them."""
        if self.labels.ndim == 1:
            return self.labels.tolist()
        return [[self.classes[k] for k in np.flatnonzero(row)] for row in self.labels]


def design_folder(model: str | os.PathLike) -> Path:
    """Return where the training matrix of a model is kept: beside it, as ``reviews.design`` of ``reviews.laconic``."""
    place = Path(model)
    return place.with_name(f"{place.name.removesuffix('.laconic')}.design")


def keep_design(folder: str | os.PathLike, model: TextModel, corpus: Corpus, overwrite: bool = False) -> Path:
    """Save the matrix that a fitted model was trained on.

    Parameters
    ----------
    folder : path
    model : TextClassifier or MultilabelTextClassifier
        Fitted on the documents, by an estimator of laconic.
    corpus : Corpus
        The documents, labelled.
    overwrite : bool
        Overwrite an existing matrix.

    Examples
    --------
    >>> import tempfile
    >>> from laconic.models import TextClassifier
    >>> letters = Corpus.from_lists(["broken lamp", "kind thanks"], ["repair", "praise"])
    >>> model = TextClassifier().fit(letters, letters.labels)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     kept = load_design(keep_design(f"{place}/letters.design", model, letters))
    >>> kept.design.X.shape, kept.labels.tolist()
    ((2, 4), ['repair', 'praise'])
    """
    bag = model._reader().bag_of_words()
    design, classes = bag.fit(corpus.texts), model.classes_.tolist()
    X, has = design.X, model.link.has(model.link.checked(corpus.labels, len(corpus)), classes)
    parts: dict[str, Any] = {
        "words.json": list(design.vocabulary.words),
        "document_frequency.npy": design.vocabulary.document_frequency,
        "ends.npy": X.indptr,
        "columns.npy": X.indices,
        "labels.npy": has if model.link.several else has.argmax(axis=1).astype(np.int32),
    }
    if not np.all(X.data == 1.0):
        parts["cells.npy"] = X.data
    groups = getattr(model.estimator_, "groups", None)
    if isinstance(groups, Groups):
        parts["groups.json"] = groups.to_json()
    documents = {"name": corpus.name, "documents": len(corpus), "fingerprint": corpus.fingerprint()}
    facts = {"kind": KIND, "classes": classes, "documents": documents, "text": text_facts(model)}
    return save_folder(folder, facts, parts, overwrite=overwrite)


def load_design(folder: str | os.PathLike) -> KeptDesign:
    """Read a kept matrix; refuse one that is damaged or of another kind."""
    facts, parts = load_folder(folder)
    if facts.get("kind") != KIND:
        raise ValueError(f"{folder} is a {facts.get('kind')!r}, not a {KIND}.")
    words, ends, columns = parts["words.json"], parts["ends.npy"], parts["columns.npy"]
    cells = parts.get("cells.npy", np.ones(len(columns)))
    n = len(ends) - 1
    labels = parts["labels.npy"]
    return KeptDesign(
        Design(
            csr_array((cells, columns, ends), shape=(n, len(words))),
            Vocabulary(tuple(words), parts["document_frequency.npy"], n),
        ),
        labels if labels.ndim == 2 else np.array(facts["classes"])[labels],
        Groups.from_json(parts["groups.json"]) if "groups.json" in parts else None,
        facts["documents"],
        facts["text"],
        tuple(facts["classes"]),
    )


def check_kept_text(kept: KeptDesign, model: TextModel) -> None:
    """Raise ValueError unless a kept matrix was made with the text parameters of a model."""
    if kept.text != text_facts(model):
        raise ValueError(
            "The training matrix that was kept was made with other text parameters (tokens, cells, min_df, max_df) "
            "than the model; edit from the texts, or fit again with --editable."
        )


def text_facts(model: TextModel) -> dict[str, Any]:
    """Return how texts become a matrix, as plain data."""
    bag = model._reader().bag_of_words()
    return {"analyzer": bag.analyzer.to_json(), "cells": bag.cells, "min_df": bag.min_df, "max_df": bag.max_df}
