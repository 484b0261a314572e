import json
import os
import subprocess
import sys

import numpy as np
import pytest

from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier, load


@pytest.fixture(scope="module")
def noisy():
    """Texts whose words only lean towards their label: 300 to fit, 300 to calibrate."""
    rng = np.random.default_rng(0)

    def text(positive):
        lean = ["good", "fine", "dull", "bad"]
        words = [lean[min(rng.geometric(0.5) - 1, 3) if positive else 3 - min(rng.geometric(0.5) - 1, 3)] for _ in "ab"]
        return " ".join([*words, *(f"w{one}" for one in rng.integers(60, size=6))])

    y = np.array(["neg", "pos"] * 300)
    texts = [text(label == "pos") for label in y]
    return texts[:300], y[:300], texts[300:], y[300:]


@pytest.fixture
def overfitted(noisy):
    return TextClassifier(ElasticNetClassifier(l2=1e-3)).fit(*noisy[:2])


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("folds", [None, 5])
def test_calibration_mends_a_model_that_is_too_sure(overfitted, noisy, kind, folds):
    fit_texts, fit_y, texts, y = noisy
    raw = overfitted.predict_proba(texts)
    overfitted.calibrate(*((texts, y) if folds is None else (fit_texts, fit_y)), kind, folds=folds)
    made = overfitted.calibration_.made
    assert made["after"]["error"] < made["before"]["error"]
    assert made["documents"] == 300
    after = overfitted.predict_proba(texts)
    truth = (y == "pos").astype(int)
    assert np.mean((after[:, 1] - truth) ** 2) < np.mean((raw[:, 1] - truth) ** 2)
    if folds is None and kind == "sigmoid":
        # the figures before are those of the model as it is
        from laconic.evaluate import reliability

        assert made["before"]["error"] == pytest.approx(reliability(raw, truth).error)


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "sigmoid"},
        {"kind": "isotonic", "thresholds": "precision=0.8"},
        {"kind": "none", "thresholds": {"pos": "recall=0.9"}},
        {"kind": "sigmoid", "prior": {"pos": 0.05}, "thresholds": ["neg:cost=2"]},
    ],
)
def test_the_folder_keeps_it_and_the_scorer_honours_it(overfitted, noisy, tmp_path, options):
    texts, y = noisy[2:]
    overfitted.calibrate(texts, y, **options)
    scorer = load(overfitted.save(tmp_path / "m"))
    probe = [*texts[:50], "", "zzz"]
    np.testing.assert_allclose(scorer.predict_proba(probe), overfitted.predict_proba(probe), rtol=0, atol=1e-12)
    labels = overfitted.predict(probe).tolist()
    assert scorer.predict(probe).tolist() == labels
    assert [label for label, _ in scorer.iter_predict(probe)] == labels
    streamed = np.array([shares for _, shares in scorer.iter_predict(probe)])
    np.testing.assert_allclose(streamed, scorer.predict_proba(probe), rtol=0, atol=1e-15)
    assert scorer.to_estimator().predict(probe).tolist() == labels
    why = scorer.explain(probe[0])
    assert why.probabilities == pytest.approx(tuple(scorer.predict_proba(probe[:1])[0]))
    assert why.label == (labels[0] or scorer.classes_[np.argmax(why.probabilities)])
    stored = json.loads((tmp_path / "m" / "calibration.json").read_text())
    assert stored == overfitted.calibration_.to_json()


