"""``laconic groups``: make groups of words out of texts, and look at them."""

from typing import Any

import click
import numpy as np

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import check_file
from laconic.cli.shared.output import answer, facts_table, table, terminal
from laconic.core.groups import Groups
from laconic.groups.kinds import builder_of
from laconic.workflows.groups import GroupsJob, build_groups, group_facts, read_groups

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

    CORPUS is a file of documents, labelled or not, or the name of a built-in dataset (its training split). The file
    that is made, {name: [word, …]}, can be edited by hand and goes into laconic fit --groups.

    \b
    Kinds:
      sentences, sentences:paragraph, sentences:document
                          one group per sentence, paragraph or document
      constituents, constituents:FILE, constituents:neutral
                          one group per constituent of the trees that come
                          with the texts, or of a file (brackets, .conllu)
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
@opt.text("--kind", "KIND", "Kind of groups; see laconic groups --help.", required=True)
@opt.number("--size", "Number of topics, components or clusters.")
@opt.text("--texts", "FILE", "Texts to learn groups from, labelled or not, instead of CORPUS.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="Random seed of the groups.")
@opt.text("--cache", "DIR", "Folder in which groups are kept and found again.")
@opt.text(
    "--out",
    "-o",
    "FILE",
    "File to write, {name: [word, …]}; for Brown clusters also .paths: bits, words and counts. If omitted, groups "
    "are only shown.",
)
@opt.force_file
@opt.reading_options(label=False)
@opt.feature_options()
@opt.quiet_option
@opt.json_option
def build(kind: str, size: int | None, texts: str | None, seed: int | None, force: bool, **options: Any) -> None:
    """Build groups of the words of CORPUS.

    \b
    Examples:
      laconic groups reviews.csv --kind lda --size 200 -o topics.json
      laconic groups reviews.csv --kind lsi --texts unlabelled.txt -o lsi.json
      laconic groups 20ng/science --kind sentences --min-df 5 -o sentences.json
    """
    try:
        builder: Any = builder_of(kind, size=size, texts=texts, seed=seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    builder.check()
    quiet, as_json = options.pop("quiet"), options.pop("as_json")
    job = GroupsJob(builder=builder, **opt.taken(GroupsJob, options), features=options)
    if job.as_paths and not hasattr(builder, "cluster"):
        raise click.UsageError(f"--out {job.out}: only Brown clusters have paths; name a .json file for {kind}.")
    if job.out is not None:
        if job.out == "-":
            raise click.UsageError(
                "--out - is no file: groups are written to a file; without --out they are only shown."
            )
        # A kind may be, begin or end with a file: topics.json, lexicon.csv:field, brown:clusters.paths.
        for file in (job.source, texts, kind, kind.partition(":")[2], kind.rpartition(":")[0]):
            check_file(job.out, file or "-", force=True)
        check_file(job.out, "-", force)
    with terminal(f"groups: {kind}", quiet) as watch:
        groups, words = build_groups(job, watch)
    _show(groups, words, SAMPLE, as_json, {"source": groups.source, "saved": job.out})


@command.command("show")
@click.argument("file", metavar="FILE")
@opt.number("--top", "Number of groups to show.", default=SAMPLE)
@opt.json_option
def show_file(file: str, top: int, as_json: bool) -> None:
    """Show the groups of a file: how many, how large, how much they share, and some of them.

    For Brown clusters (.paths) all nodes of the hierarchy are shown.

    \b
    Examples:
      laconic groups show topics.json --top 30
      laconic groups show clusters.paths
    """
    groups, words = read_groups(file)
    _show(groups, words, top, as_json, {"source": groups.source or file})


def _show(groups: Groups, words: tuple[str, ...], top: int, as_json: bool, more: dict[str, Any]) -> None:
    facts = group_facts(groups)
    # A sample from all over the list, not its head: the first groups are often alike.
    chosen = sorted(set(np.linspace(0, len(groups) - 1, min(top, len(groups))).round().astype(int).tolist()))
    sample = {groups.names[g]: [words[j] for j in groups.members(g)] for g in chosen}
    rows = {
        "source": str(more["source"]),
        "groups": "{groups:,}, {structure}".format(**facts),
        "words": "{words:,} of {vocabulary:,} in a group".format(**facts),
        "sizes": "{smallest:,} to {largest:,}, median {median:,g}, mean {mean:,.1f}".format(**facts),
        "overlap": "{overlap:.2f} groups per word; {shared:.0%} of the words in several".format(**facts),
        **({"saved": str(more["saved"])} if more.get("saved") else {}),
    }
    listed = table("group", ">size", "words")
    listed.columns[0].ratio, listed.columns[2].ratio = 1, 2
    for name, own in sample.items():
        listed.add_row(name, f"{len(own):,}", ", ".join(own[:WORDS]) + (", …" if len(own) > WORDS else ""))
    answer(as_json, {**more, **facts, "sample": sample}, facts_table(rows), listed)
