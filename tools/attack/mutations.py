"""Random damage to bytes: bits, cuts, repeats, splices, and pieces that readers find hard."""

from collections.abc import Callable

import numpy as np

PIECES = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\n\n", b'"', b"'", b",", b"\t", b"{", b"}", b"[", b"]",
    b"[" * 3000, b"(" * 3000, b"\\u", b"\\ud800", b"NaN", b"Infinity", b"-1", b"1e999", b"9" * 30, b"9" * 5000, b"null",
    b"true", b"\xc3\x28", b"\xe2\x80\xa8", b"\x1f\x8b\x08", b"#", b"# sent_id", b"1-2\t", b"1.1\t", b"_", b"a" * 70_000,
    b'{"text": "x", "text": "y"}', b"\x85", b"../..", b"\x1a", b"=1+1",
)  # fmt: skip
MOST = 4  # changes to one file

Change = Callable[[np.random.Generator, bytes], bytes]


def damaged(rng: np.random.Generator, data: bytes) -> bytes:
    """Return bytes with a few random changes."""
    for _ in range(int(rng.integers(1, MOST + 1))):
        data = CHANGES[rng.integers(len(CHANGES))](rng, data)
    return data


def _flip(rng: np.random.Generator, data: bytes) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    for place in rng.integers(len(data), size=int(rng.integers(1, 4))):
        changed[place] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _cut_off(rng: np.random.Generator, data: bytes) -> bytes:
    return data[: rng.integers(len(data) + 1)]


def _without_part(rng: np.random.Generator, data: bytes) -> bytes:
    a, b = _span(rng, data)
    return data[:a] + data[b:]


def _twice(rng: np.random.Generator, data: bytes) -> bytes:
    a, b = _span(rng, data)
    return data[:b] + data[a:b] * int(rng.integers(1, 5)) + data[b:]


def _moved(rng: np.random.Generator, data: bytes) -> bytes:
    a, b = _span(rng, data)
    place = int(rng.integers(len(data) + 1))
    return data[:place] + data[a:b] + data[place:]


def _with_piece(rng: np.random.Generator, data: bytes) -> bytes:
    place = int(rng.integers(len(data) + 1))
    return data[:place] + PIECES[rng.integers(len(PIECES))] + data[place:]


def _without_lines(rng: np.random.Generator, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(line for line in lines if rng.random() < 0.8)


def _other_number(rng: np.random.Generator, data: bytes) -> bytes:
    digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
    if not digits:
        return data
    place = digits[rng.integers(len(digits))]
    other = [b"-1", b"0", b"1e400", b"99999999999999999999", b"2.5", b"", b"2147483648"][rng.integers(7)]
    return data[:place] + other + data[place + 1 :]


def _span(rng: np.random.Generator, data: bytes) -> tuple[int, int]:
    a = int(rng.integers(len(data) + 1))
    return a, min(len(data), a + int(rng.integers(1, 60)))


CHANGES: tuple[Change, ...] = (
    _flip, _cut_off, _without_part, _twice, _moved, _with_piece, _with_piece, _without_lines, _other_number,
)  # fmt: skip
