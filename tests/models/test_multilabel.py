import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import f1_score, hamming_loss

from laconic.core.edits import Edits
from laconic.data import Corpus
from laconic.evaluate.calibration import binned, fit_calibration_of_several
from laconic.evaluate.metrics.evaluation import evaluate_labels, label_matrix
from laconic.evaluate.splits import label_folds
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.models import MultilabelTextClassifier, Recipe, TextClassifier, load
from laconic.models.scoring.calibration import out_of_fold
from laconic.models.search.fit_text import fit_labels
from laconic.report.summaries.python_code import python_code

WORDS = {"art": ["paint", "canvas"], "law": ["court", "judge"], "sea": ["boat", "wave"]}


def notes(seed, n=240):
    """Notes about any number of three subjects; one word of each subject stands in them, mostly."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        own = [label for label in WORDS if rng.random() < 0.4]
        words = [rng.choice(WORDS[label]) for label in own if rng.random() < 0.85]
        words += [f"w{one}" for one in rng.integers(40, size=5)]
        texts.append(" ".join(rng.permutation(words)))
        labels.append(own)
    return texts, labels


@pytest.fixture(scope="module")
def model():
    return MultilabelTextClassifier(ElasticNetClassifier(l1=4.0, l2=0.0)).fit(*notes(0))


def test_every_label_is_a_model_of_its_own_over_one_vocabulary(model):
    texts, labels = notes(0)
    probe, _ = notes(1, 30)
    for k, label in enumerate(["art", "law", "sea"]):
        alone = TextClassifier(ElasticNetClassifier(l1=4.0, l2=0.0)).fit(texts, [label in own for own in labels])
        np.testing.assert_allclose(model.predict_proba(probe)[:, k], alone.predict_proba(probe)[:, 1], atol=1e-9)
    expected = [tuple(np.array(["art", "law", "sea"])[row].tolist()) for row in model.predict_proba(probe) >= 0.5]
    assert model.predict(probe) == expected
    assert {len(one) for one in expected} >= {0, 1, 2}


def test_settings_of_single_labels():
    texts, labels = notes(0)
    plain = ElasticNetClassifier(l1=4.0, l2=0.0)
    strict = MultilabelTextClassifier(plain, settings={"law": {"l1": 1e6}}).fit(texts, labels)
    assert not strict.coef_[1].any()
    assert strict.coef_[0].any()
    with pytest.raises(ValueError, match="settings for 'tax'"):
        MultilabelTextClassifier(plain, settings={"tax": {"l1": 1.0}}).fit(texts, labels)


@pytest.mark.parametrize("cells", ["binary", "count", "tfidf"])
def test_one_folder_holds_all_labels(tmp_path, cells):
    texts, labels = notes(0)
    held, truth = notes(2)
    made = MultilabelTextClassifier(ElasticNetClassifier(l1=1.0, l2=0.01), text=TextClassifier(cells=cells))
    made.fit(texts, labels).calibrate(held, truth, "isotonic", thresholds={"law": "precision=0.9"})
    scorer = load(made.save(tmp_path / "m"))
    probe = [*held[:40], "", "zzz"]
    np.testing.assert_allclose(scorer.predict_proba(probe), made.predict_proba(probe), atol=1e-12)
    assert scorer.predict(probe) == made.predict(probe)
    assert scorer.explain(held[0]).classes == ("art", "law", "sea")
    code = (
        f"import sys; from laconic import load; load({str(tmp_path / 'm')!r}).predict(['court']); "
        "print([name for name in ('sklearn', 'scipy', 'numba') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_thresholds_of_labels_hold(model):
    texts, labels = notes(2)
    model.calibrate(texts, labels, thresholds={"law": "precision=0.95"})
    said = [("law" in one, "law" in own) for one, own in zip(model.predict(texts), labels, strict=True)]
    assert np.mean([true for given, true in said if given]) >= 0.95
    assert model.calibration_.thresholds[0] is None
    model.calibrate(*notes(0), "sigmoid", folds=4)
    assert model.calibration_.made["on"] == "out of fold"


@pytest.mark.parametrize("kind", ["sigmoid", "isotonic"])
def test_figures_of_a_calibration_are_those_of_documents_that_it_has_not_seen(model, kind):
    texts, labels = notes(3)
    margins, has = model.decision_function(texts), label_matrix(labels, ["art", "law", "sea"])
    model.calibrate(texts, labels, kind)
    Q = np.zeros_like(margins)
    for k in range(3):
        turn = np.where(has[:, k], np.cumsum(has[:, k]) - 1, np.cumsum(~has[:, k]) - 1) % 5
        for fold in range(5):
            part = fit_calibration_of_several(kind, margins[turn != fold], has[turn != fold])
            Q[turn == fold, k] = part.probabilities(margins[turn == fold])[:, k]
    after = model.calibration_.made["after"]
    assert after["error"] == pytest.approx(binned(Q.ravel(), has.ravel())[1])
    assert after["brier"] == pytest.approx(np.mean((Q - has) ** 2))
    assert after["log_loss"] == pytest.approx(-np.mean(np.log(np.where(has, Q, 1.0 - Q))))
    fitted = binned(model.predict_proba(texts).ravel(), has.ravel())[1]
    assert after["error"] > fitted  # what was fitted to the documents looks better on them than it is


def test_margins_out_of_fold_are_those_of_models_without_the_fold():
    texts, labels = notes(0, 60)
    has = label_matrix(labels, ["art", "law", "sea"])
    base = MultilabelTextClassifier(ElasticNetClassifier(l1=1.0, l2=0.0), text=TextClassifier(edits=Edits(ban=["w1"])))
    given = np.fromiter(map(tuple, labels), dtype=object)
    margins, truth = out_of_fold(base.fit(texts, labels), texts, given, folds=3, seed=5)
    numbers = label_folds(has, 3, 5)
    order = np.concatenate([np.flatnonzero(numbers == fold) for fold in range(3)])
    assert truth.tolist() == [tuple(labels[i]) for i in order]
    for fold in range(3):
        inside = [i for i in range(60) if numbers[i] != fold]
        part = clone(base).fit([texts[i] for i in inside], [labels[i] for i in inside])
        own = [texts[i] for i in np.flatnonzero(numbers == fold)]
        np.testing.assert_array_equal(margins[numbers[order] == fold], part.decision_function(own))


def test_a_label_too_rare_for_folds_is_named(model):
    texts, labels = ["a b", "a c", "d e", "d b"] * 4, [["x"], ["x"], ["y"], []] * 4
    rare = MultilabelTextClassifier().fit([*texts, "z"], [*labels, ["once"]])
    with pytest.raises(ValueError, match="'once' is too rare for 2 folds"):
        rare.calibrate([*texts, "z"], [*labels, ["once"]], folds=2)
    rare.fit([*texts, "z", "z a"], [*labels, ["once"], ["once"]])
    rare.calibrate([*texts, "z", "z a"], [*labels, ["once"], ["once"]], folds=2)
    with pytest.raises(ValueError, match="nothing to do"):
        rare.calibrate(texts, labels, "none")


def by_blanks(text):
    return text.split()


def test_a_tokenizer_function_is_warned_about(tmp_path):
    made = MultilabelTextClassifier(text=TextClassifier(tokenizer=by_blanks)).fit(*notes(0))
    with pytest.warns(UserWarning, match="saved without its tokenizer function"):
        folder = made.save(tmp_path / "m")
    texts = notes(1)[0]
    assert load(folder, tokenizer=by_blanks).predict(texts) == made.predict(texts)


def test_texts_are_checked(model):
    with pytest.raises(TypeError, match=r"position 1 .* must be a string"):
        model.predict(["court", 3])
    with pytest.raises(TypeError, match="single str"):
        MultilabelTextClassifier().fit("court", [["law"]])
    assert model.predict([]) == []
    assert model.predict_proba([]).shape == (0, 3)
    with pytest.raises(ValueError, match="several labels is not rebuilt"):
        model.to_scorer().to_estimator()


def test_scores_are_scikit_learns():
    rng = np.random.default_rng(0)
    true, given = rng.random((50, 4)) < 0.3, rng.random((50, 4)) < 0.3
    names = list("abcd")

    def as_lists(table):
        return [tuple(name for name, has in zip(names, row, strict=True) if has) for row in table]

    found = evaluate_labels(as_lists(given), as_lists(true), names)
    assert found.metrics["micro_f1"] == pytest.approx(f1_score(true, given, average="micro"))
    assert found.metrics["macro_f1"] == pytest.approx(f1_score(true, given, average="macro"))
    assert found.metrics["hamming"] == pytest.approx(hamming_loss(true, given))
    assert found.metrics["exact"] == np.mean((true == given).all(axis=1))
    assert json.loads(json.dumps(found.to_dict()))["per_label"][0]["label"] == "a"


def test_the_penalty_of_each_label_is_tuned():
    train, dev, test = (Corpus.from_lists(*notes(seed)) for seed in (0, 1, 2))
    made = fit_labels(train, dev=dev, test=test, recipe=Recipe(calibrate="sigmoid", thresholds=("law:recall=0.8",)))
    assert [row.label for row in made.rows] == ["art", "law", "sea"]
    assert all(2 <= row.words <= 30 for row in made.rows)
    assert made.test.metrics["micro_f1"] > 0.85
    words = made.model.to_scorer().model.words
    assert {word for own in WORDS.values() for word in own} <= set(words)
    assert len({row.setting["l1"] for row in made.rows}) > 1
    assert made.model.calibration_.thresholds[1] is not None


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        (["a", "b"], [["x"]], "2 texts but 1 lists"),
        (["a", "b"], [["x"], ["x"]], "1 different labels"),
        (["a", "b"], [["x", "y"], ["x"]], "All 2 texts have the label 'x'"),
        (["a", "b"], [["x"], None], "position 1 .* are missing"),
        (["a"], "xy", "one list of labels for each text"),
        (["a", "b"], np.ones((2, 2)), "one list of labels for each text"),
        (["a", "b"], [["x"], [0.5]], "labels at position 1 .* cannot be used"),
    ],
)
def test_wrong_labels_are_refused(texts, labels, message):
    with pytest.raises(ValueError, match=message):
        MultilabelTextClassifier().fit(texts, labels)


def test_label_sets_that_changed_are_refused(model):
    with pytest.raises(ValueError, match="unknown label 'tax'"):
        model.calibrate(["court"], [["tax"]])
    with pytest.raises(ValueError, match="None of the documents has the label 'art'"):
        model.calibrate(["court"], [["law"]])
    assert label_matrix(["law"], ["art", "law"]).tolist() == [[False, True]]
    train = Corpus.from_lists(*notes(0))
    with pytest.raises(ValueError, match="The dev documents have the label 'tax'"):
        fit_labels(train, dev=Corpus.from_lists(["a", "b"], [["tax"], ["law"]]))
    for recipe in (Recipe(methods=("lasso", "ridge")), Recipe(words=5)):
        with pytest.raises(ValueError, match="several labels"):
            fit_labels(train, recipe=recipe)


def test_edits_are_those_of_every_label_by_itself():
    texts, labels = notes(0)
    edits = Edits(ban=["paint"], keep=["w1"], factors={"boat": 3.0}, signs={"court": "-law", "judge": "+art"})
    lasso = ElasticNetClassifier(l1=4.0, l2=0.0, tol=1e-9)
    several = MultilabelTextClassifier(lasso, text=TextClassifier(edits=edits)).fit(texts, labels)
    assert several.dual_gap_ <= 1e-9
    for k, label in enumerate(["art", "law", "sea"]):
        signs = {word: sign[0] for word, sign in edits.signs.items() if sign[1:] == label}
        alone = TextClassifier(lasso, edits=Edits(ban=["paint"], keep=["w1"], factors={"boat": 3.0}, signs=signs))
        alone.fit(texts, [label in own for own in labels])
        np.testing.assert_allclose(several.coef_[k], alone.estimator_.coef_[0], atol=1e-5)
    assert several.to_scorer().info["edits"]["signs"] == {"court": "-law", "judge": "+art"}
    with pytest.raises(ValueError, match="names the label 'tax'"):
        MultilabelTextClassifier(lasso, text=TextClassifier(edits=Edits(signs={"court": "+tax"}))).fit(texts, labels)


def test_a_start_changes_nothing_but_the_time(model):
    texts, labels = notes(0)
    lasso = ElasticNetClassifier(l1=4.0, l2=0.0, tol=1e-12)
    cold = MultilabelTextClassifier(lasso).fit(texts, labels)
    warm = MultilabelTextClassifier(lasso).fit(texts, labels, start=model)
    np.testing.assert_allclose(warm.coef_, cold.coef_, atol=1e-5)
    assert sum(one.n_iter_ for one in warm.estimators_) <= sum(one.n_iter_ for one in cold.estimators_)
    changed = [["tax"] if "law" in own else own for own in labels]
    with pytest.raises(ValueError, match=r"labels have changed since the model was made .new: 'tax'; gone: 'law'"):
        MultilabelTextClassifier(lasso).fit(texts, changed, start=model)


def test_groups_are_shared_by_all_labels(tmp_path):
    texts, labels = notes(0)
    groups = {**WORDS, "noise": ["w1", "w2", "w3"]}
    estimator = GroupLassoClassifier(group=3.0, l1=1.0)
    several = MultilabelTextClassifier(estimator, text=TextClassifier(groups=groups)).fit(texts, labels)
    alone = TextClassifier(estimator, groups).fit(texts, ["law" in own for own in labels])
    np.testing.assert_allclose(several.coef_[1], alone.estimator_.coef_[0], atol=1e-6)
    loaded = load(several.save(tmp_path / "m"))
    assert set(loaded.model.groups.groups.names) >= {"art", "law", "sea"}
    assert loaded.predict(texts[:20]) == several.predict(texts[:20])


def test_stability_is_that_of_each_label():
    from laconic import stability

    texts, labels = notes(0)
    lasso = ElasticNetClassifier(l1=4.0, l2=0.0)
    seen = []
    found = MultilabelTextClassifier(lasso).stability(
        texts, labels, pairs=3, threshold=0.8, progress=lambda done, total: seen.append((done, total))
    )
    bag = TextClassifier().bag_of_words().fit(texts)
    alone = stability(
        lasso, bag.X, ["law" in own for own in labels], pairs=3, threshold=0.8, names=bag.vocabulary.words
    )
    assert found["law"] == alone
    assert set(found["law"].stable) == {"court", "judge"}
    assert seen == [(i, 18) for i in range(1, 19)]


def test_the_program_on_the_page_makes_the_same_model(tmp_path):
    import laconic

    texts, labels = notes(0)
    made = fit_labels(Corpus.from_lists(texts, labels), recipe=Recipe(edits=Edits(ban=["w1"]), cells="count"))
    code = python_code(load(made.model.save(tmp_path / "m", extra=made.config)).info)
    names = {"laconic": laconic, "texts": texts, "labels": labels}
    exec(code, names)
    np.testing.assert_array_equal(names["model"].coef_, made.model.coef_)
