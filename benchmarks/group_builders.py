"""Builders of groups on the four 20 Newsgroups tasks: seconds, number of groups, mean size, overlap.

Training texts, words by the tokenizer of the W-NUT 2018 paper, settings of the papers (K = 1,000 topics and components
of 10 words, window 4, k-means of GloVe vectors with 5 neighbours). Overlap is the mean number of groups of a word that
is in one. Below the religion task stand the groups that the authors of W-NUT 2018 published for it.
"""

import os
import time
import warnings
from pathlib import Path

from benchmarks.group_grid import authors_groups

TASKS = ("science", "sports", "religion", "computer")
FAMILIES = {"LDA": "lda", "LSI": "lsi", "GOW": "graph", "WORD2VEC_NEW": "vectors", "SENTENCES": "sentences"}


def run() -> list[dict]:
    """Return one row per task and kind."""
    import laconic
    from laconic.core.groups import Groups
    from laconic.groups.kinds import builder_of
    from laconic.text import Analyzer, BagOfWords, Tokenizer
    from laconic.workflows.groups import group_facts

    glove = Path(os.environ["LACONIC_DATA"]) / "text" / "glove_100d"
    analyzer = Analyzer(Tokenizer.preset("wnut2018"))
    rows = []
    for task in TASKS:
        train = laconic.data.load(f"20ng/{task}").train
        vocabulary = BagOfWords(analyzer).fit(train.texts).vocabulary
        for kind in ("sentences", "lda", "lsi", "graph", f"vectors:{glove}", "brown"):
            started = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of LSI: fewer documents than components
                groups = builder_of(kind).build(train, vocabulary, analyzer)
            seconds = time.perf_counter() - started
            rows.append({"task": task, "groups from": kind.split(":")[0], "s": seconds, **_row(group_facts(groups))})
        if task == "religion":
            for family, kind in FAMILIES.items():
                lists = [sorted(set(one)) for one in authors_groups(family)]
                facts = group_facts(Groups.from_lists(lists, len(vocabulary)))
                rows.append({"task": task, "groups from": f"{kind}, published", **_row(facts)})
    return rows


def _row(facts: dict) -> dict:
    return {
        "groups": facts["groups"],
        "mean size": f"{facts['mean']:.1f}",
        "overlap": f"{facts['overlap']:.2f}",
        "words": f"{facts['words']} of {facts['vocabulary']}",
        "structure": facts["structure"],
    }
