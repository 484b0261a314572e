"""Features against a dictionary of tuples."""

import numpy as np
import pytest

from laconic.data.annotated.sentences import Sentences
from laconic.kernels.chains.mixing import mixed_keys
from laconic.structured.tagging.extraction import Finder, extract
from laconic.structured.tagging.named_sets import resolve_templates
from laconic.structured.templates.intern import view
from laconic.structured.templates.language import compile_program, parse_templates
from tests.structured.planted import planted_sentences


def slow_features(sentences, templates):
    """The values of every template at every token, as tuples; None beyond the sentence."""
    found = []
    for sentence in sentences:
        n = len(next(iter(sentence.values())))
        for i in range(n):
            row = []
            for template in templates:
                values = []
                for cell in template.cells:
                    source, function = view(cell.column)
                    at = i + cell.offset
                    value = sentence[source][at] if 0 <= at < n else None
                    values.append(function(value) if function and value is not None else value)
                row.append(tuple(values))
            found.append(row)
    return found


def numbers_of(text, n_templates):
    rows = []
    for start, length in zip(text.starts, text.lengths, strict=True):
        for i in range(length):
            grams = [text.grams[text.place[t] + start + i] for t in range(n_templates)]
            rows.append([text.base[t] + gram if gram >= 0 else -1 for t, gram in enumerate(grams)])
    return np.array(rows).reshape(-1, n_templates)


@pytest.mark.parametrize(
    "names",
    ["crfsuite", "chunking", ["word[-3] & pos[3]", "suffix2[0]", "word[0..3]", "pos[-1..1] & shape[0]"]],
)
def test_same_numbers_where_the_same_values(names):
    sentences, _ = planted_sentences(25)
    program = compile_program(resolve_templates(names))
    extracted = extract(sentences, program)
    numbers = numbers_of(extracted.text, len(program.templates))
    slow = slow_features(sentences, program.templates)
    ends = np.concatenate([extracted.text.base, [extracted.n_features]])
    for t in range(len(program.templates)):
        pairs = {(row[t], number) for row, number in zip(slow, numbers[:, t], strict=True)}
        values, used = [one for one, _ in pairs], [number for _, number in pairs]
        assert len(set(values)) == len(pairs) == len(set(used))
        assert ends[t] <= min(used) and max(used) < ends[t + 1]  # noqa: PT018


def test_grams_can_be_named():
    sentences, _ = planted_sentences(10)
    program = compile_program(parse_templates(["word[-1..0]", "pos[0] & word[1]"]))
    extracted = extract(sentences, program)
    names = {column: [None, *table] for column, table in extracted.tables.items()}
    numbers = numbers_of(extracted.text, 2)
    for row, found in zip(slow_features(sentences, program.templates), numbers, strict=True):
        for t in range(2):
            pattern = program.pattern_of[t]
            gram = extracted.grams[pattern][found[t] - extracted.text.base[t]]
            columns = [program.columns[column] for column, _ in program.patterns[pattern]]
            assert row[t] == tuple(names[column][atom] for column, atom in zip(columns, gram, strict=True))


def test_what_training_did_not_have_is_nothing():
    sentences, _ = planted_sentences(30)
    program = compile_program(resolve_templates("crfsuite"))
    extracted = extract(sentences, program)
    finder = Finder(program, extracted.tables, extracted.grams)
    again = finder.text(sentences)
    assert np.array_equal(numbers_of(again, 19), numbers_of(extracted.text, 19))
    new = finder.text(Sentences({"word": ["unheard"], "pos": ["XX"]}, [1]))
    values = dict(zip([str(one) for one in program.templates], numbers_of(new, 19)[0], strict=True))
    assert values["word[0]"] == -1
    assert values["pos[-1..0]"] == -1
    assert values["word[-1]"] >= 0  # the start of the sentence is known


def test_fewer_templates_keep_their_features():
    sentences, _ = planted_sentences(20)
    extracted = extract(sentences, compile_program(resolve_templates("chunking")))
    some = compile_program(extracted.program.templates[10:40:3])
    smaller, fresh = extracted.only(some), extract(sentences, some)
    a, b = numbers_of(smaller.text, len(some.templates)), numbers_of(fresh.text, len(some.templates))
    for t in range(len(some.templates)):
        assert len(set(zip(a[:, t], b[:, t], strict=True))) == len(set(a[:, t])) == len(set(b[:, t]))


def test_real_valued_templates_multiply():
    sentences = Sentences({"word": ["a", "b", "c"], "size": [2.0, 3.0, 5.0]}, [2, 1])
    program = compile_program(parse_templates(["word[0]", "real(size)[0]", "word[0] & real(size)[-1] & real(size)[0]"]))
    text = extract(sentences, program).text
    assert text.first_real == 1
    tokens = np.concatenate([start + np.arange(n) for start, n in zip(text.starts, text.lengths, strict=True)])
    assert text.values[:, tokens].tolist() == [[2.0, 3.0, 5.0], [0.0, 6.0, 0.0]]


@pytest.mark.parametrize(
    ("columns", "template", "message"),
    [
        ({"word": ["a"]}, "pos[0]", "looks at the column 'pos'; the data has 'word'"),
        ({"word": [1]}, "word[0]", "holds 1, which is no string"),
        ({"word": ["a"], "n": ["x"]}, "real(n)[0]", "no number"),
        ({"word": ["a"], "n": [float("nan")]}, "real(n)[0]", "not finite"),
    ],
)
def test_data_that_does_not_fit(columns, template, message):
    with pytest.raises((ValueError, TypeError), match=message):
        extract(Sentences(columns, [1]), compile_program(parse_templates([template])))


def test_keys_differ_by_place():
    a, b = np.array([1, 2], dtype=np.int32), np.array([2, 1], dtype=np.int32)
    keys = mixed_keys([a, b], 2)
    assert keys[0] != keys[1]
    assert mixed_keys([np.array([-1], dtype=np.int32)], 1)[0] == 0
