"""Edits as a noun: what they refuse, how words become numbers, and how later edits win."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic import Edits


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ban": ["edu"], "keep": ["edu"]}, "'edu' is to be both banned and kept"),
        ({"ban": ["a", "b"], "signs": {"a": "+", "b": "-"}}, "'a' and 1 more are to be both banned and given a sign"),
        ({"ban": ["a"], "factors": {"a": 2.0}}, "banned and given a factor"),
        ({"keep": ["a"], "factors": {"a": 2.0}}, "kept and given a factor"),
        ({"ban_groups": ["topic 1"], "keep_groups": ["topic 1"]}, "both banned and kept"),
        ({"signs": {"a": "up"}}, "must begin with"),
        ({"factors": {"a": 0.0}}, "above 0"),
        ({"factors": {"a": float("inf")}}, "above 0"),
    ],
)
def test_contradictions_are_refused(given, said):
    with pytest.raises(ValueError, match=said):
        Edits(**given)


@pytest.mark.parametrize("given", [{"ban": "edu"}, {"signs": ["a"]}, {"keep": 3}])
def test_wrong_types_are_refused(given):
    with pytest.raises(TypeError):
        Edits(**given)


def test_unknown_words_are_named_with_a_hint():
    index = {"thanks": 0, "broken": 1}
    with pytest.raises(
        ValueError, match=r"These 2 words are not in the vocabulary: 'Thanks' \(did you mean 'thanks'\?\), 'xyz'"
    ):
        Edits(ban=["Thanks"], keep=["xyz"], signs={"broken": "+"}).numbered(index)
    skipped = Edits(ban=["Thanks"], keep=["broken"], skip_unknown=True).numbered(index)
    assert skipped.ban == ()
    assert skipped.keep == (1,)


def test_many_unknown_words_are_counted():
    with pytest.raises(ValueError, match="and 5 more"):
        Edits(ban=[f"w{i}" for i in range(15)]).numbered({})


words = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@given(words, words, st.integers(0, 6), st.integers(0, 6))
def test_later_edits_win_and_json_keeps_everything(first, second, i, j):
    earlier = Edits(ban=first[:i], keep=first[i:])
    later = Edits(ban=second[:j], signs=dict.fromkeys(second[j:], "+"))
    both = earlier.then(later)
    assert set(later.ban) <= set(both.ban)
    assert both.signs == later.signs
    assert set(both.words) == set(first) | set(second)
    assert not set(both.keep) & set(second)
    assert Edits.from_json(both.to_json()) == both
    assert bool(both) == bool(first or second)


def test_unknown_entries_of_json_are_refused():
    with pytest.raises(ValueError, match="no entry 'forbid'"):
        Edits.from_json({"forbid": ["a"]})
