"""Sets of templates by name.

``chunking`` and ``ner`` are those of Martins et al. (EMNLP 2011), 96 and 452 templates: runs of up to n cells of one
column that *touch* a window around the token. The paper's text says a window of ±2 for shapes; its total of 96 fits ±1.
"""

from collections.abc import Iterable

from laconic.structured.templates.language import Sets, Template, described, expanded, parse_template, parse_templates

AFFIXES = tuple(f"{kind}{size}" for kind in ("prefix", "suffix") for size in (1, 2, 3))


def runs(column: str, longest: int, window: int) -> list[str]:
    """Return all runs of up to ``longest`` cells that have a cell within ±``window``."""
    found = [f"{column}[{i}]" for i in range(-window, window + 1)]
    for size in range(2, longest + 1):
        found += [f"{column}[{i}..{i + size - 1}]" for i in range(-window - size + 1, window + 1)]
    return found


def _near(column: str, longest: int, window: int) -> list[str]:
    """Return all runs of up to ``longest`` cells that stay within ±``window``."""
    inside = (parse_template(one) for one in runs(column, longest, window))
    return [str(one) for one in inside if max(abs(cell.offset) for cell in one.cells) <= window]


def _ner() -> list[str]:
    found = runs("pos", 5, 5) + runs("word", 3, 3) + runs("shape", 3, 3)
    for affix in AFFIXES:
        found += runs(affix, 3, 3)
    for indicator in ("case", "punct", "digit"):
        found += runs(indicator, 5, 5)
    return found


def _crfsuite() -> list[str]:
    return [*(f"word[{i}]" for i in range(-2, 3)), "word[-1..0]", "word[0..1]", *_near("pos", 3, 2)]


def _chunking_plus() -> list[str]:
    return [
        *_crfsuite(),
        *(f"{affix}[0]" for affix in ("suffix1", "suffix2", "suffix3", "suffix4", "prefix2", "prefix3", "lower")),
        *(f"{column}[{i}]" for column in ("suffix2", "suffix3") for i in (-1, 1)),
        *(f"shape[{i}]" for i in (-1, 0, 1)),
        *("word[0] & pos[-1]", "word[0] & pos[1]", "word[0] & pos[-1..1]"),
        *("word[-1] & pos[0]", "word[1] & pos[0]", "suffix3[0] & pos[-1..0]"),
    ]


def _ner_plus() -> list[str]:
    return [
        *(run for column in ("word", "lower") for run in _near(column, 2, 2)),
        *(run for column in ("pos", "shape", "case") for run in _near(column, 3, 2)),
        *(f"{affix}[{i}]" for affix in (*AFFIXES, "prefix4", "suffix4") for i in (-1, 0, 1)),
        *(f"word[{i}] & shape[0]" for i in (-2, -1, 1, 2)),
        *(f"lower[{i}] & case[0]" for i in (-2, -1, 1, 2)),
        *(f"pos[{i}] & shape[0]" for i in (-1, 0, 1)),
        *(f"suffix3[{i}] & shape[0]" for i in (-1, 0, 1)),
        *("suffix3[0] & pos[-1..0]", "prefix3[0] & suffix3[0]", "lower[-1] & shape[0..1]", "lower[1] & shape[-1..0]"),
        *("lower[-1] & lower[1]", "lower[-1] & shape[0] & lower[1]"),
        *("punct[-1..1]", "digit[-1..1]", "shape[-2..2]", "case[-3..3]"),
    ]


_SETS: Sets = {
    "minimal": (
        lambda: ["word[0]", "word[-1]", "word[1]", "suffix3[0]", "shape[0]"],
        "words, suffixes and shapes nearby; needs words only",
    ),
    "crfsuite": (_crfsuite, "the 19 templates of CRFsuite's chunking example: words and pos within two tokens"),
    "chunking": (
        lambda: runs("pos", 5, 5) + runs("word", 3, 3) + runs("shape", 2, 1),
        "96 templates of the EMNLP 2011 paper: runs of pos, words and shapes",
    ),
    "chunking+": (_chunking_plus, "39 templates: those of crfsuite, affixes, shapes and pairs of words and pos"),
    "ner": (_ner, "452 templates of the EMNLP 2011 paper: runs of pos, words, shapes, affixes and indicators"),
    "ner+": (_ner_plus, "affixes, shapes and pairs across columns, within two tokens"),
}


def template_sets() -> dict[str, str]:
    """Return the names of the sets and what each holds.

    Examples
    --------
    >>> sorted(template_sets())
    ['chunking', 'chunking+', 'crfsuite', 'minimal', 'ner', 'ner+']
    """
    return described(_SETS)


def resolve_templates(given: str | Template | Iterable[str | Template]) -> tuple[Template, ...]:
    """Return the templates of a named set, one template, or several of either.

    Parameters
    ----------
    given : str, Template or iterable of them
        A name such as ``"chunking"``, a template such as ``"word[0] & pos[1]"``, or a list in which names and templates
        may be mixed.

    Examples
    --------
    >>> len(resolve_templates("chunking")), len(resolve_templates("ner")), len(resolve_templates("crfsuite"))
    (96, 452, 19)
    >>> [str(one) for one in resolve_templates(["minimal", "chapter[0]"])][-1]
    'chapter[0]'
    """
    return parse_templates(expanded(given, Template, _SETS, lambda text: "[" not in text, "'word[-1] & pos[0]'"))
