"""What may be read: regular files, JSON without names that occur twice, arrays that hold what they say."""

import errno
import io
import os

import numpy as np
import pytest

from laconic.core import files
from laconic.core.files import (
    check_regular,
    open_regular,
    parse_array,
    parse_json,
    read_json,
    read_whole,
    replacing,
    write_file,
)


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place, kind in ((tmp_path / "pipe", "a pipe"), (tmp_path, "a folder"), ("/dev/zero", "a device")):
        with pytest.raises(ValueError, match=f"is {kind}; a regular file is needed"):
            open_regular(place)
    with pytest.raises(FileNotFoundError, match=r"There is no file of trees '.*none'; check its name"):
        check_regular(tmp_path / "none", "trees")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        check_regular("/dev/null/x")


def test_a_stream_without_an_end_is_refused(monkeypatch):
    monkeypatch.setattr(files, "LARGEST_WHOLE", 3 << 20)
    assert read_whole(io.BytesIO(b"x" * (3 << 20)), "a") == b"x" * (3 << 20)
    with open("/dev/zero", "rb") as zeros, pytest.raises(ValueError, match=r"^zeros holds more than 3 MiB"):
        read_whole(zeros, "zeros")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "the name 'a' occurs twice"),
        ('[{"x": {"yyy": 1, "yyy": 2}}]'.replace("yyy", "y" * 200), "the name 'y{60}' occurs twice"),
        ("[" * 100_000, "nested too deep"),
        ('{"a":' * 100_000, "nested too deep"),
        ("1" * 5000, "digits"),
        ("{", "Expecting"),
    ],
)
def test_json_that_is_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        parse_json(text)
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ValueError, match=rf"a\.json is not a JSON file of groups: .*{message}"):
        read_json(tmp_path / "a.json", "groups")


def test_json_with_a_byte_order_mark(tmp_path):
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"a": [1, "\xc3\xa4"]}')
    assert read_json(tmp_path / "a.json") == {"a": [1, "ä"]}
    (tmp_path / "a.json").write_bytes(b'{"a":\n"\xe4"}')
    with pytest.raises(ValueError, match=r"a\.json, line 2: not valid UTF-8"):
        read_json(tmp_path / "a.json")


@pytest.mark.parametrize(
    "array", [np.arange(6.0).reshape(2, 3), np.zeros((0, 4), "<i4"), np.array("ä"), np.array([True])]
)
def test_arrays_come_back(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    back = parse_array(buffer.getvalue())
    np.testing.assert_array_equal(back, array)
    assert back.dtype == array.dtype
    assert back.flags.writeable
    for wrong in (buffer.getvalue() + b"x", buffer.getvalue()[:40], b""):
        with pytest.raises(ValueError, match=r"header|magic"):
            parse_array(wrong)


@pytest.mark.parametrize("content", ["ä\r\n\n", b"\x00\xff"])
def test_what_is_written_is_there_and_nothing_else(tmp_path, content):
    for _ in range(2):
        write_file(tmp_path / "a", content)
        assert (tmp_path / "a").read_bytes() == (content.encode() if isinstance(content, str) else content)
        assert os.listdir(tmp_path) == ["a"]
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), ValueError()])
@pytest.mark.parametrize("failing", ["fsync", "replace", None])
def test_a_failure_leaves_the_old_file_alone(tmp_path, monkeypatch, fault, failing):
    def fail(*_):
        raise fault

    write_file(tmp_path / "a.html", "old")
    if failing is not None:
        monkeypatch.setattr(os, failing, fail)

    def write():
        with replacing(tmp_path / "a.html") as file:
            file.write("new")
            if failing is None:
                fail()

    with pytest.raises(type(fault)) as caught:
        write()
    assert os.listdir(tmp_path) == ["a.html"]
    assert (tmp_path / "a.html").read_text() == "old"
    if isinstance(fault, OSError):
        assert caught.value.filename == str(tmp_path / "a.html")
        assert "cannot be written (No space left" in caught.value.strerror


def test_an_error_of_something_else_stays_as_it_is(tmp_path):
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "a"):
        (tmp_path / "other").read_text()
    assert caught.value.filename == str(tmp_path / "other")
    with pytest.raises(FileNotFoundError) as caught:
        write_file(tmp_path / "no" / "a", "x")
    assert caught.value.filename == str(tmp_path / "no" / "a")


def test_links_are_followed_and_devices_and_folders_are_refused(tmp_path):
    write_file(tmp_path / "a", "old")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_text() == "new"
    os.mkfifo(tmp_path / "pipe")
    for place, kind in ((tmp_path / "pipe", "a pipe"), (tmp_path, "a folder"), ("/dev/null", "a device")):
        with pytest.raises(ValueError, match=f"is {kind}; a regular file is needed"):
            write_file(place, "x")
