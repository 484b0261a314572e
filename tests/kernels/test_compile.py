"""Where compiled kernels are kept, and what a user is told about it."""

import os
import subprocess
import sys

import numba

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
