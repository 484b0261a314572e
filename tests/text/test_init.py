import subprocess
import sys

import pytest

import laconic.text


def test_every_public_name_exists():
    assert all(getattr(laconic.text, name).__name__ == name for name in laconic.text.__all__)


def test_words_need_only_the_standard_library():
    code = (
        "import sys\n"
        "from laconic.text import Analyzer, Tokenizer\n"
        "Analyzer.from_json(Analyzer().to_json()).spans('A text')\n"
        "heavy = {'numpy', 'scipy', 'sklearn', 'numba', 'sentencex'} & set(sys.modules)\n"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_unknown_name():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        laconic.text.nothing  # noqa: B018
