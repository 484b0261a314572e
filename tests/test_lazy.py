"""Lazy names."""

import pytest

from laconic._lazy import attach


def test_names_are_found_listed_and_refused():
    getter, lister, names = attach("laconic.core", {".solution": "Solution", ".groups": "Groups"})
    assert getter("Solution").__name__ == "Solution"
    assert lister() == names == ["Groups", "Solution"]
    with pytest.raises(AttributeError, match=r"module 'laconic.core' has no attribute 'Lasso'"):
        getter("Lasso")
