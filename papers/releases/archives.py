"""The files inside a release: a tar or zip archive, or a folder it was unpacked to. Nothing is written to disk."""

import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path


def members(archive: str | Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of every file of a release that is wanted, sorted by path.

    Parameters
    ----------
    archive : path
        ``.tar``, ``.tar.gz``, ``.tgz``, ``.tar.bz2``, ``.tar.xz``, ``.zip``, or a folder.
    wanted : callable
        Given a path with ``/`` between its parts, says whether the file is needed.

    Raises
    ------
    FileNotFoundError
        If there is no such archive.
    ValueError
        If it is no archive, or is damaged.

    Examples
    --------
    >>> import io, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = Path(place, "a.txt").write_bytes(b"text")
    ...     list(members(place, lambda path: path.endswith(".txt")))
    [('a.txt', b'text')]
    """
    path = Path(archive)
    if not path.exists():
        raise FileNotFoundError(f"there is no archive or folder {str(path)!r}")
    try:
        if path.is_dir():
            found = {one.relative_to(path).as_posix(): one for one in path.rglob("*") if one.is_file()}
            yield from ((name, found[name].read_bytes()) for name in sorted(found) if wanted(name))
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as opened:
                names = sorted(one.filename for one in opened.infolist() if not one.is_dir())
                yield from ((name, opened.read(name)) for name in names if wanted(name))
        elif tarfile.is_tarfile(path):
            # A compressed tar can be read quickly only from front to end, so that the order is made afterwards.
            with tarfile.open(path) as opened:
                read = {
                    one.name: content.read()
                    for one in opened
                    if one.isfile() and wanted(one.name) and (content := opened.extractfile(one)) is not None
                }
            yield from sorted(read.items())
        else:
            raise ValueError(f"{path} is neither a tar or zip archive nor a folder; give the release as it was loaded")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{path} cannot be read as an archive: {error}; load the release again") from error
