"""One group per constituent of every parsed sentence: the different words of the vocabulary in it.

Yogatama & Smith, "Linguistic structured sparsity in text categorization" (ACL 2014), section 4.2. The constituents of
one sentence are nested (a laminar family, as long as no word occurs in it twice); those of many sentences overlap.
Words by themselves are constituents too; they are left to λ₁, as in the paper, unless asked for. Constituents of a
sentence that hold the same words of the vocabulary (unary chains, a phrase with and without its full stop) are one
group.

Trees are bracketed, as those of the Penn Treebank or the Stanford Sentiment Treebank.
``(S (NP (DT The) (NNS actors)) (VP (VBP are) (ADJP (JJ fantastic))))`` has four words; each pair of brackets is a
constituent with a label and the words inside it. Brackets without a label, as around the trees of the Penn Treebank,
are no constituent. Traces (``-NONE-``) are no words, and ``-LRB-`` and the like stand for brackets. The parser of
stanza (Qi et al. 2020) writes them for a `Corpus`.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from laconic.core.extras import need
from laconic.core.files import check_regular
from laconic.core.group_parts import UnitNames
from laconic.core.groups import Groups
from laconic.data.annotated.treebank import read_treebank
from laconic.data.corpus import Corpus
from laconic.data.files.lines import plain_suffix, read_text
from laconic.groups.builder import Builder, check_weights, of_words, report, unit_groups
from laconic.text.analyzer import Analyzer
from laconic.text.vocabulary import Vocabulary

ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
TRACE = "-NONE-"
_PARTS = re.compile(r"[()]|[^\s()]+")
_WRITTEN = {sign: name for name, sign in ESCAPES.items()}
NEUTRAL = ("2",)  # the label of neutral constituents in the Stanford Sentiment Treebank
CONLLU = (".conllu", ".conll")

Unit = tuple[str, Sequence[int]]  # label and columns of a constituent


@dataclass(frozen=True)
class Parsed:
    """A sentence with its constituents: the label of each and the places of its words, from 0."""

    words: Sequence[str]
    constituents: Sequence[tuple[str, Sequence[int]]]


def read_trees(text: str) -> Iterator[Parsed]:
    """Yield the trees of a text; of brackets that do not match the error says the line."""
    words: list[str] = []
    constituents: list[tuple[str, range]] = []
    open_nodes: list[tuple[str, int, int]] = []  # label, first word, where it was opened
    labelling = False  # whether the last part was an opening bracket
    for match in _PARTS.finditer(text):
        part = match[0]
        if part == "(":
            open_nodes.append(("", len(words), match.start()))
            labelling = True
            continue
        if part == ")":
            if not open_nodes:
                raise ValueError(f"line {_line(text, match.start())}: a bracket is closed that was never opened")
            label, first, _ = open_nodes.pop()
            if label and first < len(words):
                constituents.append((label, range(first, len(words))))
            if not open_nodes:
                yield Parsed(words, constituents)
                words, constituents = [], []
        elif not open_nodes:
            raise ValueError(f"line {_line(text, match.start())}: {part!r} stands outside of all brackets")
        elif labelling:
            _, first, at = open_nodes.pop()
            open_nodes.append((part, first, at))
        elif open_nodes[-1][0] != TRACE:
            words.append(ESCAPES.get(part, part.replace("\\/", "/")))
        labelling = False
    if open_nodes:
        where = _line(text, open_nodes[-1][2])
        raise ValueError(f"line {where}: a bracket is opened and never closed ({len(open_nodes)} are open at the end)")


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def read_conllu(path: Path) -> Iterator[Parsed]:
    """Yield the sentences of a CoNLL-U file, also of a compressed one."""
    # Every word with all that hangs on it, directly or not, is a constituent. The words below a word need not stand
    # side by side; of two such sets one holds the other or they share nothing, so the sets of a sentence are nested.
    bank = read_treebank(path)
    words, relations, heads = bank.sentences.columns["word"], bank.relations or [], bank.trees.tolist()
    for start, end in pairwise(bank.sentences.ends.tolist()):
        below: list[list[int]] = [[] for _ in range(start, end)]  # the places below each word, and its own
        for i in range(end - start):
            node = i + 1
            while node:
                below[node - 1].append(i)
                node = heads[start + node - 1]
        yield Parsed(words[start:end], list(zip(relations[start:end], below, strict=True)))


def parsed_by_stanza(corpus: Corpus, pipeline: Callable[[str], Any] | None = None, language: str = "en") -> Corpus:
    """Return the corpus with the trees of its texts, one tree a sentence, for `ConstituentGroups`.

    Parameters
    ----------
    corpus : Corpus
    pipeline : stanza.Pipeline, optional
        With the processor ``constituency``; None loads stanza's for the language, whose models must have been fetched
        (``stanza.download("en")``), and raises ImportError if stanza is not installed.
    language : str, default="en"
    """
    if pipeline is None:
        stanza = need("stanza", "Parsing texts", ". Or give trees of your own.")
        pipeline = stanza.Pipeline(language, processors="tokenize,pos,constituency", verbose=False)
    trees = []
    for done, text in enumerate(corpus.texts, 1):
        sentences = pipeline(text).sentences if text.strip() else []
        trees.append("\n".join(_bracketed(sentence.constituency) for sentence in sentences))
        report(done, len(corpus), "parsing")
    return replace(corpus, trees=tuple(trees))


def _bracketed(tree: Any) -> str:
    """Return a tree of nodes with ``label`` and ``children`` as a bracketed one; a node without children is a word."""
    if not tree.children:
        return "".join(_WRITTEN.get(sign, sign) for sign in tree.label)
    return f"({tree.label} {' '.join(map(_bracketed, tree.children))})"


@dataclass(frozen=True)
class ConstituentGroups(Builder):
    """Make one group of words out of every constituent of parsed sentences.

    Parameters
    ----------
    trees : None, file, list of str or mapping
        None takes the trees that the corpus brings along, one or more bracketed trees a document. A file ending in
        ``.conllu`` holds dependency trees, any other bracketed ones. A list holds bracketed trees. A mapping has, by
        the ids of documents, bracketed trees or lists of spans ``(start, end)`` in code points of the text.
    labels : sequence of str, optional
        Only constituents with one of these labels; ``("2",)`` are the neutral ones of the Stanford Sentiment Treebank.
    singletons : bool, default=False
        Whether constituents of a single word are groups.
    weights : {"sqrt", "ones"}, default="sqrt"
        d_g: the square root of the group's size, or 1.

    Examples
    --------
    >>> from laconic.text import BagOfWords
    >>> tree = "(3 (2 (2 The) (2 actors)) (4 (2 are) (4 fantastic)))"
    >>> corpus = Corpus.from_lists(["The actors are fantastic"], trees=[tree])
    >>> groups = ConstituentGroups().build(corpus, BagOfWords().fit(corpus.texts).vocabulary)
    >>> groups.names[2], groups.sizes.tolist(), groups.structure
    ('constituent 3 of doc 1', [2, 2, 4], 'tree')
    """

    trees: Any = None
    labels: tuple[str, ...] | None = None
    singletons: bool = False
    weights: str = "sqrt"

    def __post_init__(self) -> None:
        check_weights(self.weights)
        object.__setattr__(self, "trees", _checked(self.trees))
        if self.labels is not None:
            if isinstance(self.labels, str) or not all(isinstance(label, str) for label in self.labels):
                raise ValueError(f"labels is {self.labels!r}; it must be a list of strings such as ('NP', 'VP').")
            object.__setattr__(self, "labels", tuple(self.labels))

    def check(self) -> None:
        """Raise FileNotFoundError, before any work, if there is no such file of trees."""
        if isinstance(self.trees, str):
            check_regular(self.trees, "trees")

    def build(self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer | None = None) -> Groups:
        """Return the groups, as `SentenceGroups.build` does, in the order of the sentences, inner constituents first.

        They are named "constituent 2 of doc 4711". The corpus is not looked at if trees come from a file or a list. Of
        n-grams, single words are taken.
        """
        self.check()
        words = of_words(analyzer, "A constituent")
        ids: list[str] = []
        members: list[np.ndarray] = []
        documents: list[int] = []
        numbers: list[int] = []
        for name, sentences in self._documents(corpus, vocabulary, words):
            own = list(chain.from_iterable(map(self._chosen, sentences)))
            members += own
            documents += [len(ids)] * len(own)
            numbers += range(1, len(own) + 1)
            ids.append(name)
        source = f"constituents of {self._source(corpus)}"
        if not members:
            limits = "" if self.labels is None else f" and a label among {', '.join(map(repr, self.labels))}"
            raise ValueError(f"There are no groups: no {source} has two words of the vocabulary{limits}.")
        names = UnitNames("constituent", ids, documents, numbers)
        sizes = np.fromiter(map(len, members), dtype=np.int64)
        return unit_groups(sizes, np.concatenate(members), names, vocabulary, self.weights, source)

    def _chosen(self, units: Iterable[Unit]) -> list[np.ndarray]:
        """Return the different sets of columns of a sentence's constituents, in their order."""
        different: dict[bytes, np.ndarray] = {}
        for label, columns in units:
            if self.labels is None or label in self.labels:
                own = np.unique(np.asarray(columns, dtype=np.int32))
                if len(own) > (0 if self.singletons else 1):
                    different.setdefault(own.tobytes(), own)
        return list(different.values())

    def _documents(
        self, corpus: Corpus | None, vocabulary: Vocabulary, analyzer: Analyzer
    ) -> Iterator[tuple[str, Iterable[Iterable[Unit]]]]:
        """Yield the name of each document and the constituents of its sentences."""
        known = _Columns(vocabulary, analyzer)
        if isinstance(self.trees, str):
            for number, sentence in enumerate(_read(Path(self.trees)), 1):
                yield f"{Path(self.trees).name}:{number}", [known.of(sentence)]
            return
        if isinstance(self.trees, tuple):
            for number, tree in enumerate(self.trees, 1):
                yield str(number), _sentences(tree, f"tree {number}", known)
            return
        given = self._given(corpus)
        for document in corpus or ():
            tree = given.get(document.id)
            if isinstance(tree, str):
                yield document.id, _sentences(tree, f"the tree of document {document.id!r}", known)
            elif tree is not None:
                spans = [span for span in analyzer.spans(document.text) if span[2] in known.index]
                yield document.id, [known.within(tree, spans)]

    def _given(self, corpus: Corpus | None) -> Mapping[str, Any]:
        if self.trees is not None:
            if corpus is None:
                raise ValueError("Trees by document need the documents; give a corpus.")
            return self.trees
        if corpus is None or corpus.trees is None:
            raise ValueError(
                "The corpus brings no trees. Give a file of trees (constituents:FILE on the command line), a field "
                "'tree' for every document, or parse the texts with laconic.groups.parsed_by_stanza."
            )
        return dict(zip(corpus.ids, corpus.trees, strict=True))

    def _source(self, corpus: Corpus | None) -> str:
        if isinstance(self.trees, str):
            return self.trees
        if isinstance(self.trees, tuple) or corpus is None:
            return "the given trees"
        return corpus.name or "the training texts"


