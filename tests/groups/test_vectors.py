"""Word vectors in all formats, and the files that are none."""

import copy
import gzip
import lzma

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.groups.vectors import WordVectors, check_place, read_vectors

WORDS = ["moon", "orbit", "Ünal", "moon"]
MATRIX = np.array([[1.5, -2.0, 0.25], [0.0, 1e-3, 3.0], [4.0, 5.0, 6.0], [7.0, 7.0, 7.0]], dtype=np.float32)
WANTED = {"moon", "Ünal", "soul"}


HUGE = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 300), }"
FORGED = b"\x93NUMPY\x01\x00v\x00" + HUGE.ljust(117) + b"\n"


def rows():
    return "".join(f"{word} {' '.join(map(repr, row.tolist()))}\n" for word, row in zip(WORDS, MATRIX, strict=True))


def binary(words=WORDS, matrix=MATRIX):
    body = b"".join(
        word.encode() + b" " + row.astype("<f4").tobytes() + b"\n" for word, row in zip(words, matrix, strict=True)
    )
    return f"{len(words)} {matrix.shape[1]}\n".encode() + body


def write(path, data):
    pack = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(data))
    return path


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize(
    ("name", "data"),
    [("glove.txt", rows().encode()), ("w2v.vec", f"4 3\n{rows()}".encode()), ("w2v.bin", binary())],
)
def test_every_format_gives_the_wanted_words(tmp_path, name, data, suffix):
    found = read_vectors(write(tmp_path / (name + suffix), data), WANTED)
    assert found.words == ("moon", "Ünal")  # of a word that is there twice the first
    assert np.array_equal(found.matrix, MATRIX[[0, 2]])
    assert found.total == 4


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
@pytest.mark.parametrize("suffix", ["", ".xz"])
def test_a_matrix_beside_its_words(tmp_path, dtype, suffix):
    np.save(tmp_path / "plain.npy", MATRIX.astype(dtype))
    write(tmp_path / f"words.txt{suffix}", "\n".join(WORDS).encode())
    path = tmp_path / "plain.npy"
    if suffix:
        path = write(tmp_path / "v.npy.xz", path.read_bytes())
        (tmp_path / "plain.npy").unlink()
    for place in (path, tmp_path, str(tmp_path)):
        found = read_vectors(place, WANTED)
        assert (found.words, found.total) == (("moon", "Ünal"), 4)
        assert np.allclose(found.matrix, MATRIX[[0, 2]], atol=1e-2)
    (tmp_path / f"words.txt{suffix}").rename(tmp_path / f"list{suffix}")
    assert read_vectors(path, WANTED, tmp_path / f"list{suffix}").words == ("moon", "Ünal")
    with pytest.raises(FileNotFoundError, match=r"no words.txt beside"):
        read_vectors(path, WANTED)


