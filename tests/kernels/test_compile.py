"""Where compiled kernels are kept, and what a user is told about it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from laconic.kernels import _compile


def python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )


FOLDER = "from laconic.kernels._compile import cache_folder\nprint(cache_folder())"
FIT = "import laconic\nlaconic.ElasticNetClassifier(l1=0.1).fit([[1.0], [0.0]], [0, 1])"


def test_the_folder_can_be_chosen(tmp_path):
    assert python(FOLDER, LACONIC_CACHE=str(tmp_path)).stdout.startswith(str(tmp_path / "kernels-"))


def test_a_home_that_cannot_be_written_falls_back_to_the_temporary_folder(tmp_path):
    out = python(FOLDER, HOME="/proc/none", XDG_CACHE_HOME="", TMPDIR=str(tmp_path)).stdout
    assert out.startswith(str(tmp_path))


@pytest.mark.parametrize("planted", ["open to all", "a link", "a file", "of another user"])
def test_a_folder_that_others_may_have_planted_is_not_used(tmp_path, planted):
    folder = tmp_path / f"laconic-{os.getuid()}"
    if planted == "a link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    elif planted == "a file":
        folder.touch()
    else:
        folder.mkdir()
        folder.chmod(0o777 if planted == "open to all" else 0o755)
    if planted == "of another user":
        if os.getuid() != 0:
            pytest.skip("only root can give a folder to another user")
        os.chown(folder, 65534, 65534)
    code = f"{FOLDER}\nprint(oct(cache_folder().parent.stat().st_mode))"
    used, mode = python(
        code, HOME="/proc/none", XDG_CACHE_HOME="", LACONIC_CACHE="", TMPDIR=str(tmp_path)
    ).stdout.split()
    assert used.startswith(str(tmp_path))
    assert Path(used).parent != folder
    assert mode.endswith("700")
    assert not Path(used).exists()
    assert planted == "a file" or not list(folder.iterdir())


def test_the_folder_in_the_temporary_folder_is_the_users_alone_and_stays(tmp_path):
    homeless = {"HOME": "/proc/none", "XDG_CACHE_HOME": "", "LACONIC_CACHE": "", "TMPDIR": str(tmp_path)}
    first = Path(python(FOLDER, **homeless).stdout.strip())
    assert first.parent == tmp_path / f"laconic-{os.getuid()}"
    assert first.parent.stat().st_mode & 0o777 == 0o700
    assert Path(python(FOLDER, **homeless).stdout.strip()) == first


READ_ONLY = """
import os, tempfile
real = tempfile.TemporaryFile
def refuse(*arguments, dir=None, **options):
    if str(dir).startswith(os.environ["LACONIC_CACHE"]):
        raise PermissionError(13, "Permission denied")
    return real(*arguments, dir=dir, **options)
tempfile.TemporaryFile = refuse
"""


def test_what_is_compiled_in_a_folder_that_can_only_be_read_is_used(tmp_path):
    warm, home, place = tmp_path / "warm", tmp_path / "home", tmp_path / "place"
    place.mkdir()
    python(FIT, LACONIC_CACHE=str(warm))
    files = sorted(path.relative_to(warm) for path in warm.rglob("*"))
    users = {"LACONIC_CACHE": str(warm), "XDG_CACHE_HOME": str(home), "TMPDIR": str(place)}
    for _ in range(2):
        assert python(READ_ONLY + FIT, **users).stderr == ""
        assert sorted(path.relative_to(warm) for path in warm.rglob("*")) == files
        assert sorted(path.relative_to(home / "laconic") for path in (home / "laconic").rglob("*")) == files
        assert not list(place.iterdir())


def test_what_others_may_have_compiled_is_not_copied(tmp_path):
    warm, home = tmp_path / "warm", tmp_path / "home"
    users = {"LACONIC_CACHE": str(warm), "XDG_CACHE_HOME": str(home)}
    there = Path(python(FOLDER, **users).stdout.strip())
    (there / "planted").touch()
    for mode, copied in ((0o777, False), (0o755, True)):
        there.chmod(mode)
        found = Path(python(READ_ONLY + FOLDER, **users).stdout.strip())
        assert found == home / "laconic" / there.name
        assert (found / "planted").exists() == copied
        shutil.rmtree(home)


def test_the_name_changes_with_any_kernel_source(tmp_path, monkeypatch):
    for name, text in (("a.py", "x = 1"), ("_compile.py", "")):
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("LACONIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(_compile, "__file__", str(tmp_path / "_compile.py"))
    before = _compile.cache_folder.__wrapped__()
    assert _compile.cache_folder.__wrapped__() == before
    (tmp_path / "a.py").write_text("x = 2")
    assert _compile.cache_folder.__wrapped__() != before


def test_the_users_own_numba_cache_setting_is_left_alone():
    before = numba.config.CACHE_DIR
    _compile.kernel(lambda x: x)
    assert before == numba.config.CACHE_DIR


def test_compiling_is_announced_once_a_machine(tmp_path):
    first = python(FIT, LACONIC_CACHE=str(tmp_path))
    assert first.stderr.count("compiling its kernels") == 1
    assert first.stdout == ""
    assert python(FIT, LACONIC_CACHE=str(tmp_path)).stderr == ""


def test_kernels_do_without_scipys_blas_and_other_functions_still_have_it():
    code = (
        "import sys\nimport numba, numpy as np\nfrom laconic.kernels import _compile\n"
        "assert 'scipy.linalg' not in sys.modules\n"
        "product = numba.njit(lambda a: np.dot(a, a))\n"
        "print(product(np.full((2, 2), 3.0))[0, 0])"
    )
    assert python(code).stdout == "18.0\n"
