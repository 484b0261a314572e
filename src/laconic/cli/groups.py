"""``laconic groups``: make groups of words out of texts, and look at them."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from laconic.cli.shared.options import column_options, data_option, feature_options, json_option, quiet_option
from laconic.cli.shared.output import echo_json, progress_bar, show
from laconic.cli.shared.sources import Reading, known_splits

SAMPLE = 10
WORDS = 12  # of a group that are shown


class BuildByDefault(click.Group):
    """A group of commands in which a first argument that names no command is a corpus to build groups of."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command ``build`` in front where it was left out."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["build", *args]
        return super().parse_args(ctx, args)


@click.group(cls=BuildByDefault, no_args_is_help=True, subcommand_metavar="CORPUS --kind KIND [-o FILE] | show FILE")
def command() -> None:
    """Make groups of words out of texts, and look at them.

    CORPUS is a file of texts, labelled or not, or the name of a known data set (its training texts). The file that is
    made, {name: [word, …]}, can be edited by hand and goes into laconic fit --groups.

    \b
    Kinds:
      sentences, sentences:paragraph, sentences:document
                          one group per sentence, paragraph or document
      constituents, constituents:FILE, constituents:neutral
                          one group per constituent of the trees that the
                          texts bring along, or of a file (brackets, .conllu)
      lda                 topics (tomotopy; lda:sklearn by scikit-learn)
      lsi                 components of latent semantic indexing
      brown, brown:PATHS  nested Brown clusters, made here or from a file
                          of bits, words and counts
      graph               communities of the co-occurrence graph (graph:leiden)
      vectors, vectors:PATH
                          clusters of word vectors, trained here or from a file
      ngrams              an n-gram with all that begin like it (--ngrams 1-2)
      learned             words of the same documents, by matching pursuit

    \b
    Examples:
      laconic groups reviews.csv --kind lda --size 200 -o topics.json
      laconic groups 20ng/science --kind brown --size 5000 -o clusters.paths
      laconic groups show topics.json
    """


