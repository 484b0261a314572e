"""`fit_text` and `fit_labels`: from labelled texts to the smallest good model, the whole job behind ``laconic fit``.

Settings are tuned on the dev set, or by stratified folds without one: of texts with one label each, every method of the
recipe, among which `laconic.models.search.choose_method` then takes one; of texts with several labels, one method for
every label by itself, see `laconic.models.search.tune_labels`. Test documents are scored once, after everything is
settled.
"""

import warnings
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from laconic.core.interruption import Stop
from laconic.core.summaries.comparison import Comparison, Contender
from laconic.core.values import excerpt
from laconic.data.corpus import Corpus
from laconic.evaluate.calibration import parse_goals
from laconic.evaluate.metrics.evaluation import LabelEvaluation, evaluate_labels
from laconic.groups.given import built_groups
from laconic.linear.edit_constraints import spelled_out
from laconic.models.links import INDEPENDENT, SOFTMAX, Link
from laconic.models.multilabel import MultilabelTextClassifier
from laconic.models.scoring.calibration import calibrate_by
from laconic.models.search.choose_method import best_of_all, compared, kept_method, settle
from laconic.models.search.contenders import chosen_facts, config_of, contender, test_score
from laconic.models.search.frontier import frontier, majority_on
from laconic.models.search.recipe import SPARSE, Recipe
from laconic.models.search.text_search import Progress, TextSearch
from laconic.models.search.tried import OneLabel, Tried
from laconic.models.search.tune_labels import LabelRow, tune_labels
from laconic.models.text_classifier import TextClassifier


class Search(Protocol):
    """What was tried of each method, and the final models of it."""

    recipe: Recipe
    tried: dict[str, list[Tried]]
    seconds: defaultdict[str, float]
    judge: OneLabel
    scored_on: str

    @property
    def counts(self) -> Mapping[Any, int]:
        """Training documents of each class."""

    def final(self, method: str, place: int, with_path: bool = False) -> tuple[int, TextClassifier]: ...
    def stability(self, model: TextClassifier) -> None: ...


@dataclass(frozen=True)
class FittedText:
    """What `fit_text` made.

    Attributes
    ----------
    model : TextClassifier
        The one that was kept, fitted.
    comparison : Comparison
    config : dict
        The recipe, the penalty that was taken, the data's fingerprints and the versions: plain data to be saved with
        the model, without timings.
    """

    model: TextClassifier
    comparison: Comparison
    config: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the model."""
        return {"comparison": {**asdict(self.comparison), "doubts": self.comparison.doubts}, "config": self.config}


@dataclass(frozen=True)
class FittedLabels:
    """What `fit_labels` made: the model, a row per label and why, scores on test documents if any, and its config."""

    model: MultilabelTextClassifier
    rows: tuple[LabelRow, ...]
    reason: str
    test: LabelEvaluation | None
    config: dict[str, Any]

    @property
    def doubts(self) -> list[str]:
        """What to know before the model is trusted, a sentence each."""
        lost = [row.label for row in self.rows if not row.f1]
        more = f" and {rest:,} more label{'s' * (rest > 1)}" if (rest := len(lost) - 1) > 0 else ""
        return [f"The model never gets {excerpt(lost[0])}{more} right."] if lost else []

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the model."""
        test = None if self.test is None else self.test.to_dict()
        rows = [asdict(row) for row in self.rows]
        facts = {"labels": rows, "reason": self.reason, "doubts": self.doubts, "test": test}
        return {**facts, "config": self.config}


