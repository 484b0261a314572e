"""`Recipe`: everything that decides how `laconic.models.fit_text` makes a model of a corpus."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from laconic.models.text_classifier import TextClassifier

METHODS = ("none", "ridge", "lasso", "elastic")
SPARSE = ("lasso", "elastic")


@dataclass(frozen=True)
class Recipe:
    """The methods to compare, how to choose among them, and how texts become features.

    Parameters
    ----------
    methods : tuple of {"none", "ridge", "lasso", "elastic"}, optional
        Default: ridge, lasso and elastic; with ``words`` only the last two, because the others keep every word.
    metric : str
        One of `laconic.evaluate.METRICS`.
    words : int, optional
        The model may have at most so many words.
    rule : {"one_se", "best"}, optional
        The smallest model within one standard error of the best, or the best. Default: one_se, but best with ``words``.
    analyzer, tokenizer, ngrams, cells, min_df, max_df, strip_mail
        As in `laconic.models.TextClassifier`; the tokenizer by its name.
    class_weight : "balanced" or None
    folds : int
        Of the cross-validation when there is no dev set.
    seed : int
        Of the folds and of bootstrapped standard errors.
    refit : bool
        Whether the final models are trained on train and dev together.

    Examples
    --------
    >>> Recipe().methods_to_compare
    ('ridge', 'lasso', 'elastic')
    >>> small = Recipe(words=20)
    >>> small.methods_to_compare, small.rule_to_follow
    (('lasso', 'elastic'), 'best')
    >>> Recipe.from_dict(small.to_dict()) == small
    True
    """

    methods: tuple[str, ...] | None = None
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

    def __post_init__(self) -> None:
        # What was not given stays None, so that a stored recipe can be used again with another number of words.
        object.__setattr__(self, "methods", tuple(dict.fromkeys(self.methods or ())) or None)
        methods = self.methods_to_compare
        object.__setattr__(self, "ngrams", tuple(self.ngrams))
        if unknown := [method for method in methods if method not in METHODS]:
            raise ValueError(f"There is no method {unknown[0]!r}; use {', '.join(METHODS)}.")
        if self.words is not None and self.words < 1:
            raise ValueError(f"words is {self.words}; a model needs at least one word.")
        if self.words is not None and (dense := [method for method in methods if method not in SPARSE]):
            raise ValueError(
                f"The method {dense[0]} keeps every word of the texts, so it cannot be held to {self.words} words; "
                f"use {' or '.join(SPARSE)}."
            )
        if self.rule not in (None, "one_se", "best"):
            raise ValueError(f"rule is {self.rule!r}; allowed are 'one_se', 'best' and None.")
        if self.class_weight not in (None, "balanced"):
            raise ValueError(f"class_weight is {self.class_weight!r}; allowed are 'balanced' and None.")

    @property
    def methods_to_compare(self) -> tuple[str, ...]:
        """The methods that were given, or the default."""
        return self.methods or (SPARSE if self.words is not None else ("ridge", *SPARSE))

    @property
    def rule_to_follow(self) -> str:
        """The rule that was given, or the default."""
        return self.rule or ("best" if self.words is not None else "one_se")

    def classifier(self) -> "TextClassifier":
        """Return an unfitted `TextClassifier` with the recipe's features; its penalty is still to be set."""
        from laconic.linear import ElasticNetClassifier
        from laconic.models.text_classifier import TextClassifier

        return TextClassifier(
            ElasticNetClassifier(class_weight=self.class_weight),
            analyzer=self.analyzer,
            tokenizer=self.tokenizer,
            ngrams=self.ngrams,
            cells=self.cells,
            min_df=self.min_df,
            max_df=self.max_df,
            strip_mail=self.strip_mail,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make a recipe from what `to_dict` returned; entries that are left out take their defaults."""
        allowed = [field.name for field in fields(cls)]
        if unknown := [name for name in data if name not in allowed]:
            raise ValueError(f"A recipe has no entry {unknown[0]!r}; its entries are {', '.join(allowed)}.")
        given: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in data.items()}
        return cls(**given)
