"""Settings of taggers and parsers: one place for the default of each, what it may be, and its sentence of help.

Estimators take their constructors from these dataclasses, and the command line its options: ``dataclasses.fields``
gives names and defaults, ``metadata`` the help (``"help"``), allowed values (``"among"``) and bounds (``"least"``,
``"above"``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, Field, dataclass, field, fields
from typing import Any

PARSER_LOSSES = ("crf", "svm", "perceptron", "mira", "mira-1best")  # those of the kernels of arcs
LOSSES = (*PARSER_LOSSES,)  # of taggers, which may have some of their own
WITH_COSTS = ("crf", "svm", "mira")  # those that add the cost of wrong answers
WITH_CAP = ("mira", "mira-1best")  # those whose steps may be limited
SELECTION_LOSSES = ("perceptron", "svm", "crf")
SELECTIONS = (
    *("group-lasso", "coarse-to-fine", "tree", "sparse-group", "labels", "lasso", "elastic-net"),
    "information-gain",
)
REFITS = ("free", "observed", "frozen")
OPTIMIZERS = ("adagrad", "sgd", "lbfgs")
WEIGHTINGS = ("log2", "one")
REFIT_HELP = (
    "Features the final fit may use: any of the templates kept (free), only pairs of feature and label seen together "
    "(observed), or those that survived the selection (frozen)."
)


def setting(
    default: Any,
    text: str,
    *,
    among: tuple[str, ...] = (),
    least: float | None = None,
    above: float | None = None,
    mapping: bool = False,
) -> Any:
    """Return a field of settings; an integer ``least`` asks for whole numbers, ``mapping`` allows a dict as well."""
    known = {"help": text, "among": among, "least": least, "above": above, "mapping": mapping}
    return field(default=default, metadata=known)


@dataclass(eq=False)
class Settings:
    """All settings in the order in which a model folder stores them; a parser fixes those that it does not offer."""

    templates: str | Sequence[Any] = setting("minimal", "Name of a template set, or a template.")
    budget: int | None = setting(None, "Select at most B templates before training.", least=1)
    loss: str = setting("crf", "Loss used to train the final weights.", among=LOSSES)
    _: KW_ONLY
    passes: int = setting(5, "Number of training epochs.", least=1)
    optimizer: str = setting("adagrad", "Optimizer of the crf loss.", among=OPTIMIZERS)
    rate: float = setting(0.1, "Step size of the crf and svm losses; smaller steps need more epochs.", above=0.0)
    l2: float = setting(0.05, "λ₂ of the crf loss.", least=0.0)
    damping: float = setting(0.0, "Above 0, the first crf steps on rare features are shorter.", least=0.0)
    cap: float | None = setting(None, "Largest step of mira, its C.", above=0.0)
    average: bool = setting(True, "Average the weights over all steps.")
    refit: str = setting("free", REFIT_HELP, among=REFITS)
    selection: str = setting("group-lasso", "How templates are selected.", among=SELECTIONS)
    group_weights: str | Mapping[str, float] = setting(
        "log2", "Penalty of a template: larger ones pay more, or all the same.", among=WEIGHTINGS, mapping=True
    )
    strength: float = setting(0.0, "λ per sentence of penalties without a budget.", least=0.0)
    selection_loss: str = setting("perceptron", "Loss used to select templates.", among=SELECTION_LOSSES)
    selection_passes: int = setting(5, "Number of epochs of the selection.", least=1)
    every: int = setting(1000, "Sentences between two proximal steps of the selection; at most all of them.", least=1)
    min_count: int = setting(1, "Ignore features that occur less often.", least=1)
    shuffles: int = setting(1, "Repeat the selection over N shuffles of the sentences and average.", least=1)
    keep: int | None = setting(None, "Keep only N weights in the end, those of pairs of tags not counted.", least=1)
    token_costs: Mapping[str, float] | None = setting(None, "Cost of a wrong token, by its true tag.")
    random_state: int = setting(0, "Random seed for the order of sentences.")

    def __post_init__(self) -> None:
        for one in fields(self):
            _check(one, getattr(self, one.name))
        if self.optimizer != "adagrad" and self.loss != "crf":
            raise ValueError(
                f"optimizer is {self.optimizer!r}, which the loss {self.loss!r} does not use; leave it out, or take "
                "the loss crf."
            )
        if self.cap is not None and self.loss not in WITH_CAP:
            raise ValueError(
                f"cap is {self.cap!r}, which the loss {self.loss!r} does not use; leave it out, or take the loss mira."
            )


def selects(settings: Settings) -> bool:
    """Say whether templates are selected before training."""
    return settings.budget is not None or settings.strength > 0.0


def _check(of: Field, value: Any) -> None:
    """Refuse a value that its setting may not have."""
    among, least, above = (of.metadata.get(key) for key in ("among", "least", "above"))
    optional = of.default is None
    if (value is None and optional) or (isinstance(value, Mapping) and of.metadata.get("mapping")):
        return
    whole = isinstance(least, int)
    if among and value not in among:
        wanted = f"one of {', '.join(among)}"
    elif whole and (isinstance(value, bool) or not hasattr(value, "__index__") or value < least):
        wanted = f"a whole number from {least}"
    elif least is not None and not whole and not value >= least:
        wanted = f"a number from {least:g}"
    elif above is not None and not value > above:
        wanted = f"above {above:g}" + (", or None for no limit" if optional else "")
    else:
        return
    raise ValueError(f"{of.name} is {value!r}; it must be {wanted}.")


@dataclass(eq=False)
class TaggerSettings(Settings):
    """Parameters of `SequenceTagger`, which documents them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.damping and (self.loss != "crf" or self.optimizer != "adagrad"):
            raise ValueError(
                f"damping is {self.damping!r}, which only the loss crf by adagrad uses; leave it out, or take these."
            )
        if self.token_costs and self.loss not in WITH_COSTS:
            raise ValueError(
                f"token_costs are given, which the loss {self.loss!r} does not look at; take crf, svm or mira, or "
                "leave them out."
            )
        for label, cost in (self.token_costs or {}).items():
            if not cost >= 0.0:
                raise ValueError(f"token_costs of {label!r} is {cost!r}; a cost must be a number from 0.")


