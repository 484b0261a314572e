"""What a source means: a file or folder, standard input, or the name of a built-in dataset; a file wins."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.data.labels import label_separator, split_labels
from laconic.models.folder.model import KIND, SEVERAL
from laconic.models.scoring.scorer import PARSER, TAGGER, load
from laconic.workflows.watch import SILENT, Contradiction, Watch

if TYPE_CHECKING:
    from laconic.data import Corpus, Document, Splits
    from laconic.data.files.delimited import FileFormat


@dataclass(frozen=True)
class Reading:
    """Which columns to read and how files are written, detected where not given; folder of built-in datasets."""

    text_cols: tuple[str, ...] = ()
    label_col: str | tuple[str, ...] | None = None
    id_col: str | None = None
    data_dir: str | None = None
    sep: str | None = None
    encoding: str | None = None
    no_header: bool = False
    drop_unlabelled: bool = False
    label_sep: str | None = None

    @property
    def form(self) -> "FileFormat":
        """How files are written."""
        from laconic.data.files.delimited import FileFormat

        try:
            return FileFormat(self.sep, self.encoding, False if self.no_header else None)
        except ValueError as error:
            raise Contradiction(f"--{error}.") from None

    @property
    def labels(self) -> tuple[str, ...]:
        """The label columns that were given or found."""
        from laconic.data.files.table import label_columns

        return label_columns(self.label_col)

    def stored(self) -> dict[str, Any]:
        """Return what is stored with a model: the columns, and how files are written where that was said or matters."""
        said = {name: getattr(self, name) for name in ("sep", "encoding", "no_header", "label_sep")}
        return {**self.columns(), **{name: value for name, value in said.items() if value}}

    def columns(self) -> dict[str, Any]:
        """Return the columns."""
        return {"text_cols": self.text_cols, "label_col": self.label_col, "id_col": self.id_col}

    def arguments(self) -> dict[str, Any]:
        """Return the reading as arguments of `laconic.data.read`."""
        columns = {"text_col": list(self.text_cols) or None, "label_col": self.label_col, "id_col": self.id_col}
        return {**columns, **asdict(self.form)}

    def free(self, columns: tuple[str, ...]) -> list[str]:
        """Return those of a file's columns that have no role yet."""
        return [column for column in columns if column not in (*self.text_cols, *self.labels, self.id_col)]

    def completed(self, earlier: "Reading", columns: tuple[str, ...]) -> "Reading":
        """Return the reading with what was not given from an earlier one, where the file has its columns to spare."""
        reading, free = self, self.free(columns)
        if not reading.text_cols and set(earlier.text_cols) <= set(free):
            reading = replace(reading, text_cols=earlier.text_cols)
            free = reading.free(columns)
        if reading.label_col is None and earlier.labels and set(earlier.labels) <= set(free):
            reading = replace(reading, label_col=earlier.label_col)
            free = reading.free(columns)
        if reading.label_sep is None:
            reading = replace(reading, label_sep=earlier.label_sep)
        if reading.id_col is None and earlier.id_col in free:
            reading = replace(reading, id_col=earlier.id_col)
        return reading


ANY = Reading()


def known_splits(source: str, data_dir: str | None) -> "Splits | None":
    """Load the built-in dataset of that name; None if a file or folder has the name, or it is standard input."""
    if source == "-" or Path(source).exists():
        return None
    from laconic.data import known_sets

    if source in {known.name for known in known_sets.known()}:
        return known_sets.load(source, data_dir)
    raise FileNotFoundError(f"no file or folder {source!r}, and no built-in dataset of that name (laconic data list)")


def read_labelled(source: str, reading: Reading) -> "Corpus":
    """Read a labelled corpus."""
    from laconic.data.files.readers import read

    more: dict[str, Any] = {"drop_unlabelled": reading.drop_unlabelled, "label_sep": reading.label_sep}
    return read(source, **reading.arguments(), labelled=True, **more)


def read_first(source: str, reading: Reading) -> "tuple[Corpus, Reading]":
    """Read a labelled corpus; return it with the reading, which says what separates labels for files to come."""
    if reading.label_sep is not None:
        return read_labelled(source, reading), reading
    corpus = read_labelled(source, replace(reading, label_sep=""))
    separator = label_separator(corpus.labels or ())
    if separator is None:
        return corpus, reading
    labels = split_labels(corpus.labels or (), separator)
    return replace(corpus, labels=tuple(labels)), replace(reading, label_sep=separator)


def read_corpora(
    source: str,
    reading: Reading,
    *earlier: Reading,
    dev: str | None = None,
    test: str | None = None,
    watch: Watch = SILENT,
) -> tuple[dict[str, Any], Reading]:
    """Return labelled corpora by their roles, and the columns they were read from."""
    splits = known_splits(source, reading.data_dir)
    if splits is not None:
        if dev or test:
            raise Contradiction(f"{source} is a built-in dataset with a dev and a test set of its own.")
        return dict(splits), reading
    reading = find_columns(source, reading, *earlier, watch=watch)
    train, reading = read_first(source, reading)
    files = {"dev": dev, "test": test}
    return {
        "train": train,
        **{split: read_labelled(file, reading) for split, file in files.items() if file is not None},
    }, reading