class _Columns:
    """The columns of words, looked up once for each different word."""

    def __init__(self, vocabulary: Vocabulary, analyzer: Analyzer) -> None:
        self.index = vocabulary.index
        self.features = (lambda word: [word]) if analyzer.kind == "tokens" else analyzer.features
        self.known: dict[str, list[int]] = {}

    def of(self, sentence: Any) -> Iterator[Unit]:
        """Yield label and columns of each constituent."""
        for word in sentence.words:
            if word not in self.known:
                self.known[word] = [self.index[feature] for feature in self.features(word) if feature in self.index]
        for label, own in sentence.constituents:
            yield label, [column for i in own for column in self.known[sentence.words[i]]]

    def within(self, units: Iterable[tuple[int, int]], spans: Sequence[tuple[int, int, str]]) -> list[Unit]:
        """Return for each unit of a text, given by its start and end, the columns of the words in it."""
        return [
            ("", [self.index[word] for start, end, word in spans if first <= start and end <= last])
            for first, last in units
        ]


def _sentences(tree: str, what: str, known: _Columns) -> Iterator[Iterator[Unit]]:
    try:
        for sentence in read_trees(tree):
            yield known.of(sentence)
    except ValueError as error:
        raise ValueError(f"Malformed: {what}, {error}.") from None