def test_the_scorer_still_needs_nothing_but_numpy(overfitted, noisy, tmp_path):
    overfitted.calibrate(*noisy[2:], "isotonic", thresholds="precision=0.7").save(tmp_path / "m")
    code = (
        "import sys; from laconic import load; "
        f"load({str(tmp_path / 'm')!r}).predict(['good']); "
        "print([name for name in ('sklearn', 'scipy', 'numba') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_thresholds_hold_where_they_were_chosen(overfitted, noisy):
    texts, y = noisy[2:]
    labels = overfitted.calibrate(texts, y, thresholds={"pos": "precision=0.8"}).predict(texts)
    (chosen,) = overfitted.calibration_.made["thresholds"]
    said = labels == "pos"
    assert np.mean(y[said] == "pos") == pytest.approx(chosen["precision"])
    assert chosen["precision"] >= 0.8
    assert np.mean(said[y == "pos"]) == pytest.approx(chosen["recall"])
    assert set(labels.tolist()) == {"pos", "neg"}


def test_a_text_that_reaches_no_threshold_has_no_label(overfitted, noisy):
    texts, y = noisy[2:]
    overfitted.calibrate(texts, y, thresholds="precision=0.85")
    labels = overfitted.predict(texts)
    assert labels.dtype == object
    assert {None, "pos", "neg"} == set(labels.tolist())
    from laconic.evaluate import evaluate

    found = evaluate(overfitted, texts, y)
    assert found.unlabelled == sum(label is None for label in labels)
    assert found.metrics["accuracy"] == pytest.approx(np.mean([a == b for a, b in zip(labels, y, strict=True)]))
    assert sum(map(sum, found.confusion)) == 300 - found.unlabelled
    assert found.labels == ("neg", "pos")
    assert min(one.precision for one in found.per_class) >= 0.85
    assert found.metrics["macro_f1"] == pytest.approx(np.mean([one.f1 for one in found.per_class]))


def test_a_prior_makes_probabilities_right_for_another_mix(overfitted, noisy):
    texts, y = noisy[2:]
    overfitted.calibrate(texts, y, prior={"pos": 0.1})
    rare = [i for i in range(300) if y[i] == "neg"] * 9 + [i for i in range(300) if y[i] == "pos"]
    Q = overfitted.predict_proba(texts)[rare]
    assert Q[:, 1].mean() == pytest.approx(0.1, abs=0.02)
    plain = TextClassifier(ElasticNetClassifier(l2=1e-3)).fit(*noisy[:2]).calibrate(texts, y)
    assert plain.predict_proba(texts)[rare][:, 1].mean() > 0.2


def test_a_hinge_gets_probabilities(noisy, tmp_path):
    model = TextClassifier(ElasticNetClassifier(l2=1.0, loss="squared_hinge")).fit(*noisy[:2])
    with pytest.raises(AttributeError):
        model.predict_proba(["good"])
    with pytest.raises(ValueError, match="kind='sigmoid' or kind='isotonic'"):
        model.calibrate(*noisy[2:], "none", thresholds="recall=0.5")
    model.calibrate(*noisy[2:])
    assert "before" not in model.calibration_.made
    scorer = load(model.save(tmp_path / "m"))
    np.testing.assert_allclose(scorer.predict_proba(["good bad"]), model.predict_proba(["good bad"]), atol=1e-12)


def test_a_sigmoid_goes_into_the_weights_of_a_pipeline(overfitted, noisy):
    texts, y = noisy[2:]
    pipeline = overfitted.calibrate(texts, y, prior={"pos": 0.2}).to_sklearn()
    np.testing.assert_allclose(pipeline.predict_proba(texts), overfitted.predict_proba(texts), atol=1e-12)
    for options, what in (
        ({"kind": "isotonic"}, "kind 'isotonic'"),
        ({"thresholds": "recall=0.5"}, "thresholds"),
    ):
        with pytest.raises(ValueError, match=what):
            overfitted.calibrate(texts, y, **options).to_sklearn()


def test_more_than_two_classes(letters, tmp_path):
    model = TextClassifier(ElasticNetClassifier(l1=0.5, l2=0.01)).fit(letters.train, letters.train.labels)
    model.calibrate(letters.dev, letters.dev.labels, thresholds="recall=0.9")
    texts = list(letters.test.texts)
    scorer = load(model.save(tmp_path / "m"))
    assert scorer.predict(texts).tolist() == model.predict(texts).tolist()
    np.testing.assert_allclose(scorer.predict_proba(texts).sum(axis=1), 1.0)


def test_a_new_fit_forgets(overfitted, noisy):
    overfitted.calibrate(*noisy[2:])
    assert overfitted.fit(*noisy[:2]).calibration_ is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "magic"}, "no calibration 'magic'"),
        ({"kind": "none"}, "nothing to do"),
        ({"kind": "none", "prior": {"pos": 0.1}, "thresholds": "recall=1"}, "A prior corrects calibrated"),
        ({"prior": {"odd": 0.1}}, "no class 'odd'"),
        ({"prior": {"pos": 1.0}}, "between 0 and 1"),
        ({"prior": {"pos": 0.5, "neg": 0.6}}, "sum to 1.1"),
    ],
)
def test_wrong_settings_are_refused(overfitted, noisy, options, message):
    with pytest.raises(ValueError, match=message):
        overfitted.calibrate(*noisy[2:], **options)
    assert overfitted.calibration_ is None


