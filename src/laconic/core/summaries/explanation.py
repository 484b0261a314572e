"""`Explanation`: why a linear model gave a text its label, word by word, with the places of the words in the text.

The margin of each output is its intercept plus the sum of its contributions, value · weight. Two classes share one
output, the margin for the second class; more classes have one output each.

The effect of a word on a class is z(f) − z(f − its contributions), z the log-odds of the class before any calibration.
With two classes, or several labels per document, that is its contribution to the class; with more classes every weight
of the word counts: one that speaks for another class is evidence against this one.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, NamedTuple

import numpy as np

from laconic.core.calibration import log_odds
from laconic.core.values import plain

Label = str | int | bool
TOP_CLASSES = 8
FOR, AGAINST = (11, 123, 212), (224, 123, 26)


@dataclass(frozen=True)
class Contribution:
    """What one word of a document contributes to the margins.

    Attributes
    ----------
    word : str
        As the model knows it (an n-gram if the model has n-grams).
    value : float
        The feature value: 1, a count, or tf-idf.
    weights : tuple of float
        One per output.
    spans : tuple of (start, end)
        Where the word stands in the text, in code points (positions in the list for a text given as tokens).

    Examples
    --------
    >>> Contribution("lamp", 2.0, (0.5,), ((4, 8), (20, 24))).contributions
    (1.0,)
    """

    word: str
    value: float
    weights: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def contributions(self) -> tuple[float, ...]:
        """Value times weight, one per output."""
        return tuple(self.value * weight for weight in self.weights)


class Effect(NamedTuple):
    """A word of a document and its effect on the log-odds of a class; below zero it is evidence against it."""

    word: Contribution
    log_odds: float


@dataclass(frozen=True)
class Explanation:
    """The predicted label of a document, with the words behind it.

    Attributes
    ----------
    label : str, int or bool
        The predicted label.
    classes : tuple
        All labels of the model, sorted.
    probabilities : tuple of float, or None
        One per class; None for a model whose loss gives no probabilities.
    outputs : tuple
        The label of each output: ``classes[1:]`` with two classes, else ``classes``.
    intercept, margins : tuple of float
        One per output.
    words : tuple of Contribution
        The words of the document that are in the model, largest effect (for or against the label) first.
    text : str or None
        The text itself; None for a list of tokens. Not part of `to_dict`.
    sentences : tuple of SentencePart
        Its sentences; notebooks show them with their words marked.
    several : bool
        Whether the model is multi-label.
    labels : tuple
        All labels that a multi-label model gives; if it gives none, ``label`` is still one to explain.

    Examples
    --------
    >>> word = Contribution("lamp", 2.0, (0.5,), ((0, 4), (9, 13)))
    >>> why = Explanation("repair", ("praise", "repair"), (0.25, 0.75), ("repair",), (0.1,), (1.1,), (word,))
    >>> why
    Explanation(label='repair', probabilities=(0.25, 0.75), margins=(1.1,))
    >>> why.probability
    0.75
    >>> [(effect.word.word, effect.log_odds) for effect in why.effects("praise")]
    [('lamp', -1.0)]
    """

    label: Label
    classes: tuple[Label, ...] = field(repr=False)
    probabilities: tuple[float, ...] | None
    outputs: tuple[Label, ...] = field(repr=False)
    intercept: tuple[float, ...] = field(repr=False)
    margins: tuple[float, ...]
    words: tuple[Contribution, ...] = field(repr=False)
    text: str | None = field(default=None, repr=False)
    sentences: tuple["SentencePart", ...] = field(default=(), repr=False)
    several: bool = field(default=False, repr=False)
    labels: tuple[Label, ...] = field(default=(), repr=False)

    @property
    def given(self) -> tuple[Label, ...]:
        """The predicted labels: one, or of a multi-label model those that reach their thresholds."""
        return self.labels if self.several else (self.label,)

    @property
    def probability(self) -> float | None:
        """The probability of the predicted label."""
        return None if self.probabilities is None else self.probabilities[self.classes.index(self.label)]

    def effects(self, label: Label | None = None) -> tuple[Effect, ...]:
        """Return the words with their effects on the log-odds of a class (default: the label), the largest first."""
        k = self.classes.index(self.label if label is None else label)
        if not self.words:
            return ()
        F = np.array([self.margins]) - np.array([np.zeros(len(self.margins)), *(w.contributions for w in self.words)])
        z = log_odds(F, self.several)
        Z = np.column_stack([-z, z]) if len(self.outputs) == 1 else z
        effects = map(Effect, self.words, (Z[0, k] - Z[1:, k]).tolist())
        return tuple(sorted(effects, key=lambda effect: (-abs(effect.log_odds), effect.word.word)))

    def likeliest(self, most: int = TOP_CLASSES) -> tuple[int, ...]:
        """Return the numbers of the classes to show: all if they are few, else the likeliest first, and the label's."""
        if len(self.classes) <= most:
            return tuple(range(len(self.classes)))
        shares = self.margins if self.probabilities is None else self.probabilities
        order = sorted(range(len(shares)), key=lambda k: (-shares[k], k))
        shown, own = order[:most], self.classes.index(self.label)
        return tuple(shown if own in shown else [*shown[:-1], own])

    def to_dict(self, label: Label | None = None) -> dict[str, Any]:
        """Return lists, numbers and strings that JSON can hold; words with their effects on a class, as `effects`."""
        words = [
            {**asdict(effect.word), "contributions": effect.word.contributions, "effect": effect.log_odds}
            for effect in self.effects(label)
        ]
        found = {name: value for name, value in asdict(self).items() if name != "text"}
        data: dict[str, Any] = plain({**found, "probability": self.probability, "words": words})
        return data

    def _repr_html_(self) -> str:
        return explanation_html(self)


