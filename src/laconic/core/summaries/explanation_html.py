"""An `Explanation` as a piece of HTML for notebooks: probabilities, and the text with its words marked.

Blue is evidence for the label (solid line), orange against it (dashed line); the bar of a sentence is its contribution
to the log-odds. The style is inside the tags, as notebooks want it, and works on light and dark backgrounds.
"""

from collections.abc import Iterator
from html import escape

from laconic.core.summaries.explanation import Explanation

FOR, AGAINST = (11, 123, 212), (224, 123, 26)


def explanation_html(why: Explanation) -> str:
    """Return the HTML; all text in it is escaped."""
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
