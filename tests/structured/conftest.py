"""Fixtures of taggers."""

import pytest

from tests.structured.planted import planted_sentences


@pytest.fixture(scope="session")
def planted():
    """120 tagged sentences."""
    return planted_sentences(120)