def test_a_goal_that_no_score_meets_says_what_is_possible(overfitted, noisy):
    texts, y = noisy[2:]
    with pytest.raises(
        ValueError, match=r"gives 'pos' a precision of 0.9 on 300 documents: at most 0\.500 is possible"
    ):
        overfitted.calibrate(texts, np.where(y == "pos", "neg", "pos"), thresholds={"pos": "precision=0.9"})


def test_other_labels_are_refused(overfitted, noisy):
    texts, y = noisy[2:]
    with pytest.raises(ValueError, match="label 'maybe', which the model does not know; its classes are 'neg', 'pos'"):
        overfitted.calibrate([*texts, "good"], [*y, "maybe"])
    model = TextClassifier().fit(["a", "b", "c"], ["x", "y", "z"])
    with pytest.raises(ValueError, match="None of the documents has the label 'z'"):
        model.calibrate(["a", "b"], ["x", "y"])


def test_an_edit_calibrates_again(noisy):
    from laconic.core.edits import Edits
    from laconic.data import Corpus
    from laconic.models import Recipe, fit_text
    from laconic.models.edit.refit import edit_text

    train, dev = (Corpus.from_lists(noisy[i], noisy[i + 1]) for i in (0, 2))
    recipe = Recipe(methods=("lasso",), calibrate="sigmoid", thresholds=("pos:recall=0.9",))
    made = fit_text(train, dev=dev, recipe=recipe)
    scorer = made.model.to_scorer()
    scorer.info["extra"] = made.config
    edited = edit_text(scorer, train, Edits(ban=["good"]), dev=dev).model
    assert edited.calibration_.made["on"] == "dev"
    assert edited.calibration_.thresholds[1] is not None
    assert "good" not in edited.to_scorer().model.words
    del scorer.info["extra"]["recipe"]
    with pytest.warns(UserWarning, match="was calibrated and this one is not"):
        assert edit_text(scorer, train, Edits(ban=["good"])).model.calibration_ is None


def test_folds_may_lack_words_of_the_edits(noisy):
    from laconic.core.edits import Edits

    texts, y = [*noisy[0], "hapaxword"], [*noisy[1], "pos"]
    model = TextClassifier(ElasticNetClassifier(l2=1e-3), edits=Edits(ban=["hapaxword"])).fit(texts, y)
    assert model.calibrate(texts, y, folds=3).calibration_.made["documents"] == 301


def test_onnx_holds_a_sigmoid_and_refuses_thresholds(overfitted, noisy):
    pytest.importorskip("onnx")
    from laconic.models.export import onnx_model

    texts, y = noisy[2:]
    onnx_model(overfitted.calibrate(texts, y).to_scorer().model)
    with pytest.raises(ValueError, match="has thresholds"):
        onnx_model(overfitted.calibrate(texts, y, thresholds="recall=0.5").to_scorer().model)


@pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="set LACONIC_DATA to the folder that holds text/imdb")
def test_imdb_reaches_the_precision_that_dev_promised():
    from laconic import data
    from laconic.evaluate import reliability
    from laconic.evaluate.calibration import wilson

    splits = data.load("imdb")
    train, dev, test = splits.train, splits.dev, splits.test.subset(range(0, 25_000, 5))
    model = TextClassifier(ElasticNetClassifier(l1=7.17, l2=0.0, tol=1e-4), min_df=20).fit(train, train.labels)
    truth = (np.array(test.labels) == "pos").astype(int)
    before = reliability(model.predict_proba(test), truth).error
    model.calibrate(dev, dev.labels, "sigmoid", thresholds={"pos": "precision=0.95"})
    assert reliability(model.predict_proba(test), truth).error < before
    said = model.predict(test) == "pos"
    precision = float(truth[said].mean())
    assert wilson(precision, int(said.sum()))[1] >= 0.95
    (chosen,) = model.calibration_.made["thresholds"]
    assert chosen["low"] <= precision <= chosen["high"]
