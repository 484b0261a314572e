from types import SimpleNamespace

from laconic.core.summaries.structured import MarkedSentence
from laconic.report.summaries.structured import MOST_CONFUSIONS, folder_size, scored, unscored


def summary(**info):
    scorer = SimpleNamespace(info=info, model=SimpleNamespace(n_weights=7))
    return unscored(scorer, "Chunks", None, kind="sequence tagger", labels=("B", "O"))


def marked(i):
    return MarkedSentence((f"word {i}",), ("B",), ("O",))


def test_what_the_folder_says_is_kept():
    found = summary(memory=[3, 2], settings={"passes": 2}, extra={}, kind="x")
    assert (found.weights, found.memory, found.configuration, found.size) == (
        7,
        (3, 2),
        {"settings": {"passes": 2}},
        None,
    )


def test_the_worst_sentences_come_first_and_the_most_frequent_confusions():
    labels = ["B", "B", "O", "O", "O"], ["O", "B", "B", "B", "O"]
    found = scored(summary(), "test.conll", [{"name": "all tokens"}], labels, [0, 2, 1], marked, 2)
    assert found.corpus == "3 sentences of test.conll"
    assert found.confusions == (("O", "B", 2), ("B", "O", 1))
    assert [one.words for one in found.sentences] == [("word 1",), ("word 2",)]
    many = [str(i) for i in range(50)]
    assert len(scored(summary(), "", [], (many, ["x"] * 50), [0], marked, 0).confusions) == MOST_CONFUSIONS


def test_the_size_of_a_folder(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "b").write_bytes(b"1")
    assert folder_size(tmp_path) == 6
