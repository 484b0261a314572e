"""`read` and `stream`: one door for files, folders, frames, datasets and lists; which, and as what: docs/data.md.

`peek` looks at the first rows alone: which columns a source has, and which seem to be what.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from laconic.core.values import excerpt
from laconic.data.corpus import Corpus
from laconic.data.document import Document
from laconic.data.files.delimited import DETECTED, FileFormat, delimited_table
from laconic.data.files.items import dataset_table, excel_table, items_table, pandas_table, parquet_table, polars_table
from laconic.data.files.lines import COMPRESSIONS, plain_suffix
from laconic.data.files.table import (
    GIVEN,
    SAMPLE,
    Columns,
    Table,
    guess_columns,
    label_candidates,
    label_columns,
    rows_to_documents,
    settle_header,
)
from laconic.data.files.text_files import folder_table, json_table, jsonl_table, lines_table
from laconic.data.labels import label_separator, split_labels

_BY_SUFFIX: dict[str, Callable[[Path, FileFormat], Table]] = {
    ".jsonl": jsonl_table,
    ".ndjson": jsonl_table,
    ".json": json_table,
    ".csv": partial(delimited_table, usual=","),
    ".tsv": partial(delimited_table, usual="\t"),
    ".txt": lines_table,
    ".parquet": parquet_table,
    ".xlsx": excel_table,
}
_PACKED = (".parquet", ".xlsx")  # in themselves


def read(
    source: Any,
    *,
    text_col: str | Sequence[str] | None = None,
    label_col: str | Sequence[str] | None = None,
    id_col: str | None = None,
    name: str = "",
    labelled: bool | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    drop_unlabelled: bool = False,
    label_sep: str | None = None,
) -> Corpus:
    """Read a whole source into a `Corpus`.

    Parameters
    ----------
    source : str, Path, frame, dataset, iterable of str or dict, or Corpus
        A file, folder, frame, dataset or list (see docs/data.md); the string ``"-"`` is standard input (JSON lines).
    text_col : str or list of str, optional
        The text column, or several that are joined by a blank line (missing parts are left out). Guessed if not given.
    label_col : str or list of str, optional
        Guessed if not given. Several columns hold 0 or 1 each, and a document has the labels whose columns hold 1.
    id_col : str, optional
        Guessed if not given; without an id column, or with ``""``, the documents are numbered from "1".
    name : str
        Name of the corpus; the file's name if not given.
    labelled : bool, optional
        True: labels must be there. False: ignore them. None: take them if a label column is found and not empty.

    sep, encoding, header : optional
        Separator of fields, encoding, and whether the first row names the columns; detected if not given.
    drop_unlabelled : bool
        Leave out documents without a label, with a warning.
    label_sep : str, optional
        What separates several labels in one string; detected if not given, and with ``""`` a string is one label.

    Raises
    ------
    FileNotFoundError
        If there is no such file or folder.
    ValueError
        If the source is malformed, empty or lacks labels, or a column cannot be told; the message says where.

    Examples
    --------
    >>> read([{"review": "Warm and funny.", "stars": 5}, {"review": "Dull.", "stars": 2}], label_col="stars").labels
    (5, 2)
    >>> read(["no labels", "here"]).ids
    ('1', '2')
    """
    if isinstance(source, Corpus):
        return _relabel(source, name, labelled)
    table = as_table(source, FileFormat(sep, encoding, header))
    plan, numbered = rows_to_documents(table, text_col, label_col, id_col, labelled)
    placed = list(numbered)
    if drop_unlabelled:
        placed = _labelled_alone(placed, table.name)
    lines, documents = [line for line, _ in placed], [document for _, document in placed]
    labels = None if plan.label is None else [document.label for document in documents]
    if labels is not None and labelled is None and all(label is None for label in labels):
        labels = None
    separator = label_separator(labels or ()) if label_sep is None else label_sep
    if labels is not None and separator:
        labels = split_labels(labels, separator)
    return Corpus.from_lists(
        [document.text for document in documents],
        labels,
        _numbered([document.id for document in documents], table.name),
        [document.sentences for document in documents] if plan.sentences else None,
        [document.tree for document in documents] if plan.tree else None,
        name or (Path(source).name if isinstance(source, (str, Path)) and source != "-" else ""),
        place=lambda i: table.place(lines[i]),
    )


def stream(
    source: Any,
    *,
    text_col: str | Sequence[str] | None = None,
    label_col: str | Sequence[str] | None = None,
    id_col: str | None = None,
    name: str = "",
    labelled: bool | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
) -> Iterator[Document]:
    """Yield the documents of a source one by one, for files in constant memory.

    The parameters are those of `read`. The file is opened and its columns are found at once; bad rows are reported
    when they are reached. Unlike `read`, it does not look for ids that occur twice, and labels keep the type they
    have in their own row.

    Examples
    --------
    >>> [document.text for document in stream(["one", "two"])]
    ['one', 'two']
    """
    if isinstance(source, Corpus):
        return iter(_relabel(source, name, labelled))
    table = as_table(source, FileFormat(sep, encoding, header))
    _, numbered = rows_to_documents(table, text_col, label_col, id_col, labelled)
    return _checked(table, numbered) if labelled else (document for _, document in numbered)


def _labelled_alone(placed: list[tuple[int, Document]], name: str) -> list[tuple[int, Document]]:
    kept = [(line, document) for line, document in placed if document.label is not None]
    if not kept:
        raise ValueError(f"{name}: none of the {len(placed)} documents has a label")
    if len(kept) < len(placed):
        remark = f"{name}: left out {len(placed) - len(kept)} of {len(placed)} documents, which have no label"
        warnings.warn(remark, stacklevel=3)
    return kept


def _numbered(ids: list[str], name: str) -> list[str]:
    """Return ids with a number behind those that occurred before: u, u (2), u (3)."""
    taken = set(ids)
    if len(taken) == len(ids):
        return ids
    times: Counter[str] = Counter()
    unique = []
    for identifier in ids:
        times[identifier] += 1
        new = identifier
        while times[identifier] > 1 and (new := f"{identifier} ({times[identifier]})") in taken:
            times[identifier] += 1
        taken.add(new)
        unique.append(new)
    twice = [identifier for identifier in times if times[identifier] > 1]
    warnings.warn(
        f"{name}: {len(twice)} ids occur more than once, e.g. {excerpt(twice[0])}, and are numbered: "
        f'{excerpt(twice[0] + " (2)")}, …; id_col="" reads no ids',
        stacklevel=3,
    )
    return unique


def _checked(table: Table, numbered: Iterator[tuple[int, Document]]) -> Iterator[Document]:
    for line, document in numbered:
        if document.label is None:
            raise ValueError(f"{table.place(line)}: document {document.id!r} has no label (missing, NaN or blank)")
        yield document


def as_table(source: Any, form: FileFormat = DETECTED) -> Table:
    """Return the rows of a source, of whatever kind; see the table at the top of this module."""
    if isinstance(source, (str, Path)):
        return jsonl_table(None, form) if source == "-" else _path_table(Path(source), form)
    if hasattr(source, "column_names"):
        return dataset_table(source, "the dataset")
    if hasattr(source, "iter_rows") and hasattr(source, "columns"):
        return polars_table(source, "the frame")
    if hasattr(source, "itertuples") and hasattr(source, "columns"):
        return pandas_table(source, "the frame")
    if isinstance(source, Iterable) and not isinstance(source, (Mapping, bytes)):
        return items_table(source, "the list")
    raise TypeError(
        f"cannot read documents from a {type(source).__name__}; allowed are a path, a pandas or polars frame, "
        "a Hugging Face dataset, a list of strings or dicts, or a Corpus"
    )


def _path_table(path: Path, form: FileFormat) -> Table:
    if path.is_dir():
        return folder_table(path, form)
    if not path.exists():
        raise FileNotFoundError(f"no file or folder {str(path)!r}")
    compressed = path.suffix.lower() in COMPRESSIONS
    suffix = plain_suffix(path)
    if suffix not in _BY_SUFFIX or (compressed and suffix in _PACKED):
        raise ValueError(
            f"cannot tell the format of {str(path)!r} from its suffix; allowed are {', '.join(_BY_SUFFIX)}, "
            f"all but {' and '.join(_PACKED)} also with {', '.join(COMPRESSIONS)}, and folders with one sub-folder per "
            "class"
        )
    if suffix == ".txt" and form.sep:
        return delimited_table(path, form, form.sep)
    return _BY_SUFFIX[suffix](path, form)


def _relabel(corpus: Corpus, name: str, labelled: bool | None) -> Corpus:
    if labelled and corpus.labels is None:
        raise ValueError(f"the corpus {corpus.name!r} has no labels; labels are needed here")
    return replace(corpus, name=name or corpus.name, labels=None if labelled is False else corpus.labels)


def peek(
    source: Any,
    text_cols: Sequence[str] = (),
    label_col: str | Sequence[str] | None = None,
    id_col: str | None = None,
    form: FileFormat = DETECTED,
) -> tuple[tuple[str, ...], Columns]:
    """Return the columns of a source, not standard input, and the text, label and id among them, given or guessed."""
    labels = label_columns(label_col)
    columns, sample = _look(source, [column for column in (*text_cols, *labels, id_col) if column], form)
    free = [column for column in columns if column not in (*text_cols, *labels, id_col)]
    guess = guess_columns(free, sample, text_known=bool(text_cols))
    found_id = guess.id if id_col is None else id_col or None
    return columns, Columns(
        text_cols[0] if text_cols else guess.text,
        (labels if len(labels) > 1 else labels[0]) if labels else guess.label,
        found_id,
    )


def columns_of(source: Any, form: FileFormat = DETECTED) -> tuple[str, ...]:
    """Return the columns of a source, as they are named in it."""
    return _look(source, (), form)[0]


def possible_labels(
    source: Any, text_cols: Sequence[str] = (), id_col: str | None = None, form: FileFormat = DETECTED
) -> list[str]:
    """Return the columns of a source that could be its label; of more than one the reader takes none."""
    columns, sample = _look(source, [column for column in (*text_cols, id_col) if column], form)
    _, guess = peek(source, text_cols, None, id_col, form)
    taken = (*text_cols, guess.text, guess.id, *GIVEN)
    return label_candidates([column for column in columns if column not in taken], sample)


def _look(source: Any, taken: Sequence[str], form: FileFormat) -> tuple[tuple[str, ...], list[Mapping[str, Any]]]:
    """Return the columns of a source, and its first rows."""
    table = settle_header(as_table(source, form), taken)
    rows = list(islice(table.rows, SAMPLE))
    if not rows:
        raise ValueError(f"{table.name} has no documents; at least one is needed")
    return table.columns_of(rows), [row.values for row in rows]
