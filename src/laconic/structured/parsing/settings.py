"""`ParserSettings`: how a parser is learned, checked before any work is done."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from laconic.structured.settings import PARSER_LOSSES, REFIT_HELP, Settings, setting

SELECTIONS = ("group-lasso", "coarse-to-fine", "lasso", "information-gain")
REFITS = ("free", "frozen")


@dataclass(eq=False)
class ParserSettings(Settings):
    """Parameters of `DependencyParser`, which documents them; what only taggers offer is fixed."""

    templates: str | Sequence[Any] = setting("arcs", "Name of a template set, or a template.")
    budget: int | None = setting(None, "Select at most B templates (for lasso: weights) before training.", least=1)
    loss: str = setting("mira", "Loss used to train the final weights.", among=PARSER_LOSSES)
    _: KW_ONLY
    passes: int = setting(10, "Number of training epochs.", least=1)
    optimizer: str = setting("adagrad", "Optimizer of the crf loss.", among=("adagrad", "sgd"))
    refit: str = setting("free", REFIT_HELP, among=REFITS)
    selection: str = setting("group-lasso", "How templates are selected.", among=SELECTIONS)
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
