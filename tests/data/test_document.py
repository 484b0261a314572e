"""Document: a frozen record."""

import pytest

from laconic.data import Document


def test_document():
    document = Document("1", "text")
    assert (document.label, document.sentences, document.tree) == (None, None, None)
    with pytest.raises(AttributeError):
        document.text = "other"  # type: ignore[misc]
