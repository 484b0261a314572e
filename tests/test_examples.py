"""Scripts of examples/ that need a data set run where it is; those of the gallery run when the site is built."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = [path for path in sorted((Path(__file__).parents[1] / "examples").glob("*.py")) if path.stem[:5] != "plot_"]


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(script, tmp_path):
    environment = {**os.environ, "PYTHONWARNINGS": "error::DeprecationWarning:__main__"}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
