"""`ParserSettings`: how a parser is learned, checked before any work is done."""

from dataclasses import dataclass

from laconic.structured.tagging.settings import Settings, one_of

CHOICES = ("group-lasso", "coarse-to-fine", "lasso", "information-gain")
REFITS = ("free", "frozen")


@dataclass(frozen=True)
class ParserSettings(Settings):
    """Parameters of `DependencyParser`, which documents them; a tagger's, with those of trees.

    Examples
    --------
    >>> ParserSettings(selection="labels")
    Traceback (most recent call last):
        ...
    ValueError: selection is 'labels'; it must be one of group-lasso, coarse-to-fine, lasso, information-gain.
    """

    loss: str = "mira"
    passes: int = 10
    projective: bool = False
    single_root: bool | None = None
    relations: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of("selection", self.selection, CHOICES)
        one_of("refit", self.refit, REFITS)
        one_of("optimizer", self.optimizer, ("adagrad", "sgd"))
        if self.refit == "frozen" and self.selection == "information-gain":
            raise ValueError(
                "refit is 'frozen', but selection='information-gain' leaves templates and no features to keep to; take "
                "refit='free', or another selection."
            )
        if self.refit == "frozen" and self.loss == "crf":
            raise ValueError("refit is 'frozen', which the loss 'crf' does not offer; leave it out, or take mira.")
