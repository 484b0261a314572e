"""The lazy names of `laconic.models`, in a fresh process each."""

import subprocess
import sys

import pytest

import laconic.models


@pytest.mark.parametrize("name", laconic.models.__all__)
def test_name_stays_the_same(name):
    code = (
        f"import types, laconic.models as m; first = m.{name}; second = m.{name}; "
        "assert first is second and not isinstance(second, types.ModuleType), second"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
