"""`Recipe`: everything that decides how `laconic.models.fit_text` makes a model of a corpus."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

from laconic.core.calibration import KINDS
from laconic.core.edits import Edits

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier

METHODS = ("none", "ridge", "lasso", "elastic", "omp", "group", "gomp")
SPARSE = ("lasso", "elastic", "omp", "group", "gomp")
PURSUITS = ("omp", "gomp")
GROUPED = ("group", "gomp")
ALLOWED = {"rule": ("sparse", "one_se", "best"), "class_weight": ("balanced",), "calibrate": KINDS[:-1]}


@dataclass(frozen=True)
class Recipe:
    """The methods to compare, how to choose among them, and how texts become features.

    Parameters
    ----------
    methods : tuple of {"none", "ridge", "lasso", "elastic", "omp", "group", "gomp"}, optional
        Default: ridge, lasso, elastic and omp, and with ``groups`` group and gomp; with ``words`` without ridge, which
        keeps every word.
    groups : tuple of str, optional
        Groups of words for the methods group and gomp: "sentences", "sentences:paragraph", "sentences:document",
        or another kind of `laconic.groups.kinds`, or the names of ``.json`` files; several families are put together.
    metric : str
        One of `laconic.evaluate.METRICS`.
    words : int, optional
        The model may have at most so many words.
    budget : int, optional
        How many words omp and gomp choose at most; see `laconic.models.search.runs.budgets_up_to`.
    rule : {"sparse", "one_se", "best"}, optional
        The smallest sparse model within one standard error, or half a point if that is more, of the best sparse model;
        the smallest of all models within one standard error of the best; or the best. Default: sparse, but best with
        ``words``.
    analyzer, tokenizer, ngrams, cells, min_df, max_df, strip_mail
        As in `laconic.models.TextClassifier`; the tokenizer by its name.
    class_weight : "balanced" or None
    folds : int
        Of the cross-validation when there is no dev set.
    seed : int
        Of the folds and of bootstrapped standard errors.
    refit : bool
        Whether the final models are trained on train and dev together.
    resamples : int
        How many halves of the texts are fitted to see which words of a sparse model come back; see
        `laconic.models.search.word_stability`.
    group_cache : str, optional
        A folder to keep groups in; see `laconic.groups.CachedGroups`.
    refit_support : bool
        Whether lasso, elastic and group fit the words that they chose once more without shrinking them.
    calibrate : {"sigmoid", "isotonic"}, optional
        Calibrate the probabilities of the model that is kept, on the dev set or out of fold.
    thresholds : tuple of str, optional
        Goals such as "precision=0.95" (for every class) or "spam:recall=0.9"; see
        `laconic.TextClassifier.calibrate`.
    prior : tuple of str, optional
        Shares of classes where the model will be used, such as "spam=0.01"; needs ``calibrate``.
    edits : Edits, optional
        Words to ban or keep, signs and factors; see `laconic.Edits`.

    Examples
    --------
    >>> Recipe().methods_to_compare
    ('ridge', 'lasso', 'elastic', 'omp')
    >>> small = Recipe(words=20)
    >>> small.methods_to_compare, small.rule_to_follow
    (('lasso', 'elastic', 'omp'), 'best')
    >>> Recipe.from_dict(small.to_dict()) == small
    True
    """

    methods: tuple[str, ...] | None = None
    groups: tuple[str, ...] | None = None
    metric: str = "accuracy"
    words: int | None = None
    rule: str | None = None
    analyzer: str = "word"
    tokenizer: str = "default"
    ngrams: tuple[int, int] = (1, 1)
    cells: str = "binary"
    min_df: int | float = 1
    max_df: int | float = 1.0
    strip_mail: bool = False
    class_weight: str | None = None
    folds: int = 5
    seed: int = 0
    refit: bool = False
    budget: int | None = None
    group_cache: str | None = None
    refit_support: bool = False
    calibrate: str | None = None
    thresholds: tuple[str, ...] | None = None
    prior: tuple[str, ...] | None = None
    edits: Edits | None = None
    resamples: int = 0

    def __post_init__(self) -> None:
        # What was not given stays None, so that a stored recipe can be used again with another number of words.
        for name in ("methods", "groups"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name) or ())) or None)
        for name in ("thresholds", "prior"):
            object.__setattr__(self, name, tuple(getattr(self, name) or ()) or None)
        object.__setattr__(self, "ngrams", tuple(self.ngrams))
        self._check_methods()
        self._check_groups()
        self._check_budget()
        if isinstance(self.resamples, bool) or not isinstance(self.resamples, int) or self.resamples < 0:
            raise ValueError(f"resamples is {self.resamples!r}; it is a number of halves to fit, 0 for none.")
        for name, allowed in ALLOWED.items():
            if getattr(self, name) not in (*allowed, None):
                listed = ", ".join(map(repr, allowed))
                raise ValueError(f"{name} is {getattr(self, name)!r}; allowed are {listed} and None.")
        if self.prior is not None and self.calibrate is None:
            raise ValueError("A prior corrects calibrated probabilities: calibrate as well.")
        self.priors()

    @property
    def methods_to_compare(self) -> tuple[str, ...]:
        """The methods that were given, or the default."""
        default = tuple(method for method in SPARSE if method not in GROUPED or self.groups)
        return self.methods or (default if self.words is not None else ("ridge", *default))

    @property
    def rule_to_follow(self) -> str:
        """The rule that was given, or the default."""
        return self.rule or ("best" if self.words is not None else "sparse")

    @property
    def rule_in_method(self) -> str:
        """The rule by which a method takes one of its own settings."""
        return "one_se" if self.rule_to_follow == "sparse" else self.rule_to_follow

    def builders(self) -> list[Any] | None:
        """Return the builders of the groups."""
        from laconic.groups.builder import CachedGroups
        from laconic.groups.kinds import builder_of

        if self.groups is None:
            return None
        builders = [builder_of(kind) for kind in self.groups]
        return builders if self.group_cache is None else [CachedGroups(each, self.group_cache) for each in builders]

    def classifier(self, method: str = "elastic") -> "TextClassifier":
        """Return an unfitted `TextClassifier` for a method; its penalty is still to be set."""
        from laconic.models.text_classifier import TextClassifier

        return TextClassifier(
            self._estimator(method),
            self.builders() if method in GROUPED else None,
            analyzer=self.analyzer,
            tokenizer=self.tokenizer,
            ngrams=self.ngrams,
            cells=self.cells,
            min_df=self.min_df,
            max_df=self.max_df,
            strip_mail=self.strip_mail,
            # A fold's training texts may lack some of the words; those of all texts are checked before.
            edits=replace(self.edits, skip_unknown=True) if self.edits else None,
        )

    def _estimator(self, method: str) -> Any:
        from laconic.linear.elastic_net import ElasticNetClassifier
        from laconic.linear.group_lasso import GroupLassoClassifier
        from laconic.linear.pursuit import GroupOMPClassifier, OMPClassifier

        balance: dict[str, Any] = {"class_weight": self.class_weight}
        # Refits on columns of unit length choose frequent words, which tell more of new texts than rare ones.
        if method == "omp":
            return OMPClassifier(refit="scaled", **balance)
        if method == "gomp":
            return GroupOMPClassifier(refit="scaled", overshoot="trim", **balance)
        sparse: dict[str, Any] = {**balance, "refit_support": self.refit_support}
        return GroupLassoClassifier(**sparse) if method == "group" else ElasticNetClassifier(**sparse)

    def priors(self) -> dict[str, float] | None:
        """Return the shares of classes by their names."""
        if self.prior is None:
            return None
        priors: dict[str, float] = {}
        for text in self.prior:
            label, _, share = text.rpartition("=")
            try:
                number = float(share)
            except ValueError:
                number = 0.0
            if not label or not 0.0 < number < 1.0:
                raise ValueError(f"{text!r} is no prior; write the share of a class like spam=0.01.")
            if label in priors:
                raise ValueError(f"The class {label!r} has two priors; give it one.")
            priors[label] = number
        return priors

    def _check_methods(self) -> None:
        methods = self.methods_to_compare
        if unknown := [method for method in methods if method not in METHODS]:
            raise ValueError(f"There is no method {unknown[0]!r}; use {', '.join(METHODS)}.")
        if self.words is not None and self.words < 1:
            raise ValueError(f"words is {self.words}; a model needs at least one word.")
        if self.words is not None and (dense := [method for method in methods if method not in SPARSE]):
            raise ValueError(
                f"The method {dense[0]} keeps every word of the texts, so it cannot be held to {self.words} words; "
                f"use {' or '.join(SPARSE)}."
            )

    def _check_budget(self) -> None:
        if self.budget is None:
            return
        if isinstance(self.budget, bool) or not isinstance(self.budget, int) or self.budget < 1:
            raise ValueError(f"budget is {self.budget!r}; it is a number of words, at least 1.")
        methods = self.methods_to_compare
        if not set(methods) & set(PURSUITS):
            raise ValueError(
                f"The method {' and '.join(methods)} has no budget, but a budget of {self.budget} was given; add the "
                f"method {' or '.join(PURSUITS)}, or ask for a number of words."
            )

    def _check_groups(self) -> None:
        for kind in self.groups or ():
            if not isinstance(kind, str):
                raise TypeError(f"groups holds {kind!r}; a recipe names groups by strings such as 'sentences'.")
        self.builders()
        methods = self.methods_to_compare
        if self.groups and not set(methods) & set(GROUPED):
            raise ValueError(
                f"The method {' and '.join(methods)} has no groups, but groups were given ({', '.join(self.groups)}); "
                "add the method group or gomp, or leave out the groups."
            )
        if not self.groups and (grouped := [method for method in methods if method in GROUPED]):
            raise ValueError(f"The method {grouped[0]} needs groups, such as sentences or a file {{name: [word, …]}}.")

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data for JSON."""
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}
        return {**plain, "edits": self.edits.to_json() if self.edits else None}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make a recipe from what `to_dict` returned; entries that are left out take their defaults."""
        allowed = [field.name for field in fields(cls)]
        if unknown := [name for name in data if name not in allowed]:
            raise ValueError(f"A recipe has no entry {unknown[0]!r}; its entries are {', '.join(allowed)}.")
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        edits = given.pop("edits", None)
        return cls(**given, edits=Edits.from_json(edits) if edits else None)


def classifier_of(facts: Mapping[str, Any]) -> "TextClassifier":
    """Return an unfitted classifier with the features, groups and penalty that ``laconic fit`` noted in model.json."""
    extra = facts.get("extra") or {}
    if "recipe" not in extra or "chosen" not in extra:
        raise ValueError("The model does not say how it was made; use one that laconic fit made.")
    chosen = extra["chosen"]
    classifier = Recipe.from_dict(extra["recipe"]).classifier(chosen["method"])
    known = classifier.estimator.get_params(deep=False)
    penalty = {name: chosen[name] for name in ("l1", "l2", "group", "budget") if name in known}
    classifier.estimator.set_params(**penalty)
    return classifier
