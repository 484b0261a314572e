"""`evaluate`, `compare_models` and `stability`: what labelled documents tell about saved models."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from laconic.workflows.sources import Reading, load_text_model, read_split, stored_reading
from laconic.workflows.watch import SILENT, Watch

if TYPE_CHECKING:
    from laconic.core.summaries.summary import Scores
    from laconic.data import Corpus
    from laconic.evaluate.inference import Versus
    from laconic.evaluate.metrics.evaluation import LabelEvaluation
    from laconic.evaluate.resampling.stability_selection import Stability


def evaluate(
    model: str, source: str, reading: Reading, watch: Watch = SILENT
) -> "tuple[Corpus, Scores | LabelEvaluation]":
    """Score a saved model on labelled texts; return them and the scores, of several labels those of each label."""
    from laconic.report import summarize

    scorer = load_text_model(model, several=True)
    corpus = read_split(source, reading, stored_reading(scorer.info), watch=watch)
    if scorer.model.several:
        return corpus, label_scores(scorer, corpus)
    scores = summarize(scorer, corpus, title=model, groups=0).scores
    assert scores is not None
    return corpus, scores


def label_scores(scorer: Any, corpus: "Corpus") -> "LabelEvaluation":
    """Return the scores of a multi-label model."""
    from laconic.evaluate.metrics.evaluation import evaluate_labels

    return evaluate_labels(scorer.predict(corpus.texts), corpus.labels or (), list(scorer.model.classes))


def compare_models(
    models: Sequence[str], source: str, reading: Reading, watch: Watch = SILENT
) -> "tuple[Corpus, list[Versus], dict[str, int]]":
    """Compare saved models with the first; return the documents, a row per model, and how many words each has."""
    from laconic.evaluate import compare
    from laconic.evaluate.metrics.scores import as_labels, check_same_kind, check_some_known

    scorers = {name: load_text_model(name) for name in models}
    earlier = [stored_reading(scorer.info) for scorer in scorers.values()]
    corpus = read_split(source, reading, *earlier, watch=watch)
    texts, labels = list(corpus.texts), list(corpus.labels or ())
    truth = as_labels(labels, "y")
    for name, scorer in scorers.items():
        classes = as_labels(scorer.classes_, "classes_")
        check_same_kind(truth, classes, f"the model {name}")
        check_some_known(truth, classes, f"the model {name}'s")
    rows = compare(labels, {name: scorer.predict(texts) for name, scorer in scorers.items()})
    return corpus, rows, {name: len(scorer.model.words) for name, scorer in scorers.items()}


def stability(
    model: str, source: str, reading: Reading, watch: Watch = SILENT, **options: Any
) -> tuple[Any, "dict[Any, Stability]"]:
    """Refit the method of a saved model on subsamples; return the model, and by label (or None) what came back."""
    scorer = load_text_model(model, several=True)
    classifier = _unfitted(scorer)
    corpus = read_split(source, reading, stored_reading(scorer.info), split="train", watch=watch)
    watch.advance(0, None)
    found = classifier.stability(corpus, list(corpus.labels or ()), progress=watch.advance, **options)
    return scorer, found if scorer.model.several else {None: found}


def _unfitted(scorer: Any) -> Any:
    """Return the unfitted classifier behind a model that ``laconic fit`` made."""
    from laconic.models.folder.restore import restore_unfitted
    from laconic.models.search.recipe import Recipe, classifier_of

    if not scorer.model.several:
        return classifier_of(scorer.info)
    stored = (scorer.info.get("extra") or {}).get("recipe")
    if stored is None:
        raise ValueError("The model does not say how it was made; use one that laconic fit made.")
    classifier: Any = restore_unfitted(scorer.model, scorer.info)
    classifier.text.set_params(groups=Recipe.from_dict(stored).builders())
    return classifier