def test_a_word_may_hold_blanks(tmp_path):
    path = write(tmp_path / "g.txt", b"moon 1 2\n. . . 3 4\nat name@domain.com 5 6\n")
    assert read_vectors(path, {". . .", "at name@domain.com"}).matrix.tolist() == [[3, 4], [5, 6]]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.text("abcé", min_size=1, max_size=4), min_size=1, max_size=8, unique=True),
    st.integers(1, 4),
    st.integers(1, 40),
)
def test_binary_files_in_small_pieces(tmp_path_factory, words, dimension, chunk):
    matrix = np.random.default_rng(len(words)).normal(size=(len(words), dimension)).astype(np.float32)
    path = write(tmp_path_factory.mktemp("v") / "v.bin", binary(words, matrix))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("laconic.groups.vectors.CHUNK", chunk)
        found = read_vectors(path, set(words))
    assert list(found.words) == words
    assert np.array_equal(found.matrix, matrix)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("g.txt", b"moon 1 2 3\norbit 1 2\n", r"g.txt, line 2: the vector of 'orbit' has 2 numbers, .* have 3"),
        ("g.txt", b"moon 1 2\norbit 1 2 3\n", r"line 2: the vector of 'orbit' has 3 numbers, .* have 2"),
        ("g.txt", b"1 3\nmoon 1 2\n", r"line 2: the vector of 'moon' has 2 numbers, .* have 3"),
        ("g.txt", b"moon 1 x\n", r"line 1: the vector of 'moon' holds something that is not a number: '1 x'"),
        ("g.txt", b"moon\n", "line 1: expected a word and its numbers, got 'moon'"),
        ("g.txt", b"", "holds no word vectors"),
        ("g.txt", b"moon nan 1\n", r"g.txt cannot be used: The vector of 'moon' holds a number that is NaN"),
        ("g.bin", b"moon 1 2\n", "does not begin with the number of its words"),
        ("g.bin", binary()[:-9], "ends in word 4 of 4; it was cut off"),
        ("g.bin", b"1000000000000 300\nmoon ", "should hold 1000000000000 words with 300 numbers each"),
        ("g.bin.gz", b"1 1000000000000\nmoon ", "should hold 1 words with 1000000000000 numbers each"),
        ("g.npy", b"PK\x03\x04" + bytes(60), "is not a matrix of numbers in .npy format"),
        ("g.npy", FORGED, "is not a matrix of numbers in .npy format"),
        ("g.npy.gz", FORGED, "is not a matrix of numbers in .npy format"),
        ("g.npy", b"moon", "is not a matrix of numbers in .npy format"),
    ],
)
def test_damaged_files(tmp_path, name, data, message):
    (tmp_path / "words.txt").write_text("moon\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_vectors(write(tmp_path / name, data), WANTED)


def test_matrices_and_words_that_do_not_fit(tmp_path):
    np.save(tmp_path / "v.npy", MATRIX)
    (tmp_path / "words.txt").write_text("moon\norbit\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"has the shape \(4, 3\), but .*words.txt has 2 words"):
        read_vectors(tmp_path, WANTED)
    np.save(tmp_path / "v.npy", [[1.0], [np.inf]])
    with pytest.raises(ValueError, match="The vector of 'orbit' holds a number that is NaN or infinite"):
        read_vectors(tmp_path, {"orbit"})
    np.save(tmp_path / "w.npy", MATRIX)
    with pytest.raises(ValueError, match=r"holds 2 files that end in .npy; it must hold one"):
        read_vectors(tmp_path, WANTED)
    with pytest.raises(FileNotFoundError, match=r"no list of words '.*nope"):
        read_vectors(tmp_path / "w.npy", WANTED, tmp_path / "nope")
    with pytest.raises(ValueError, match="takes no list of words"):
        read_vectors(write(tmp_path / "g.txt", rows().encode()), WANTED, tmp_path / "words.txt")


def test_missing_files(tmp_path):
    for call in (lambda path: read_vectors(path, WANTED), check_place):
        with pytest.raises(FileNotFoundError, match=r"no file of word vectors '.*nope.txt'"):
            call(tmp_path / "nope.txt")


def test_given_vectors():
    vectors = WordVectors(WORDS, MATRIX)
    assert vectors.only(WANTED).words == ("moon", "Ünal")
    assert vectors.only(WANTED).total == 4
    assert copy.deepcopy(vectors) is vectors


@pytest.mark.parametrize(
    ("words", "matrix", "error", "message"),
    [
        (["moon"], MATRIX, ValueError, "1 words but 4 vectors"),
        ("moon", MATRIX, TypeError, "list of strings"),
        ([1, 2, 3, 4], MATRIX, TypeError, "list of strings"),
        (["moon"], [1.0], ValueError, r"have the shape \(1,\)"),
        (["moon"], [[np.nan]], ValueError, "'moon' holds a number that is NaN"),
    ],
)
def test_vectors_of_something_else(words, matrix, error, message):
    with pytest.raises(error, match=message):
        WordVectors(words, matrix)