@command.command()
@click.argument("source", metavar="CORPUS")
@click.option("--kind", required=True, metavar="KIND", help="What groups; see laconic groups --help.")
@click.option("--size", type=click.IntRange(1), metavar="N", help="How many topics, components or clusters.")
@click.option("--texts", metavar="FILE", help="Learn from these texts, labelled or not, in place of CORPUS.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Of what is random in it.")
@click.option("--cache", metavar="DIR", help="Keep groups in this folder, and take them from it another time.")
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    help="File to write, {name: [word, …]}; of Brown clusters also .paths, "
    "bits, words and counts. Without it, only show.",
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@column_options(label=False)
@feature_options()
@data_option
@quiet_option
@json_option
def build(
    source: str,
    kind: str,
    size: int | None,
    texts: str | None,
    seed: int | None,
    cache: str | None,
    out: str | None,
    force: bool,
    text_cols: tuple[str, ...],
    id_col: str | None,
    data_dir: str | None,
    quiet: bool,
    as_json: bool,
    **features: Any,
) -> None:
    """Build groups of the words of CORPUS.

    \b
    Examples:
      laconic groups reviews.csv --kind lda --size 200 -o topics.json
      laconic groups reviews.csv --kind lsi --texts unlabelled.txt -o lsi.json
      laconic groups 20ng/science --kind sentences --min-df 5 -o sentences.json
    """
    from laconic.groups.kinds import builder_of

    try:
        builder: Any = builder_of(kind, size=size, texts=texts, seed=seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    builder.check()
    as_paths = out is not None and out.endswith(".paths")
    if as_paths and not hasattr(builder, "cluster"):
        raise click.UsageError(f"--out {out}: only Brown clusters have paths; name a .json file for {kind}.")
    if out is not None:
        # A kind may be, begin or end with a file: topics.json, lexicon.csv:field, brown:clusters.paths.
        read = [source, texts, kind, kind.partition(":")[2], kind.rpartition(":")[0]]
        _check_target(out, read, force)

    from laconic.groups.cached import CachedGroups
    from laconic.groups.progress import listening
    from laconic.groups.written import by_word, write_groups
    from laconic.models.text_classifier import TextClassifier

    if cache is not None and not as_paths:
        builder = CachedGroups(builder, cache)
    corpus = _read(source, Reading(text_cols, None, id_col), data_dir)
    bag = TextClassifier(**features).bag_of_words()
    vocabulary = bag.fit(corpus.texts).vocabulary
    with progress_bar(f"groups: {kind}", quiet) as advance, listening(advance):
        if as_paths:
            builder.cluster(corpus, bag.analyzer).save(out)
            builder = builder_of(f"brown:{out}")
        groups = builder.build(corpus, vocabulary, bag.analyzer)
    if out is not None and not as_paths:
        write_groups(Path(out), by_word(groups, vocabulary.words))
    _show(groups, vocabulary.words, SAMPLE, as_json, {"source": groups.source, "saved": out})


@command.command("show")
@click.argument("file", metavar="FILE")
@click.option("--top", type=click.IntRange(1), default=SAMPLE, show_default=True, help="Groups to show.")
@json_option
def show_file(file: str, top: int, as_json: bool) -> None:
    """Show the groups of a file: how many, how large, how much they share, and some of them.

    Of Brown clusters (.paths) all nodes of the hierarchy are shown.

    \b
    Examples:
      laconic groups show topics.json --top 30
      laconic groups show clusters.paths
    """
    from laconic.core.groups import Groups
    from laconic.groups.given import GivenGroups
    from laconic.groups.kinds import PATHS

    if PATHS.search(file):
        groups, words = _nodes(file)
        _show(groups, words, top, as_json, {"source": groups.source})
        return
    content = GivenGroups(file).read()
    if isinstance(content, Groups):
        words = tuple(f"feature {j}" for j in range(content.n_features))
    else:
        words = tuple(sorted({word for own in content.values() for word in own}))
        content = Groups.from_dict({name: list(dict.fromkeys(own)) for name, own in content.items()}, words)
    _show(content, words, top, as_json, {"source": content.source or file})


def _nodes(file: str) -> tuple[Any, tuple[str, ...]]:
    """Return the groups of a file of Brown clusters over its own words, and these words."""
    import numpy as np

    from laconic.groups.brown import BrownGroups
    from laconic.groups.clusters.paths import BrownPaths
    from laconic.text import Vocabulary

    paths = BrownPaths.read(file)
    count = dict(zip(paths.words, paths.counts.tolist(), strict=True))
    words = tuple(sorted(count))
    counts = np.array([count[word] for word in words])
    vocabulary = Vocabulary(words, counts, n_documents=int(counts.max()))
    return BrownGroups(paths=file).build(None, vocabulary), words


def _show(groups: Any, words: tuple[str, ...], top: int, as_json: bool, more: dict[str, Any]) -> None:
    import numpy as np

    from laconic.groups.facts import GroupFacts

    facts = GroupFacts.of(groups)
    # A sample from all over the list, not its head: the first groups are often alike.
    chosen = sorted(set(np.linspace(0, len(groups) - 1, min(top, len(groups))).round().astype(int).tolist()))
    sample = [(groups.names[g], [words[j] for j in groups.members(g)]) for g in chosen]
    if as_json:
        echo_json({**more, **asdict(facts), "sample": dict(sample)})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("source", str(more["source"]))
    table.add_row("groups", f"{facts.groups:,}, {facts.structure}")
    table.add_row("words", f"{facts.words:,} of {facts.vocabulary:,} in a group")
    sizes = f"{facts.smallest:,} to {facts.largest:,}, median {facts.median:,g}, mean {facts.mean:,.1f}"
    table.add_row("sizes", sizes)
    table.add_row("overlap", f"{facts.overlap:.2f} groups a word; {facts.shared:.0%} of the words in several")
    if more.get("saved"):
        table.add_row("saved", str(more["saved"]))
    listed = Table(box=None, pad_edge=False, header_style="bold")
    listed.add_column("group", ratio=1)
    listed.add_column("size", justify="right", no_wrap=True)
    listed.add_column("words", ratio=2)
    for name, own in sample:
        listed.add_row(name, f"{len(own):,}", ", ".join(own[:WORDS]) + (", …" if len(own) > WORDS else ""))
    show(table, listed)


def _read(source: str, reading: Reading, data_dir: str | None) -> Any:
    from laconic import data

    splits = known_splits(source, data_dir)
    if splits is not None:
        return splits.train
    return data.read(source, text_col=list(reading.text_cols) or None, id_col=reading.id_col, labelled=False)


def _check_target(out: str, read: list[str | None], force: bool) -> None:
    """Refuse a file that could not be written or is one of those that are read, before the long work."""
    from laconic.cli.predict import check_file

    if out == "-":
        raise click.UsageError("--out - is no file: groups are written to a file; without --out they are only shown.")
    for one in read:
        check_file(out, one or "-", force=True)
    check_file(out, "-", force)