def fit_text(
    train: Corpus,
    *,
    dev: Corpus | None = None,
    test: Corpus | None = None,
    recipe: Recipe | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> FittedText:
    """Compare methods on labelled texts and keep the smallest good model.

    Parameters
    ----------
    train : Corpus
        Labelled.
    dev : Corpus, optional
        Documents to tune on; without them ``train`` is cut into folds, and the final models are fitted on all of it.
    test : Corpus, optional
        Documents to score the chosen models on.
    recipe : Recipe, optional
    progress : callable, optional
        Called as ``progress(done, total, method, best)``; ``best`` is a row of the best candidate so far, or None.
    stop : Stop, optional
        Ends the search after some time or on request; what is done so far counts, and ``config["left_out"]`` says what
        was not tried.

    Examples
    --------
    >>> from laconic.data import demo
    >>> letters = demo()
    >>> made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso",)))
    >>> made.comparison.chosen.words == made.model.n_words_ < 300
    True
    """
    recipe = _checked_recipe(recipe, SOFTMAX, train, dev, test)
    with warnings.catch_warnings():
        # A fit in a fold that stops early shows in its gap; of the model that is kept, the gap is checked below.
        warnings.simplefilter("ignore")
        search = TextSearch(recipe, train, dev, progress, stop or Stop())
        search.run()
        comparison, model = kept_model(search, test)
    _warn_if_inexact(model)
    _calibrate(recipe, model, train, dev)
    config = config_of(recipe, chosen_facts(comparison), {"train": train, "dev": dev, "test": test}, comparison)
    if search.left_out:
        config["left_out"] = search.left_out
    return FittedText(model, comparison, config)


def fit_labels(
    train: Corpus,
    *,
    dev: Corpus | None = None,
    test: Corpus | None = None,
    recipe: Recipe | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    stop: Stop | None = None,
) -> FittedLabels:
    """Fit one model to texts with lists of labels, by one method: lasso by default, or with groups the group lasso.

    Arguments are those of `fit_text`, but that progress is called as ``progress(done, total, label)``.
    """
    method = _method_for_labels(recipe or Recipe())
    recipe = _checked_recipe(recipe, INDEPENDENT, train, dev, test)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit in a fold that stops early shows in its score
        model, rows, reason, left_out = tune_labels(method, recipe, train, dev, progress, stop)
    _calibrate(recipe, model, train, dev)
    scores = None
    if test is not None:
        scores = evaluate_labels(model.predict(test), test.labels or (), model.classes_.tolist())
    config = config_of(recipe, {"method": method}, {"train": train, "dev": dev, "test": test})
    if left_out:
        config["left_out"] = left_out
    return FittedLabels(model, rows, reason, scores, config)


def kept_model(search: Search, test: Corpus | None) -> tuple[Comparison, TextClassifier]:
    """Return the comparison of the methods and the model to keep; others are fitted only to be scored on test."""
    recipe, tried = search.recipe, search.tried
    settled = settle(tried, recipe)
    entered = {method: tried[method][place] for method, place in settled.items()}
    kept = kept_method(entered, best_of_all(tried, recipe), recipe)
    rows: dict[str, Contender] = {}
    models: dict[str, TextClassifier] = {}
    for method, place in settled.items():
        model = None
        if method == kept or test is not None:
            place, model = search.final(method, place, with_path=method == kept)
            models[method] = model
        if model is not None and method == kept and method in SPARSE:
            search.stability(model)
        row = contender(tried[method][place], search.seconds[method], model)
        score = None if test is None or model is None else test_score(model, test, recipe.metric)
        rows[method] = replace(row, test=score, chosen=method == kept)
        if method == kept:
            chosen = tried[method][place]
    always, *others = frontier(tried, chosen, search.judge.majority(search.counts), recipe.metric)
    if test is not None:
        always = replace(always, test=majority_on(test, search.counts, recipe))
    unpredicted = tuple(models[kept].classes_[list(chosen.unpredicted)].tolist())
    comparison = compared(rows, tried, recipe, search.scored_on)
    return replace(comparison, frontier=(always, *others), unpredicted=unpredicted), models[kept]


def has_several(corpus: Corpus) -> bool:
    """Return whether some document of a corpus has a list of labels."""
    return any(isinstance(label, tuple) for label in corpus.labels or ())


def _checked_recipe(
    recipe: Recipe | None, link: Link, train: Corpus, dev: Corpus | None, test: Corpus | None
) -> Recipe:
    """Refuse documents and a recipe that do not fit together, before any work; return the recipe, ready to be used."""
    recipe = Recipe() if recipe is None else recipe
    for what, corpus in (("training", train), ("dev", dev), ("test", test)):
        if corpus is not None:
            _check_documents(what, corpus, train, link)
    link.classes(link.checked(train.labels, len(train)))
    if recipe.thresholds is not None:
        parse_goals(recipe.thresholds, train.classes)
    link.check_edits(recipe.edits, train.classes)
    for builder in recipe.builders() or ():
        builder.check()
    if recipe.refit and dev is None:
        raise ValueError("refit adds the dev set to the training set, but there is no dev set.")
    return _without_group_names(recipe, train)


def _check_documents(what: str, corpus: Corpus, train: Corpus, link: Link) -> None:
    if corpus.labels is None:
        raise ValueError(f"The {what} documents have no labels; labels are needed here.")
    if not any(text.strip() for text in corpus.texts):
        raise ValueError(f"All {len(corpus)} {what} documents are empty; there is nothing to learn from.")
    if strange := [label for label in corpus.classes if label not in train.classes]:
        raise ValueError(
            f"The {what} documents have the label {strange[0]!r}, which no training document has; drop those "
            "documents or add some to the training set."
        )
    if has_several(corpus) and not link.several:
        raise ValueError(
            f"The {what} documents have lists of labels; use fit_labels or MultilabelTextClassifier, or fit one "
            "label against the rest with Corpus.one_vs_rest."
        )


def _method_for_labels(recipe: Recipe) -> str:
    methods = recipe.methods or (("group",) if recipe.groups else ("lasso",))
    if len(methods) > 1:
        raise ValueError(f"Texts with several labels are fitted by one method, not by {', '.join(methods)}; name one.")
    if given := [name for name in ("words", "prior", "refit") if getattr(recipe, name)]:
        raise ValueError(f"{given[0]} is not for texts with several labels for now; leave it out.")
    return methods[0]


def _without_group_names(recipe: Recipe, train: Corpus) -> Recipe:
    """Return the recipe with words in place of groups in its edits: methods without groups obey them too.

    Groups of a fold may have other names, or other words under the same name.
    """
    edits = recipe.edits
    if edits is None or not (edits.ban_groups or edits.keep_groups):
        return recipe
    bag, builders = recipe.classifier().bag_of_words(), recipe.builders()
    vocabulary = bag.fit(train.texts).vocabulary
    groups = None if builders is None else built_groups(builders, train, vocabulary, bag.analyzer)
    return replace(recipe, edits=spelled_out(edits, groups, vocabulary.words))


def _calibrate(
    recipe: Recipe, model: TextClassifier | MultilabelTextClassifier, train: Corpus, dev: Corpus | None
) -> None:
    if recipe.calibrate is not None or recipe.thresholds is not None:
        calibrate_by(recipe, model, train, dev)


def _warn_if_inexact(model: TextClassifier) -> None:
    solution, tol = model.estimator_.solution_, model.estimator_.tol
    if solution.message:
        warnings.warn(solution.message, stacklevel=3)
    elif not solution.converged:
        warnings.warn(
            f"The fit of the model that was kept stopped at a relative duality gap of {solution.relative_gap:.1e}, "
            f"above {tol:g}: it is not proven to be as close to the optimum as asked.",
            stacklevel=3,
        )
