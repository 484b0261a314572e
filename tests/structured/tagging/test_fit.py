"""Information gain against its definition."""

from collections import Counter
from math import log2

import numpy as np
import pytest

from laconic.structured.tagging.extraction import extract
from laconic.structured.tagging.fit import information_gains
from laconic.structured.templates.language import compile_program, parse_templates
from tests.structured.planted import planted_sentences


def test_information_gain_is_mutual_information():
    sentences, tags = planted_sentences(40)
    flat = [tag for one in tags for tag in one]
    labels = sorted(set(flat))
    y = np.array([labels.index(tag) for tag in flat])
    extracted = extract(sentences, compile_program(parse_templates(["word[0]", "pos[0]", "word[4]"])))
    found = information_gains(extracted, y, len(labels))
    for gain, values in zip(found[:2], (sentences.columns["word"], sentences.columns["pos"]), strict=True):
        n, pairs, a, b = len(y), Counter(zip(values, flat, strict=True)), Counter(values), Counter(flat)
        slow = sum(c / n * log2(c * n / (a[value] * b[tag])) for (value, tag), c in pairs.items())
        assert gain == pytest.approx(slow)
    assert found[2] < found[1]
