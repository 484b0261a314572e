"""guess_columns: names first, then content, and None where it is not clear."""

import pytest

from laconic.data import Columns, guess_columns, read


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