@dataclass(frozen=True)
class SentencePart:
    """What a model sees in one sentence of a document.

    Attributes
    ----------
    start, end : int
        Where the sentence stands in the text, in code points.
    words : tuple of str
        The words of the model that start in it, each once.
    weights : tuple of float
        The sum of their weights, one per output.
    norm : float
        ‖w_g‖₂ of the sentence as a group of words; above zero exactly if the sentence is selected.
    influence : float or None
        log P(label | text) − log P(label | text without the sentence); None for a model without probabilities.
    log_odds : float or None
        The same for log P / (1 − P), which does not saturate where the label is certain.

    Examples
    --------
    >>> SentencePart(0, 12, ("lamp",), (0.5,), 0.5, 0.2).selected
    True
    """

    start: int
    end: int
    words: tuple[str, ...]
    weights: tuple[float, ...]
    norm: float
    influence: float | None
    log_odds: float | None = None

    @property
    def selected(self) -> bool:
        """Whether any of its words has a weight."""
        return self.norm > 0.0


def explanation_html(why: Explanation) -> str:
    """Return a piece of HTML for notebooks: probabilities, and the text with its words marked; all text is escaped."""
    # Blue is evidence for the label (solid line), orange against it (dashed line); the bar of a sentence is its
    # contribution to the log-odds. The style is inside the tags, as notebooks want it, for light and dark backgrounds.
    parts = ['<div style="max-width:46em;line-height:1.6">', *_classes(why)]
    if why.text is not None:
        marks = _marks(why)
        widest = max([abs(sentence.log_odds or 0.0) for sentence in why.sentences] + [0.5])
        for sentence in why.sentences:
            odds = sentence.log_odds or 0.0
            text = "".join(_marked(why.text, sentence.start, sentence.end, marks))
            parts.append(
                '<div style="display:grid;grid-template-columns:7em 1fr;gap:.6em">'
                f'<span title="what this sentence adds to the log-odds of {escape(str(why.label))}" '
                f'style="font-size:.85em">{_bar(odds / widest)} {odds:+.2f}</span>'
                f'<span style="white-space:pre-wrap;overflow-wrap:anywhere">{text}</span></div>'
            )
    else:
        parts += [f"<div>{value:+.3f} {escape(word.word)}</div>" for word, value in why.effects()]
    return "".join([*parts, "</div>"])


def _classes(why: Explanation) -> Iterator[str]:
    for number in why.likeliest():
        label = why.classes[number]
        share = None if why.probabilities is None else why.probabilities[number]
        name = f"<b>{escape(str(label))}</b>" if label in why.given else escape(str(label))
        width = 0.0 if share is None else 100 * share
        shown = ("predicted" if label in why.given else "") if share is None else f"{share:.1%}"
        colour = f"rgb{FOR}" if label in why.given else "rgb(128,128,128)"
        yield (
            f'<div style="display:grid;grid-template-columns:8em 1fr 5em;gap:.6em;align-items:center">'
            f"<span>{name}</span>"
            f'<span style="background:rgba(128,128,128,.2);height:.7em"><span style="display:block;height:100%;'
            f'width:{width:.1f}%;background:{colour}"></span></span><span>{shown}</span></div>'
        )
    if hidden := len(why.classes) - len(why.likeliest()):
        yield f"<div>{hidden} more classes</div>"


def _bar(share: float) -> str:
    side, colour = ("left", FOR) if share >= 0 else ("right", AGAINST)
    return (
        '<span style="display:inline-block;position:relative;width:3.2em;height:.6em;'
        'background:linear-gradient(to right,transparent 49%,gray 49%,gray 51%,transparent 51%)"><span style="position:'
        f'absolute;top:0;bottom:0;{side}:50%;width:{50 * abs(share):.0f}%;background:rgb{colour}"></span></span>'
    )


def _marks(why: Explanation) -> list[tuple[int, int, float]]:
    """Return start, end and strength (-1 to 1) of words that contribute, the longest of overlapping ones first."""
    places = [(start, end, value) for word, value in why.effects() if value for start, end in word.spans]
    strongest = max((abs(value) for *_, value in places), default=1.0)
    return [(a, b, value / strongest) for a, b, value in sorted(places, key=lambda place: (place[0], -place[1]))]


def _marked(text: str, start: int, end: int, marks: list[tuple[int, int, float]]) -> Iterator[str]:
    at = start
    for first, last, value in marks:
        if first < at or last > end:
            continue
        colour, line = (FOR, "solid") if value > 0 else (AGAINST, "dashed")
        style = f"background:rgba({colour[0]},{colour[1]},{colour[2]},{0.12 + 0.3 * abs(value):.2f})"
        yield escape(text[at:first])
        yield f'<span style="{style};border-bottom:2px {line} rgb{colour}">{escape(text[first:last])}</span>'
        at = last
    yield escape(text[at:end])
