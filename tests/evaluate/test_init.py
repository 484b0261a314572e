"""The lazy names of `laconic.evaluate`: each can be had again and again, and none loads scikit-learn by itself."""

import subprocess
import sys

import pytest

import laconic.evaluate


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names_stay_the_same():
    # In a fresh process: importing a submodule of the same name would hide the function.
    run(
        "import types, laconic.evaluate as e\n"
        "for name in e.__all__:\n"
        "    first, second = getattr(e, name), getattr(e, name)\n"
        "    assert first is second and not isinstance(second, types.ModuleType), name\n"
    )


def test_importing_is_light():
    run("import sys; from laconic.evaluate import tune, evaluate, choose; assert 'sklearn' not in sys.modules")


def test_unknown_name():
    with pytest.raises(AttributeError, match="nope"):
        laconic.evaluate.nope  # noqa: B018