def read_split(
    source: str, reading: Reading, *earlier: Reading, split: str = "test", watch: Watch = SILENT
) -> "Corpus":
    """Read labelled documents with the columns of earlier readings; of a built-in dataset take a split."""
    splits = known_splits(source, reading.data_dir)
    if splits is not None:
        return getattr(splits, split)
    return read_labelled(source, find_columns(source, reading, *earlier, watch=watch))


def read_unlabelled(source: str, reading: Reading, split: str = "train") -> "Iterable[Document]":
    """Return the documents of a source as they come, without labels; of a built-in dataset a split."""
    from laconic.data.files.readers import stream

    splits = known_splits(source, reading.data_dir)
    return stream(source, **reading.arguments(), labelled=False) if splits is None else getattr(splits, split)


def read_any(source: str, reading: Reading, *earlier: Reading, partly: bool = False) -> "Corpus":
    """Read documents with labels where there are any, in ``partly`` also of some; of a built-in dataset the test."""
    from laconic.data.files.readers import read

    splits = known_splits(source, reading.data_dir)
    if splits is not None:
        return splits.test
    reading = earlier_columns(source, reading, *earlier)
    labelled = True if reading.label_col and not partly else None
    return read(source, **reading.arguments(), labelled=labelled, label_sep=reading.label_sep)


def earlier_columns(source: str, reading: Reading, *earlier: Reading) -> Reading:
    """Take columns that were not given from earlier readings, the first of them first, where the file has them."""
    # Standard input cannot be looked at twice and a folder has no columns: of these the reading is returned as it is.
    from laconic.data.files.readers import columns_of

    if source == "-" or Path(source).is_dir() or not earlier:
        return reading
    columns = columns_of(source, reading.form)
    for older in earlier:
        reading = reading.completed(older, columns)
    return reading


def find_columns(source: str, reading: Reading, *earlier: Reading, watch: Watch = SILENT) -> Reading:
    """Find the columns that were not given, those of earlier readings first; ask where they cannot be told."""
    from laconic.data.files.readers import peek

    if source == "-" or Path(source).is_dir():
        return reading
    reading = earlier_columns(source, reading, *earlier)
    columns, guess = peek(source, reading.text_cols, reading.label_col, reading.id_col, reading.form)
    text_cols = reading.text_cols or ((guess.text,) if guess.text else ())
    reading = replace(reading, text_cols=text_cols, label_col=guess.label)
    if not reading.text_cols:
        reading = replace(reading, text_cols=(_asked("text", source, columns, reading, watch),))
    if reading.label_col is None and reading.free(columns):  # without another column the reader says: no labels
        reading = replace(reading, label_col=_asked("label", source, columns, reading, watch))
    return reading


def load_text_model(folder: str, several: bool = False) -> Any:
    """Load a model that classifies texts; refuse a tagger, a parser, and a multi-label model unless asked for."""
    return _load(folder, {KIND, SEVERAL} if several else {KIND})


def load_tagger(folder: str) -> Any:
    """Load a tagger; refuse any other model with the commands for it."""
    return _load(folder, {TAGGER})


def load_parser(folder: str) -> Any:
    """Load a parser; refuse any other model with the commands for it."""
    return _load(folder, {PARSER})


def _load(folder: str, kinds: set[str]) -> Any:
    scorer = load(folder)
    kind = scorer.info.get("kind")
    if kind in kinds:
        return scorer
    few, more = "predict, evaluate or inspect", "predict, evaluate, inspect, explain, edit, diff, stability or report"
    is_what, command, verbs = {
        TAGGER: ("is a tagger", "laconic tag", few),
        PARSER: ("is a parser", "laconic parse", few),
        SEVERAL: ("gives several labels", "laconic", more),
    }.get(kind, ("classifies texts", "laconic", few))
    raise ValueError(f"the model {folder} {is_what}; use {command} {verbs} with it")


def stored_reading(info: Mapping[str, Any]) -> Reading:
    """Return the columns that ``laconic fit`` read; other models have none stored."""
    stored = (info.get("extra") or {}).get("reading") or {}
    label = stored.get("label_col")
    return Reading(
        tuple(stored.get("text_cols") or ()),
        tuple(label) if isinstance(label, list) else label,
        stored.get("id_col"),
        label_sep=stored.get("label_sep"),
    )


def stem(source: str) -> str:
    """Return a name for what is made of a source: the file's without its suffixes, of a pattern its folder's."""
    if is_pattern(source):
        parts = [part for part in Path(source).parts[:-1] if not is_pattern(part) and part not in (".", "/")]
        return parts[-1] if parts else "model"
    return "stdin" if source == "-" else Path(source).resolve().name.split(".")[0] or "model"


def is_pattern(source: str) -> bool:
    """Say whether a source is a pattern of files, such as ``parts/*.jsonl``."""
    return any(sign in source for sign in "*?[") and not Path(source).exists()


def file_of(source: str) -> Path | None:
    """Return the file of a source; None is standard input."""
    return None if source == "-" else Path(source)


def _asked(what: str, source: str, columns: tuple[str, ...], reading: Reading, watch: Watch) -> str:
    """Return the column that the caller chooses; without an answer, explain."""
    left = reading.free(columns)
    answer = watch.ask(f"Which column of {source} is the {what}?", left) if left else None
    if answer is None:
        several = ", repeated where each label is a column of 0 and 1" if what == "label" else ""
        raise ValueError(
            f"cannot tell which column of {source} is the {what}; its columns are "
            f"{', '.join(map(repr, columns)) or 'none'}. Pass --{what}-col{several}"
        )
    return answer
