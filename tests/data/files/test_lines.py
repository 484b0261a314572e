"""Lines of plain and compressed files; bad bytes and early ends are errors with a line."""

import gzip
import io
import lzma
import os
import sys
import time

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic.data.files import lines
from laconic.data.files.lines import read_lines, read_text

COMPRESS = {
    "": lambda raw: raw,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("suffix", COMPRESS)
def test_lines(tmp_path, suffix):
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix]("ä\r\n\nlast".encode()))
    assert list(read_lines(path)) == [(1, "ä\r\n"), (2, "\n"), (3, "last")]


@pytest.mark.parametrize("suffix", COMPRESS)
@settings(max_examples=15, deadline=None)
@given(text=st.text(st.characters(codec="utf-8"), max_size=200))
def test_round_trip(tmp_path_factory, suffix, text):
    path = tmp_path_factory.mktemp("lines") / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](text.encode()))
    lines = list(read_lines(path))
    assert "".join(line for _, line in lines) == text.removeprefix("\ufeff")
    assert [number for number, _ in lines] == list(range(1, len(lines) + 1))


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_two_members_in_one_file(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](b"one\n") + COMPRESS[suffix](b"two\n"))
    assert [line for _, line in read_lines(path)] == ["one\n", "two\n"]


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
@pytest.mark.parametrize("cut", [1, 10, 300])
def test_truncated(tmp_path, suffix, cut):
    lines = "".join(f"line {i * 7919 % 10007}\n" for i in range(20_000)).encode()
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(COMPRESS[suffix](lines)[:-cut])
    with pytest.raises(ValueError, match=rf"a\.jsonl\{suffix} is truncated or damaged after line \d+"):
        list(read_lines(path))


@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_not_compressed_at_all(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"plain text with a wrong suffix\n" * 20)
    with pytest.raises(ValueError, match=rf"a\{suffix} is not (gzip|xz|zstd)-compressed, though its name ends in"):
        list(read_lines(path))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_invalid_utf8_names_file_and_line(tmp_path, suffix):
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix](b"fine\nalso fine\ncaf\xe9\nfine\n"))
    lines = read_lines(path)
    assert next(lines) == (1, "fine\n")
    with pytest.raises(ValueError, match=r"a\.txt.*, line 3: not valid UTF-8 \(byte 0xe9\)"):
        list(lines)


def test_byte_order_mark_only_at_the_start(tmp_path):
    path = tmp_path / "a"
    path.write_bytes("\ufeffone\n\ufefftwo".encode())
    assert [line for _, line in read_lines(path)] == ["one\n", "\ufefftwo"]


def test_missing_package_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(b"{}"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(ImportError, match=r"needs the package zstandard: pip install zstandard"):
        list(read_lines(path))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n\xff\n")))
    lines = read_lines(None)
    assert next(lines) == (1, "a\n")
    with pytest.raises(ValueError, match="standard input, line 2: not valid UTF-8"):
        next(lines)
    assert not sys.stdin.closed


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_utf_16_is_named(tmp_path, encoding, suffix):
    path = tmp_path / f"a.csv{suffix}"
    path.write_bytes(COMPRESS[suffix]("\ufefftext,label\n".encode(encoding)))
    with pytest.raises(ValueError, match=r"is in UTF-16, not in UTF-8; convert it, e\.g\. iconv -f utf-16 -t utf-8"):
        list(read_lines(path))


def test_a_bad_byte_in_a_later_line_is_not_taken_for_utf_16(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"fine\n\xff\xfe\n")
    with pytest.raises(ValueError, match="line 2: not valid UTF-8"):
        list(read_lines(path))


def test_an_empty_file_with_a_gz_suffix_has_no_lines(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(b"")
    assert list(read_lines(path)) == []


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_line_without_an_end_is_refused(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(lines, "LONGEST_LINE", 1 << 20)
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(COMPRESS[suffix](b"a" * ((1 << 20) - 1) + b"\n" + b"b" * (8 << 20) + b"\nc\n"))
    read = read_lines(path)
    assert len(next(read)[1]) == 1 << 20
    with pytest.raises(ValueError, match=r"a\.txt.*, line 2 is longer than 1 MiB; break it up"):
        next(read)


def test_one_long_line_of_a_zst_file_takes_linear_time(tmp_path):
    path = tmp_path / "a.zst"
    path.write_bytes(COMPRESS[".zst"](b"a" * 60_000_000))
    start = time.perf_counter()
    assert len(next(read_lines(path))[1]) == 60_000_000
    assert time.perf_counter() - start < 3.0  # a tenth of a second; 10 s if every piece copies all that follows


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("read", [read_text, lambda path: list(read_lines(path))])
def test_pipes_devices_and_folders_are_refused(tmp_path, suffix, read):
    os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / f"zero{suffix}").symlink_to("/dev/zero")
    (tmp_path / f"folder{suffix}").mkdir()
    for name, kind in (("pipe", "a pipe"), ("zero", "a device"), ("folder", "a folder")):
        with pytest.raises(ValueError, match=f"{name}{suffix} is {kind}; a regular file is needed"):
            read(tmp_path / f"{name}{suffix}")
