"""What is said before a fit: the shares of the labels, what is suspicious in the documents, and the metric.

Classes of too few documents for cross-validation are set aside, instead of stopping everything.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from laconic.core.values import excerpt, some
from laconic.data.corpus import Corpus

RARE = 0.2  # of its even share: below it accuracy says little about a class
SHOWN = 8  # labels
FEW = 3  # documents of a label that are too few to learn from
FRACTION = re.compile(r"[-+]?\d*\.\d*[1-9]\d*")
MOST_LIKE_IDS = 0.5  # labels per document


def label_shares(corpus: Corpus) -> str:
    """Return the shares of the labels in one line, the most frequent first."""
    counts = sorted(corpus.class_counts().items(), key=lambda item: -item[1])
    shown = ", ".join(f"{label} {count / len(corpus):.1%}" for label, count in counts[:SHOWN])
    label, fewest = counts[-1]
    rest = len(counts) - SHOWN
    return f"labels: {shown}" + (f" and {rest:,} more, down to {label} ({fewest:,} documents)" if rest > 0 else "")


def suspicious(corpora: Mapping[str, Corpus]) -> Iterator[str]:
    """Yield a sentence for each thing in the training documents that is rarely meant to be, or rarely goes well."""
    train = corpora["train"]
    if empty := sum(not text.strip() for text in train.texts):
        yield f"{empty:,} of {len(train):,} documents are empty"
    labels: dict[str, set[Any]] = {}
    for text, label in zip(train.texts, train.labels or (), strict=True):
        labels.setdefault(text, set()).add(label)
    if copies := len(train) - len(labels):
        torn = sum(len(own) > 1 for own in labels.values())
        differ = f", and {torn:,} texts have different labels in different copies" if torn else ""
        yield (
            f"{copies:,} documents are copies of others{differ}; copies in different folds make scores too good: "
            "remove them first"
        )
    for split, corpus in corpora.items():
        if split != "train" and (seen := sum(text in labels for text in corpus.texts)):
            yield f"{seen:,} of the {len(corpus):,} {split} documents are training documents, too"
    counts = train.class_counts()
    if len(counts) > MOST_LIKE_IDS * len(train):
        yield f"there are {len(counts):,} labels for {len(train):,} documents; is the label column one of ids?"
    elif few := [label for label, count in counts.items() if count < FEW]:
        have = f"and {len(few) - 1:,} more have" if len(few) > 1 else "has"
        yield f"the label {excerpt(few[0])} {have} fewer than {FEW} documents, too few to learn from"
    if fractions := [label for label in counts if FRACTION.fullmatch(str(label))]:
        yield f"the labels are numbers such as {excerpt(fractions[0])}, and each is taken for a class of its own"
    if len(labels) > 1 and sum(not any(map(str.isalpha, text)) for text in labels) > len(labels) / 2:
        yield f"most texts hold no letter, such as {excerpt(next(iter(labels)))}; is the text column one of ids?"


def metric_by_shares(labels: Sequence[Any]) -> tuple[str, str]:
    """Return the metric for labels of these shares, and why it is not accuracy where that is so."""
    counts = Counter(labels)
    rarest = min(counts, key=lambda label: counts[label])
    share, limit = counts[rarest] / len(labels), RARE / len(counts)
    if share >= limit:
        return "accuracy", ""
    return "macro_f1", (
        f"metric: macro_f1, since only {share:.1%} of the documents are {excerpt(rarest)} (less than {limit:.1%}); "
        "pass --metric accuracy to score by that"
    )


def set_aside(corpora: Mapping[str, Corpus], least: int, say: Callable[[str], None]) -> dict[str, Corpus]:
    """Return corpora without the classes that fewer than ``least`` documents of ``train`` have, and say which."""
    # Documents that have no other label are left out. Nothing changes if fewer than two classes would stay.
    counts = corpora["train"].class_counts()
    rare = {label: count for label, count in counts.items() if count < least}
    if not rare or len(counts) - len(rare) < 2:
        return dict(corpora)
    kept = {split: without_classes(corpus, rare) for split, corpus in corpora.items()}
    lost = {split: len(corpora[split]) - len(corpus) for split, corpus in kept.items()}
    losses = [f"{split} loses {_counted(n, 'document')}" for split, n in lost.items() if n] or ["no document is lost"]
    named = ", ".join(f"{some([label])} ({count})" for label, count in list(rare.items())[:10])
    say(
        f"laconic: note: set aside {_counted(len(rare), 'class')} with fewer than {least} documents: {named}"
        f"{', …' * (len(rare) > 10)}; {', '.join(losses)} (--min-class)"
    )
    return kept


def without_classes(corpus: Corpus, classes: Mapping) -> Corpus:
    """Return the documents with some of their labels left, or all where none would be left."""
    before = corpus.labels or ()
    after = [tuple(label for label in own if label not in classes) if isinstance(own, tuple) else own for own in before]
    kept = [i for i, own in enumerate(after) if own not in classes and (own != () or before[i] == ())]
    return replace(corpus.subset(kept), labels=tuple(after[i] for i in kept)) if kept else corpus


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{('es' if what == 'class' else 's') * (number != 1)}"