PARSER_SELECTIONS = ("group-lasso", "coarse-to-fine", "lasso", "information-gain")
PARSER_REFITS = ("free", "frozen")


@dataclass(eq=False)
class ParserSettings(Settings):
    """Parameters of `DependencyParser`, which documents them; what only taggers offer is fixed."""

    templates: str | Sequence[Any] = setting("arcs", "Name of a template set, or a template.")
    budget: int | None = setting(None, "Select at most B templates (for lasso: weights) before training.", least=1)
    loss: str = setting("mira", "Loss used to train the final weights.", among=PARSER_LOSSES)
    _: KW_ONLY
    passes: int = setting(10, "Number of training epochs.", least=1)
    optimizer: str = setting("adagrad", "Optimizer of the crf loss.", among=("adagrad", "sgd"))
    refit: str = setting("free", REFIT_HELP, among=PARSER_REFITS)
    selection: str = setting("group-lasso", "How templates are selected.", among=PARSER_SELECTIONS)
    damping: float = field(default=0.0, init=False)
    strength: float = field(default=0.0, init=False)
    min_count: int = field(default=1, init=False)
    keep: int | None = field(default=None, init=False)
    token_costs: Mapping[str, float] | None = field(default=None, init=False)
    projective: bool = setting(False, "Allow no crossing arcs.")
    single_root: bool | None = setting(None, "Whether exactly one word hangs on the root. Default: as in training.")
    relations: bool = setting(True, "Learn to name relations.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.refit == "frozen" and self.selection == "information-gain":
            raise ValueError(
                "refit is 'frozen', but selection='information-gain' leaves templates and no features to keep to; take "
                "refit='free', or another selection."
            )
        if self.refit == "frozen" and self.loss == "crf":
            raise ValueError("refit is 'frozen', which the loss 'crf' does not offer; leave it out, or take mira.")
