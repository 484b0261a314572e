"""`TaggerSettings`: how a tagger is learned, checked before any work is done."""

from dataclasses import dataclass

from laconic.structured.settings import WITH_COSTS, Settings


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
