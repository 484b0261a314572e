import numpy as np
import pytest

from laconic.data import Corpus
from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier, load
from laconic.models.monitor import check


def letters(seed, n=400, spam=0.5, words=("offer", "meeting"), sure=0.8):
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        label = bool(rng.random() < spam)
        word = words[int((rng.random() < sure) != label)]
        texts.append(f"{word} " + " ".join(f"w{one}" for one in rng.integers(30, size=5)))
        labels.append("spam" if label else "ham")
    return Corpus.from_lists(texts, labels, name=f"letters {seed}")


@pytest.fixture(scope="module")
def scorer(tmp_path_factory):
    train, dev = letters(0), letters(1)
    model = TextClassifier(ElasticNetClassifier(l1=5.0, l2=0.0)).fit(train.texts, train.labels)
    model.calibrate(dev.texts, dev.labels, thresholds={"spam": "precision=0.7"})
    return load(model.save(tmp_path_factory.mktemp("m") / "m"))


def failures(found):
    return [one.name for one in found.findings if not one.ok]


def test_texts_of_the_same_source_are_fine(scorer):
    for seed in (2, 3, 4, 5):
        found = check(scorer, letters(seed))
        assert found.ok, failures(found)
    names = [one.name for one in found.findings]
    assert names == [
        "drift",
        "unknown words",
        "texts without words",
        "labels",
        "shares of classes",
        "accuracy",
        "calibration",
        "precision of spam",
    ]


def test_the_reference_is_that_of_the_training_texts(scorer):
    same = check(scorer, letters(0))
    by_name = {one.name: one for one in same.findings}
    assert by_name["drift"].value == 0.0
    assert by_name["unknown words"].value == pytest.approx(by_name["unknown words"].before)
    assert by_name["texts without words"].value == by_name["texts without words"].before
    assert by_name["shares of classes"].value == pytest.approx(0.0)


def test_other_words_are_drift(scorer):
    found = check(scorer, letters(2, words=("angebot", "treffen")))
    assert {"drift", "unknown words", "texts without words"} <= set(failures(found))
    gone = [one for one in found.words if one.word in ("offer", "meeting")]
    assert gone
    assert all(one.now == 0.0 < one.before for one in gone)
    unlabelled = Corpus.from_lists(letters(2, words=("angebot", "treffen")).texts)
    assert failures(check(scorer, unlabelled)) == ["drift", "unknown words", "texts without words"]


def test_other_shares_and_a_broken_meaning_are_seen(scorer):
    assert "shares of classes" in failures(check(scorer, letters(2, spam=0.9)))
    backwards = failures(check(scorer, letters(2, sure=0.2)))
    assert {"calibration", "precision of spam"} <= set(backwards)
    assert "drift" not in backwards


def test_labels_that_the_model_does_not_know_are_named(scorer):
    corpus = letters(2)
    strange = Corpus.from_lists(corpus.texts, ["eggs", *corpus.labels[1:]])
    found = check(scorer, strange)
    assert failures(found) == ["labels"]
    assert "'eggs'" in next(one.says for one in found.findings if one.name == "labels")
    other = Corpus.from_lists(corpus.texts[:3], ["x", "y", "z"])
    assert "labels" in failures(check(scorer, other))


def test_limits_can_be_set_and_wrong_ones_are_refused(scorer):
    corpus = letters(2, words=("offer", "treffen"))
    assert "drift" in failures(check(scorer, corpus))
    assert "drift" not in failures(check(scorer, corpus, {"drift": 2.0}))
    with pytest.raises(ValueError, match="no limit 'luck'"):
        check(scorer, corpus, {"luck": 1.0})


def test_a_model_of_an_earlier_laconic_has_no_reference(scorer):
    scorer.info.pop("reference")
    found = check(scorer, letters(2))
    assert found.ok
    assert {one.name: one.before for one in found.findings}["unknown words"] is None
