"""Files that appear at once or not at all."""

import errno
import os

import pytest

from laconic.core.atomic import replacing, write_file


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
