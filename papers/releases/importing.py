"""`import_release`: from an official release, as it was loaded, to the files that `laconic.data.load` reads."""

import json
import lzma
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from laconic.data.known_sets import SplitCheck, check
from papers.releases.archives import members
from papers.releases.releases import RELEASES

CHUNKS = "conll2000"  # columns, not documents: its two files are stored as they are
CHUNK_PATTERN = r"(^|/)(train|test)\.txt(\.gz)?$"
NAMES = (*RELEASES, CHUNKS)


@dataclass(frozen=True)
class Imported:
    """What was made of a release: the files with their numbers of documents, and how the known sets check out.

    Examples
    --------
    >>> Imported({"text/movie/train.jsonl.xz": 1600}, {}).files
    {'text/movie/train.jsonl.xz': 1600}
    """

    files: dict[str, int]
    checks: dict[str, tuple[SplitCheck, ...]]

    @property
    def complete(self) -> bool:
        """Whether every split is, to the character, the one that published numbers refer to."""
        return all(split.hash_ok for splits in self.checks.values() for split in splits)


def import_release(
    name: str,
    archive: str | Path,
    data_dir: str | Path | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Imported:
    """Build the layout of the data folder from an official release.

    Parameters
    ----------
    name : str
        20ng, movie, vote, amazon, amazon/music, sst, imdb or conll2000.
    archive : path
        The release as it was loaded (tar or zip), or the folder it was unpacked to.
    data_dir : path, optional
        The folder to build; the environment variable LACONIC_DATA without it.
    progress : callable, optional
        Called as ``progress(done, total, text)``.

    Raises
    ------
    FileNotFoundError
        If there is no archive, or no data folder was named.
    ValueError
        If the name is unknown or the archive does not hold the files of the release.

    Examples
    --------
    >>> import_release("chess", "chess.zip", "data")
    Traceback (most recent call last):
        ...
    ValueError: there is no release 'chess'; known are 20ng, movie, vote, amazon, amazon/music, sst, imdb, conll2000
    """
    if name not in NAMES:
        raise ValueError(f"there is no release {name!r}; known are {', '.join(NAMES)}")
    base = data_dir or os.environ.get("LACONIC_DATA")
    if not base:
        raise FileNotFoundError("Pass data_dir or set LACONIC_DATA: the folder to build is not known")
    report = progress or (lambda done, total, text: None)
    report(0, 1, f"reading {archive}")
    made = _chunks(archive) if name == CHUNKS else _documents(name, archive)
    written = {}
    for done, (file, (content, size)) in enumerate(made.items()):
        report(done, len(made), file)
        _write(Path(base) / file, content)
        written[file] = size
    sets = () if name == CHUNKS else RELEASES[name].sets
    return Imported(written, {one: check(one, base) for one in sets})


def _documents(name: str, archive: str | Path) -> dict[str, tuple[bytes, int]]:
    release = RELEASES[name]
    files = dict(members(archive, lambda path: re.search(release.pattern, path) is not None))
    if not files:
        raise ValueError(
            f"{archive} has none of the files of the release {name!r} ({release.archive}): no path matches "
            f"{release.pattern!r}"
        )
    try:
        made = release.read(files)
    except (ValueError, KeyError, IndexError) as error:
        raise ValueError(f"{archive} is not the release {name!r} ({release.archive}) as expected: {error}") from error
    if empty := sorted(file for file, rows in made.items() if not rows):
        raise ValueError(f"{archive} has no documents for {', '.join(empty)}; is it the whole of {release.archive}?")
    return {
        f"{file}.jsonl.xz": ("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode(), len(rows))
        for file, rows in made.items()
    }


def _chunks(archive: str | Path) -> dict[str, tuple[bytes, int]]:
    import gzip

    files = dict(members(archive, lambda path: re.search(CHUNK_PATTERN, path) is not None))
    made = {}
    for path, content in files.items():
        name = path.rpartition("/")[2]
        text = gzip.decompress(content) if name.endswith(".gz") else content
        sentences = [one for one in text.replace(b"\r\n", b"\n").strip().split(b"\n\n") if one.strip()]
        if any(len(line.split()) != 3 for one in sentences for line in one.split(b"\n")):
            raise ValueError(f"{path} in {archive} is not CoNLL-2000: a line has not three columns (word, tag, chunk)")
        content = b"".join(one + b"\n\n" for one in sentences)
        made[f"structured/{CHUNKS}/{name.partition('.')[0]}.conll.xz"] = (content, len(sentences))
    if len(made) != 2:
        raise ValueError(f"{archive} does not hold train.txt and test.txt, the two files of CoNLL-2000")
    return made


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(lzma.compress(content))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
