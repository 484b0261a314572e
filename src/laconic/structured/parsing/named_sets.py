"""Sets of templates for arcs, by name.

``arcs`` has the size of the set of Martins et al. (EMNLP 2011), who do not list theirs: 171 conjunctions, each plain,
with direction, with distance and with both, 684 in all. It looks at words, lemmas, coarse tags (``pos``), fine tags
(``xpos``), morphology (``feats``), shapes and endings of head and modifier, and at tags around and between them. Where
a treebank has no fine tags, lemmas or morphology, other columns stand in (see
`laconic.structured.parsing.extraction`).
"""

from collections.abc import Iterable
from itertools import product

from laconic.structured.parsing.extraction import FROM_HEAD
from laconic.structured.parsing.templates import ArcTemplate, parse_arc_templates
from laconic.structured.templates.language import Sets, described, expanded

TAGS = ("xpos", "pos")
LEXICAL = ("word", "lemma")
ATOMS = ("word", "lemma", "pos", "xpos", "feats", "shape")
VARIANTS = ("", " & direction", " & distance", " & direction & distance")
RELATION_TEMPLATES = (  # of the chain that names arcs
    *(f"{column}[0]" for column in ("word", "lemma", "pos", "xpos", "feats", "suffix3")),
    *(f"head_{column}[0] & side[0]" for column in FROM_HEAD),
    "distance[0] & side[0]",
    "pos[0] & head_pos[0] & side[0]",
    "xpos[0] & head_xpos[0] & side[0]",
    "xpos[0] & head_xpos[0] & side[0] & distance[0]",
    "feats[0] & head_xpos[0] & side[0]",
    "feats[0] & head_feats[0] & xpos[0]",
    "lemma[0] & head_xpos[0] & side[0]",
    "xpos[0] & head_lemma[0] & side[0]",
    "lemma[0] & head_lemma[0]",
    "xpos[0] & head_xpos[0] & over_xpos[0]",
    "xpos[-1..0] & side[0]",
    "xpos[0..1] & side[0]",
    "xpos[-1..1] & head_xpos[0]",
    "lemma[-1] & xpos[0] & side[0]",
    "lemma[1] & xpos[0] & side[0]",
    "xpos[0] & first_xpos[0] & side[0]",
    "xpos[0] & first_lemma[0]",
    "xpos[0] & last_xpos[0] & side[0]",
    "xpos[0] & head_xpos[0] & before_xpos[0] & side[0]",
    "xpos[0] & head_xpos[0] & after_xpos[0] & side[0]",
)


def _one_side(side: str) -> list[str]:
    """Return 26 templates that look around one of the two alone."""
    found = [*ATOMS, "suffix3", "word & xpos", "lemma & xpos", "pos & feats"]
    for tag in TAGS:
        found += [f"{tag}[-1]", f"{tag}[1]", f"{tag}[-1..0]", f"{tag}[0..1]", f"{tag}[-1..1]"]
    found += ["xpos[-2..0]", "xpos[0..2]", "word[-1]", "word[1]", "lemma[-1] & xpos", "lemma[1] & xpos"]
    return [" & ".join(f"{side}.{cell}" for cell in one.split(" & ")) for one in found]


def _pairs() -> list[str]:
    """Return 64 templates of head and modifier themselves."""
    found = [f"head.{a} & mod.{b}" for a, b in product(ATOMS, ATOMS)]
    for lexical, tag in product(LEXICAL, TAGS):
        head, mod = f"head.{lexical} & head.{tag}", f"mod.{lexical} & mod.{tag}"
        found += [f"{head} & mod.{tag}", f"head.{tag} & {mod}", f"{head} & {mod}"]
        found += [f"{head} & mod.{lexical}", f"head.{lexical} & {mod}"]
    head, mod = "head.xpos & head.feats", "mod.xpos & mod.feats"
    found += [f"{head} & mod.xpos", f"head.xpos & {mod}", f"{head} & {mod}"]
    found += [f"head.lemma & {mod}", f"{head} & mod.lemma"]
    found += ["head.suffix3 & mod.suffix3", "head.xpos & mod.suffix3", "head.suffix3 & mod.xpos"]
    return found


def _around() -> list[str]:
    """Return 49 templates of head and modifier with the tags around them."""
    found = []
    for tag in TAGS:
        found += [
            f"head.{tag}[{a}] & mod.{tag}[{b}]"
            for a, b in (
                *(("0..1", "-1..0"), ("-1..0", "-1..0"), ("0..1", "0..1"), ("-1..0", "0..1"), ("-1..1", "-1..1")),
                *(("0..1", "0"), ("-1..0", "0"), ("0", "-1..0"), ("0", "0..1"), ("1", "-1..0"), ("0..1", "-1")),
                *(("-1", "0..1"), ("-1..0", "1"), ("1", "-1"), ("-1", "1")),
            )
        ]
    found += ["head.xpos[0..2] & mod.xpos", "head.xpos & mod.xpos[-2..0]", "head.xpos[-2..0] & mod.xpos"]
    for lexical in LEXICAL:
        for near in ("head.xpos[-1]", "head.xpos[1]", "mod.xpos[-1]", "mod.xpos[1]"):
            found += [f"head.{lexical} & mod.xpos & {near}", f"head.xpos & mod.{lexical} & {near}"]
    return found


def _between() -> list[str]:
    """Return 6 templates of the tags between head and modifier."""
    found = []
    for tag in TAGS:
        found += [f"between.{tag}", f"head.{tag} & mod.{tag} & between.{tag}"]
    return [*found, "head.lemma & mod.xpos & between.xpos", "head.xpos & mod.lemma & between.xpos"]


def _arcs() -> list[str]:
    bases = [*_one_side("head"), *_one_side("mod"), *_pairs(), *_around(), *_between()]
    return [base + variant for base in bases for variant in VARIANTS]


_SETS: Sets = {
    "small": (
        lambda: [f"head.{a} & mod.{b}{more}" for b, a in product(("pos", "word"), repeat=2) for more in VARIANTS[::3]],
        "8 templates of words and tags of head and modifier; a first look",
    ),
    "arcs": (_arcs, "684 templates: 171 conjunctions, each plain, with direction, with distance, with both"),
}


def arc_sets() -> dict[str, str]:
    """Return the names of the sets and what each holds.

    Examples
    --------
    >>> sorted(arc_sets())
    ['arcs', 'small']
    """
    return described(_SETS)


def resolve_arcs(given: str | ArcTemplate | Iterable[str | ArcTemplate]) -> tuple[ArcTemplate, ...]:
    """Return the templates of a named set, one template, or several of either.

    Parameters
    ----------
    given : str, ArcTemplate or iterable of them

    Examples
    --------
    >>> len(resolve_arcs("arcs")), len({one.base for one in resolve_arcs("arcs")})
    (684, 171)
    """

    def is_name(text: str) -> bool:
        return text.isidentifier() and text not in ("direction", "distance")

    return parse_arc_templates(expanded(given, ArcTemplate, _SETS, is_name, "'head.word & mod.pos'"))
