"""From rows to documents: which columns are taken, and when the rows are looked at."""

import pytest

from laconic.data import read, stream

FOUR = [{"k": k, "t": f"some text number {i}"} for i, k in enumerate("aabb")]


def test_columns_by_content():
    assert read(FOUR).labels == tuple("aabb")


def test_named_columns_win():
    rows = [{"text": "a", "other": "b", "label": 1, "stars": 5, "id": "i", "key": "j"}]
    corpus = read(rows, text_col="other", label_col="stars", id_col="key")
    assert (corpus.texts, corpus.labels, corpus.ids) == (("b",), (5,), ("j",))


def test_several_text_columns():
    rows = [
        {"title": "T", "body": "B", "label": 1},
        {"title": None, "body": "B", "label": 1},
        {"title": "", "body": "B", "label": 2},
        {"title": float("nan"), "body": "", "label": 2},
    ]
    assert read(rows, text_col=["title", "body"]).texts == ("T\n\nB", "B", "B", "")
    with pytest.raises(ValueError, match=r"item 1: the text is missing in all of the columns 'title', 'body'"):
        read([{"title": None, "body": None}], text_col=["title", "body"])
    with pytest.raises(ValueError, match=r"item 1: the text \(column 'body'\) is 3 of type int"):
        read([{"title": None, "body": 3}], text_col=["title", "body"])


def test_text_cannot_be_told():
    with pytest.raises(
        ValueError, match=r"cannot tell which column of the list is the text; .*'a', 'b'.*text_col.*--text-c"
    ):
        read([{"a": "x", "b": "y"}])


def test_label_cannot_be_told():
    rows = [{"text": "a", "p": 1, "q": 2}]
    with pytest.raises(
        ValueError, match=r"cannot tell which column .* is the label; .*'p', 'q'.*label_col.*--label-col"
    ):
        read(rows, labelled=True)
    assert read(rows).labels is None


def test_a_label_that_comes_late_is_found():
    rows = [{"text": "a"}, {"text": "b", "label": "x"}]
    with pytest.raises(ValueError, match="1 of 2 documents have no label"):
        read(rows)
    assert [document.label for document in stream(rows, label_col="label")] == [None, "x"]


def test_label_column_all_empty_is_unlabelled():
    rows = [{"text": "a", "label": None}, {"text": "b", "label": ""}]
    assert read(rows).labels is None
    with pytest.raises(ValueError, match=r"2 of 2 documents have no label"):
        read(rows, labelled=True)


def test_labels_are_ignored_on_request():
    rows = [{"text": "a", "label": 0.5}, {"text": "b"}]
    assert read(rows, labelled=False).labels is None
    assert read(rows, labelled=False, label_col="label").labels is None


def test_ids_twice_are_numbered():
    rows = [{"text": t, "id": i} for t, i in zip("abcde", ["u", "u (2)", "v", "u", "u"], strict=True)]
    with pytest.warns(
        UserWarning, match=r"the list: 1 ids occur more than once, e\.g\. 'u', and are numbered: 'u \(2\)'"
    ):
        assert read(rows).ids == ("u", "u (2)", "v", "u (3)", "u (4)")
    assert len(list(stream(rows))) == 5
    assert read(rows, id_col="").ids == tuple("12345")


def test_documents_without_a_label_may_be_left_out():
    rows = [{"text": "a", "label": "x"}, {"text": "b", "label": None}, {"text": "c", "label": ""}]
    with pytest.warns(UserWarning, match="left out 2 of 3 documents, which have no label"):
        assert read(rows, drop_unlabelled=True).texts == ("a",)
    with pytest.raises(ValueError, match=r"leave them out \(drop_unlabelled\)"):
        read(rows)
    with pytest.raises(ValueError, match="none of the 2 documents has a label"):
        read(rows[1:], label_col="label", drop_unlabelled=True)


@pytest.mark.parametrize("value", [None, "", True, 1.5, ["a"]])
def test_bad_ids(value):
    with pytest.raises(ValueError, match=r"the list, item 1: the (id|label)"):
        read([{"text": "a", "id": value}])


def test_sentences_and_trees_for_all_or_none():
    with pytest.raises(ValueError, match="item 2: sentences are None; give a list of strings for every document"):
        read([{"text": "a", "sentences": ["a"]}, {"text": "b"}])
    with pytest.raises(ValueError, match="item 2: the tree is None"):
        read([{"text": "a", "tree": "(a)"}, {"text": "b"}])
    with pytest.raises(ValueError, match="item 2: the field 'sentences' must be a list of strings"):
        read([{"text": "a", "sentences": ["a"]}, {"text": "b", "sentences": [1]}])
    with pytest.raises(ValueError, match="item 2: the field 'tree' is of type int"):
        read([{"text": "a", "tree": "(a)"}, {"text": "b", "tree": 1}])


def test_unrelated_columns_with_these_names_are_left_alone():
    corpus = read([{"text": "a", "sentences": 3, "tree": "oak"}])
    assert (corpus.sentences, corpus.trees) == (None, None)
    assert read([{"sentences": "all of it", "label": 1}], text_col="sentences").texts == ("all of it",)


def pulled(rows, seen):
    for row in rows:
        seen.append(row)
        yield row


def test_a_pipe_flows_after_the_first_row_if_names_tell():
    seen: list = []
    next(stream(pulled([{"text": "a", "label": 1}] * 500, seen)))
    assert len(seen) == 1
    seen.clear()
    next(stream(pulled([{"text": "a"}] * 500, seen), labelled=False))
    assert len(seen) == 1
    seen.clear()
    next(stream(pulled([{"q": "a"}] * 500, seen)))
    assert len(seen) == 100
