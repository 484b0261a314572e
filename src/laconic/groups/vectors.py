"""Word vectors from files, of which only the wanted words are kept in memory; the formats: docs/groups.md."""

import os
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.core.files import check_regular, open_array, parse_array
from laconic.data.files.lines import COMPRESSIONS, open_bytes, plain_suffix, read_bytes, read_lines, read_text

WORDS = ("words.txt", *(f"words.txt{suffix}" for suffix in COMPRESSIONS))
CHUNK = 1 << 20  # bytes of a binary file read at a time
LONGEST_VECTOR = 1 << 16  # numbers of a vector
LARGEST_MATRIX = 1 << 34  # bytes of a compressed one
DIGITS = 18  # of a number in a first line


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words and their finite vectors, of a word that is there twice the first; `total` counts those left out, too."""

    words: tuple[str, ...]
    matrix: NDArray[np.float32] = field(repr=False)
    total: int

    def __init__(self, words: Sequence[str], matrix: ArrayLike, total: int | None = None) -> None:
        array = np.asarray(matrix, dtype=np.float32)
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError("The words of word vectors must be a list of strings.")
        if array.ndim != 2 or array.shape[1] == 0:
            raise ValueError(
                f"Word vectors have the shape {array.shape}; they must be a matrix, one row for each word."
            )
        if len(array) != len(words):
            raise ValueError(f"There are {len(words)} words but {len(array)} vectors; give one vector for each word.")
        broken = np.flatnonzero(~np.isfinite(array).all(axis=1))
        if len(broken):
            raise ValueError(
                f"The vector of {words[broken[0]]!r} holds a number that is NaN or infinite ({len(broken)} of "
                f"{len(words)} vectors do); repair the vectors or leave these words out."
            )
        object.__setattr__(self, "words", tuple(words))
        object.__setattr__(self, "matrix", array)
        object.__setattr__(self, "total", len(words) if total is None else total)

    def __deepcopy__(self, memo: dict[int, Any]) -> "WordVectors":
        return self  # it never changes, and a copy for every setting of a grid would fill the memory

    def only(self, wanted: Container[str]) -> "WordVectors":
        """Return the vectors of wanted words, each word once."""
        rows = _wanted_rows(self.words, wanted)
        return WordVectors([self.words[i] for i in rows], self.matrix[rows], self.total)


def read_vectors(
    place: str | os.PathLike, wanted: Container[str], words: str | os.PathLike | None = None
) -> "WordVectors":
    """Return the vectors of wanted words from a file or folder; `words` is the list of words of a matrix."""
    path = Path(place)
    if path.is_dir():
        path = _matrix_in(path)
    check_regular(path, "word vectors")
    kind = plain_suffix(path)
    if words is not None and kind != ".npy":
        raise ValueError(f"{path} is not a matrix (.npy), so it takes no list of words ({os.fspath(words)}) beside it.")
    if kind == ".npy":
        return _from_matrix(path, wanted, None if words is None else Path(words))
    read = _binary_rows if kind == ".bin" else _text_rows
    kept: dict[str, NDArray[np.float32]] = {}
    total, dimension = 0, 0
    for word, numbers in read(path, wanted):
        total += 1
        dimension = dimension or (0 if numbers is None else len(numbers))
        if numbers is not None and word not in kept:
            kept[word] = numbers
    if total == 0:
        raise ValueError(f"{path} holds no word vectors; it is empty.")
    matrix = np.array(list(kept.values()), dtype=np.float32).reshape(len(kept), max(dimension, 1))
    return _named(path, lambda: WordVectors(list(kept), matrix, total))


def check_place(place: str | os.PathLike) -> None:
    """Raise FileNotFoundError unless there is such a file or folder."""
    if not Path(place).exists():
        raise FileNotFoundError(f"There is no file of word vectors {os.fspath(place)!r}; check its name.")


def _named(path: Path, make: Callable[[], WordVectors]) -> "WordVectors":
    try:
        return make()
    except ValueError as error:
        raise ValueError(f"{path} cannot be used: {error}") from None


def _text_rows(path: Path, wanted: Container[str]) -> Iterator[tuple[str, NDArray[np.float32] | None]]:
    dimension = None
    for number, line in read_lines(path):
        text = line.strip()
        if number == 1 and _header(text) is not None:
            dimension = _header(text)[1]  # type: ignore[index]
            continue
        if not text:
            continue
        if dimension is None:
            dimension = text.count(" ")
            if dimension == 0:
                raise ValueError(f"{path}, line {number}: expected a word and its numbers, got {text[:40]!r}.")
        word, numbers = _row(path, number, text, dimension)
        if word not in wanted:
            yield word, None
            continue
        try:
            yield word, np.array(numbers.split(" "), dtype=np.float32)
        except ValueError:
            raise ValueError(
                f"{path}, line {number}: the vector of {word!r} holds something that is not a number: {numbers[:40]!r}."
            ) from None


def _row(path: Path, number: int, text: str, dimension: int) -> tuple[str, str]:
    """Return the word of a line and its numbers; a few words of public files hold blanks."""
    blanks = text.count(" ")
    if blanks == dimension:
        word, _, numbers = text.partition(" ")
        return word, numbers
    pieces = text.split(" ")
    word = " ".join(pieces[:-dimension])
    if blanks < dimension or any(_is_number(piece) for piece in pieces[1:-dimension]):
        raise ValueError(
            f"{path}, line {number}: the vector of {pieces[0]!r} has {blanks} numbers, but those before have "
            f"{dimension}; the file is damaged there, or not a file of word vectors."
        )
    return word, " ".join(pieces[-dimension:])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _header(text: str) -> tuple[int, int] | None:
    pieces = text.split()
    if len(pieces) != 2 or not all(piece.isdecimal() and len(piece) <= DIGITS for piece in pieces):
        return None
    return int(pieces[0]), int(pieces[1])


def _binary_rows(path: Path, wanted: Container[str]) -> Iterator[tuple[str, NDArray[np.float32] | None]]:
    with open_bytes(path) as stream:
        header = _header(stream.readline(64).decode("utf-8", "replace").strip())
        if header is None or header[1] == 0:
            raise ValueError(
                f"{path} does not begin with the number of its words and their dimension, as word2vec's binary files "
                "do; a text file must not end in .bin."
            )
        n_words, dimension = header
        least = n_words * (4 * dimension + 2)
        if dimension > LONGEST_VECTOR or (path.suffix.lower() not in COMPRESSIONS and least > path.stat().st_size):
            raise ValueError(
                f"{path} should hold {n_words} words with {dimension} numbers each, by its first line, but it is too "
                "small for them. Fetch it again."
            )
        buffer, at = b"", 0
        for number in range(1, n_words + 1):
            while (blank := buffer.find(b" ", at)) < 0 or len(buffer) < blank + 1 + 4 * dimension:
                more = stream.read(CHUNK)
                if not more:
                    raise ValueError(f"{path} ends in word {number} of {n_words}; it was cut off. Fetch it again.")
                buffer, at = buffer[at:] + more, 0
            word = buffer[at:blank].lstrip(b"\n").decode("utf-8", "replace")
            yield word, np.frombuffer(buffer, "<f4", dimension, blank + 1).copy() if word in wanted else None
            at = blank + 1 + 4 * dimension


def _from_matrix(path: Path, wanted: Container[str], list_of_words: Path | None) -> "WordVectors":
    places = [path.parent / name for name in WORDS] if list_of_words is None else [list_of_words]
    names = next((place for place in places if place.is_file()), places[0])
    if list_of_words is None and not names.is_file():
        raise FileNotFoundError(
            f"There is no {WORDS[0]} beside {path}; the words of a matrix stand there, one per line."
        )
    if not names.is_file():
        raise FileNotFoundError(f"There is no list of words {str(names)!r} for the vectors {path}; check its name.")
    try:
        packed = path.suffix.lower() in COMPRESSIONS
        matrix = parse_array(read_bytes(path, LARGEST_MATRIX)) if packed else open_array(path)
    except ValueError as error:
        raise ValueError(f"{path} is not a matrix of numbers in .npy format: {error}") from None
    words = read_text(names).splitlines()
    if matrix.ndim != 2 or len(matrix) != len(words):
        raise ValueError(
            f"{path} has the shape {matrix.shape}, but {names} has {len(words)} words; give one row for each word."
        )
    rows = _wanted_rows(words, wanted)
    return _named(path, lambda: WordVectors([words[i] for i in rows], matrix[rows], len(words)))


def _wanted_rows(words: Sequence[str], wanted: Container[str]) -> list[int]:
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        if word in wanted:
            first.setdefault(word, row)
    return list(first.values())


def _matrix_in(folder: Path) -> Path:
    matrices = sorted(file for file in folder.iterdir() if plain_suffix(file) == ".npy")
    if len(matrices) != 1:
        raise ValueError(
            f"The folder {folder} holds {len(matrices)} files that end in .npy; it must hold one, and its words in "
            "words.txt. Or name the file itself."
        )
    return matrices[0]
