"""The lazy names of `laconic.data`: each can be had again and again, whatever was imported before."""

import subprocess
import sys

import pytest

import laconic.data


@pytest.mark.parametrize("name", laconic.data.__all__)
def test_name_stays_the_same(name):
    # In a fresh process: importing a submodule of the same name would hide the function.
    code = (
        f"import types, laconic.data as d; first = d.{name}; second = d.{name}; "
        "assert first is second and not isinstance(second, types.ModuleType), second"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_unknown_name():
    with pytest.raises(AttributeError, match="nope"):
        laconic.data.nope  # noqa: B018
