"""From rows to documents: which columns are taken, and when the rows are looked at.

guess_columns: names first, then content, and None where it is not clear.
"""

import pytest

from laconic.data import Columns, guess_columns, read, stream


def rows_of(**columns):
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (["text", "label"], Columns("text", "label", None)),
        (["Review", "Sentiment", "ID"], Columns("Review", "Sentiment", "ID")),
        (["title", "body", "category"], Columns("body", "category", None)),
        (["title", "y"], Columns("title", "y", None)),
        (["Gold Label", "message", "doc-id"], Columns("message", "Gold Label", "doc-id")),
        (["content", "text", "class", "label"], Columns("text", "label", None)),
        (["a", "b"], Columns(None, None, None)),
        ([], Columns(None, None, None)),
    ],
)
def test_by_name(columns, expected):
    assert guess_columns(columns, []) == expected


def test_by_content():
    rows = rows_of(k=list("ppnn"), t=["a long text", "one more", "and another", "last one"], n=[1, 2, 3, 4])
    assert guess_columns(["k", "t", "n"], rows) == Columns("t", "k", None)


def test_text_with_spaces_beats_a_longer_link():
    rows = rows_of(headline=["rain in May", "snow in June"], link=["http://example.org/" + "x" * 30] * 2)
    assert guess_columns(["headline", "link"], rows).text == "headline"


def test_languages_without_spaces():
    rows = rows_of(a=["天气很好我们去公园", "电影很无聊我睡着了"], b=["好", "坏"])
    assert guess_columns(["a", "b"], rows).text == "a"


def test_a_longer_column_beats_the_title():
    rows = rows_of(title=["short one"], plot=["a much longer story that goes on"])
    assert guess_columns(["title", "plot"], rows).text == "plot"


def test_usual_name_with_numbers_is_not_the_text():
    rows = rows_of(post=[17, 18], words=["first words", "second words"])
    assert guess_columns(["post", "words"], rows).text == "words"


def test_equal_length_is_not_clear():
    assert guess_columns(["a", "b"], rows_of(a=["x y"], b=["u v"])).text is None


def test_two_columns_of_few_values_are_not_clear():
    rows = rows_of(t=["some words here"] * 4, stars=[1, 1, 2, 2], sold=[True, False, True, False])
    assert guess_columns(["t", "stars", "sold"], rows) == Columns("t", None, None)


@pytest.mark.parametrize("values", [[1, 2, 3, 4], ["a"] * 4, ["a", "a", None, "b"], [0.1, 0.1, 0.2, 0.2]])
def test_not_a_label(values):
    rows = rows_of(t=["some words here"] * 4, k=values)
    assert guess_columns(["t", "k"], rows).label is None


def test_named_label_must_be_possible():
    rows = rows_of(text=["some words here"] * 4, target=[0.1, 0.2, 0.3, 0.4], k=list("aabb"))
    assert guess_columns(["text", "target", "k"], rows).label == "k"


def test_tree_and_sentences_are_never_guessed():
    rows = rows_of(tree=["(3 (2 a) (4 very long tree))"] * 2, said=["a very", "b long"], sentences=[["a"], ["b"]])
    assert guess_columns(["tree", "said", "sentences"], rows).text == "said"


def test_a_named_text_leaves_all_other_columns_to_the_label():
    """With the text settled no second text is guessed away, so two candidates stay two and the reader asks."""
    rows = [{"post": "some words", "stars": str(i % 3), "mood": "ab"[i % 2]} for i in range(12)]
    assert guess_columns(["stars", "mood"], rows, text_known=True).label is None
    with pytest.raises(ValueError, match=r"cannot tell which column of .* is the label"):
        read(rows, text_col="post", labelled=True)


def test_columns_of_zeros_and_ones_are_labels():
    rows = [{"comment": f"some words {i}", "toxic": i % 2, "rude": 0, "mild": int(i == 3)} for i in range(12)]
    columns = ["comment", "toxic", "rude", "mild"]
    assert guess_columns(columns, rows).label == ("toxic", "rude", "mild")
    assert guess_columns(columns[:2], rows).label == "toxic"
    assert read(rows, labelled=True).labels[:4] == ((), ("toxic",), (), ("toxic", "mild"))
    assert read(rows, label_col=["toxic", "mild"]).labels[3] == ("toxic", "mild")
    rows[2]["mild"] = "2"
    with pytest.raises(ValueError, match="item 3: the column 'mild' holds '2'; a column for a label holds 0 or 1"):
        read(rows, label_col=["toxic", "mild"])


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