def _read(path: Path) -> Iterator[Any]:
    if plain_suffix(path) in CONLLU:
        yield from read_conllu(path)
        return
    text = read_text(path)
    try:
        yield from read_trees(text)
    except ValueError as error:
        raise ValueError(f"{path}, {error}.") from None


def _checked(trees: Any) -> Any:
    if trees is None:
        return None
    if isinstance(trees, (str, os.PathLike)):
        return os.fspath(trees)
    if isinstance(trees, Mapping):
        return {name: tree if isinstance(tree, str) else _checked_spans(name, tree) for name, tree in trees.items()}
    if isinstance(trees, Iterable):
        listed = tuple(trees)
        if all(isinstance(tree, str) for tree in listed):
            return listed
    raise TypeError(
        "trees must be a file, a list of bracketed trees, or a mapping of document ids to trees or spans, but it is a "
        f"{type(trees).__name__}."
    )


def _checked_spans(name: Any, spans: Any) -> tuple[tuple[int, int], ...]:
    checked = []
    for span in spans:
        pair = tuple(span) if isinstance(span, Sequence) else ()
        if len(pair) != 2 or not all(isinstance(at, (int, np.integer)) for at in pair) or not 0 <= pair[0] < pair[1]:
            raise ValueError(f"Document {name!r}: a span is {span!r}; it must be (start, end) with 0 <= start < end.")
        checked.append((int(pair[0]), int(pair[1])))
    return tuple(checked)
