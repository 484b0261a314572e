"""Tagged sentences from files: which kind a file is."""

import io

import pytest

from laconic.data.annotated.tagged_files import read_sentences


def test_json_lines_on_standard_input_are_not_taken_for_columns(monkeypatch):
    line = b'{"word":["The","lamp"]}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line), encoding="utf-8"))
    with pytest.raises(ValueError, match="looks like JSON lines"):
        read_sentences(None)
