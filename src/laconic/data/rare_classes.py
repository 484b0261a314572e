"""Classes of too few documents for cross-validation are set aside, instead of stopping everything."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from laconic.core.values import some
from laconic.data.corpus import Corpus


def set_aside(corpora: Mapping[str, Corpus], least: int, say: Callable[[str], None]) -> dict[str, Corpus]:
    """Return corpora without the classes that fewer than ``least`` documents of ``train`` have, and say which.

    Documents that have no other label are left out. Nothing changes if fewer than two classes would stay.

    Examples
    --------
    >>> corpus = Corpus.from_lists(list("abcde"), ["x", "x", "y", "y", "z"])
    >>> set_aside({"train": corpus}, 2, print)["train"].classes
    laconic: note: set aside 1 class with fewer than 2 documents: 'z' (1); train loses 1 document (--min-class)
    ('x', 'y')
    """
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
