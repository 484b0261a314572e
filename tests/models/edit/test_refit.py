"""Text models under edits: fitting, saving, refitting from an older model, and what changed."""

from dataclasses import replace

import numpy as np
import pytest

from laconic import Corpus, Edits, GroupLassoClassifier, OMPClassifier, TextClassifier, load
from laconic.linear import ElasticNetClassifier
from laconic.models import MultilabelTextClassifier, Recipe, diff_models, edit_text, fit_text, keep_design, load_design
from laconic.report.summaries.python_code import python_code

LASSO = ElasticNetClassifier(l1=0.5, l2=0.0)


def strongest(model, n=1):
    order = np.argsort(-np.abs(model.estimator_.coef_).max(axis=0))
    return [model.vocabulary_.words[j] for j in order[:n]]


def weight(model, word):
    return model.estimator_.coef_[:, model.vocabulary_.index[word]]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_words_are_banned_kept_and_signed(letters, two, n_classes):
    texts, y = two if n_classes == 2 else (letters.train.texts, letters.train.labels)
    free = TextClassifier(LASSO).fit(texts, y)
    first, second = strongest(free, 2)
    weak = next(word for j, word in enumerate(free.vocabulary_.words) if not free.estimator_.coef_[:, j].any())
    label = free.classes_[-1]
    sign = "-" if weight(free, second)[-1] > 0 else "+"
    edits = Edits(ban=[first], keep=[weak], signs={second: f"{sign}{label}"})
    model = TextClassifier(LASSO, edits=edits).fit(texts, y)
    assert not weight(model, first).any()
    assert weight(model, weak).any()
    assert weight(model, second)[-1] * (1 if sign == "+" else -1) >= 0
    assert model.estimator_.dual_gap_ <= 1e-6


def test_unknown_words_and_foreign_estimators_are_refused(two):
    from sklearn.linear_model import LogisticRegression

    with pytest.raises(ValueError, match="not in the vocabulary: 'brokn' \\(did you mean 'broken'"):
        TextClassifier(LASSO, edits=Edits(ban=["brokn"])).fit(*two)
    TextClassifier(LASSO, edits=Edits(ban=["brokn"], skip_unknown=True)).fit(*two)
    with pytest.raises(ValueError, match="has no edits"):
        TextClassifier(LogisticRegression(), edits=Edits(ban=["broken"])).fit(*two)
    with pytest.raises(TypeError, match="make it a laconic"):
        TextClassifier(LASSO, edits={"ban": ["broken"]}).fit(*two)


def test_edits_come_back_from_a_folder(two, tmp_path):
    edits = Edits(ban=["broken"], signs={"the": "+"}, factors={"a": 2.0})
    model = TextClassifier(LASSO, edits=edits).fit(*two)
    back = load(model.save(tmp_path / "m")).to_estimator()
    assert back.edits == edits
    code = python_code(load(tmp_path / "m").info)
    assert "    edits=laconic.Edits(ban=['broken'], signs={'the': '+'}, factors={'a': 2.0}),\n" in code
    np.testing.assert_array_equal(back.predict(two[0]), model.predict(two[0]))
    np.testing.assert_allclose(back.fit(*two).estimator_.coef_, model.estimator_.coef_, atol=1e-3)


def test_a_start_is_matched_by_word(letters):
    half = len(letters.train) // 2
    texts, y = list(letters.train.texts), list(letters.train.labels)
    older = TextClassifier(LASSO).fit(texts[:half], y[:half])
    cold = TextClassifier(LASSO).fit(texts, y)
    warm = TextClassifier(LASSO).fit(texts, y, start=older)
    wordless = TextClassifier(ElasticNetClassifier(l1=1e6, l2=0.0)).fit(texts, y)
    assert warm.estimator_.solution_.trace[0].objective < wordless.estimator_.solution_.objective
    assert warm.estimator_.solution_.objective == pytest.approx(cold.estimator_.solution_.objective, rel=2e-6)
    with pytest.raises(ValueError, match="new: 'other'; gone: "):
        TextClassifier(LASSO).fit(texts, ["other" if one == y[0] else one for one in y], start=older)
    with pytest.raises(TypeError, match="fitted TextClassifier"):
        TextClassifier(LASSO).fit(texts, y, start=cold.estimator_)
    TextClassifier(OMPClassifier(5)).fit(texts, y, start=older)


@pytest.fixture(scope="module")
def made(letters):
    recipe = Recipe(methods=("lasso",), edits=Edits(ban=["the"]))
    return fit_text(letters.train, dev=letters.dev, recipe=recipe)


def test_fit_text_obeys_and_stores_edits(made):
    assert "the" not in made.model.to_scorer().model.words
    assert made.config["recipe"]["edits"] == {"ban": ["the"]}
    assert Recipe.from_dict(made.config["recipe"]).edits == Edits(ban=["the"])


def test_fit_text_names_unknown_words_and_folds_may_lack_some(letters):
    with pytest.raises(ValueError, match="'xyzzy'"):
        fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("ridge",), edits=Edits(ban=["xyzzy"])))
    once = Corpus.from_lists([*letters.train.texts, "hapaxword"], [*letters.train.labels, letters.train.labels[0]])
    kept = fit_text(once, recipe=Recipe(methods=("lasso",), folds=2, edits=Edits(keep=["hapaxword"])))
    assert "hapaxword" in kept.model.to_scorer().model.words


def test_edit_starts_from_the_old_weights_and_keeps_earlier_edits(made, letters, tmp_path):
    before = load(made.model.save(tmp_path / "m", extra=made.config))
    word = strongest(made.model)[0]
    after = edit_text(before, letters.train, Edits(ban=[word]))
    assert after.edits == Edits(ban=["the", word])
    assert after.extra["recipe"]["edits"] == {"ban": ["the", word]}
    cold = TextClassifier(made.model.estimator, edits=after.edits).fit(list(letters.train), letters.train.labels)
    assert cold.estimator_.l1 == after.model.estimator_.l1 == made.model.estimator_.l1
    ours, theirs = after.model.estimator_.solution_, cold.estimator_.solution_
    assert ours.objective == pytest.approx(theirs.objective, rel=2e-6)
    assert ours.trace[0].objective < theirs.trace[0].objective
    again = edit_text(before, letters.train, Edits(keep=["the"]))
    assert again.edits == Edits(keep=["the"])


def test_edit_builds_groups_again_and_refuses_what_it_cannot_know(letters, tmp_path):
    groups = {"harm": ["broken", "leaking"], "manners": ["thank", "kind", "rude"]}
    estimator = GroupLassoClassifier(group=0.2, l1=0.1)
    model = TextClassifier(estimator, groups=groups).fit(list(letters.train), letters.train.labels)
    before = load(model.save(tmp_path / "m"))
    with pytest.raises(ValueError, match="does not say how they were made"):
        edit_text(before, letters.train, Edits(ban_groups=["harm"]))
    after = edit_text(before, letters.train, Edits(ban_groups=["harm"]), groups=groups)
    words = after.model.to_scorer().model.words
    assert "broken" not in words
    assert "leaking" not in words
    diff = diff_models(before, after.model.to_scorer())
    assert "harm" in diff.groups_went
    strange = Corpus.from_lists(["a b", "c d"], ["poem", "ode"])
    with pytest.raises(ValueError, match="labels have changed"):
        edit_text(before, strange, groups=groups)


def test_diff_says_what_changed(two):
    texts, y = two
    before = TextClassifier(LASSO).fit(texts, y)
    word = strongest(before)[0]
    after = TextClassifier(LASSO, edits=Edits(ban=[word])).fit(texts, y)
    a, b = before.to_scorer(), after.to_scorer()
    diff = diff_models(a, b, texts, labels=y)
    assert [one.word for one in diff.of_kind("went")].count(word) == 1
    assert {one.word for one in diff.of_kind("came")} == set(b.model.words) - set(a.model.words)
    assert diff.sizes == (len(a.model.words), len(b.model.words))
    changed = np.flatnonzero(before.predict(texts) != after.predict(texts))
    assert [one.id for one in diff.documents] == [str(i) for i in changed]
    assert [one.truth for one in diff.documents] == [y[i] for i in changed]
    assert diff_models(a, a, texts).words == diff_models(a, a, texts).documents == ()
    back = diff_models(b, a)
    assert {one.word for one in back.of_kind("came")} == {one.word for one in diff.of_kind("went")}
    plain = diff.to_dict()
    assert len(plain["words"]["went"]) == len(diff.of_kind("went"))


@pytest.mark.parametrize("cells", ["binary", "count"])
def test_an_edit_of_a_kept_matrix_is_the_edit_of_its_texts(letters, tmp_path, cells):
    groups = {"harm": ["broken", "leaking"], "manners": ["thank", "kind", "rude"]}
    estimator = GroupLassoClassifier(group=0.2, l1=0.1, tol=1e-9)
    train = letters.train
    model = TextClassifier(estimator, groups=groups, cells=cells).fit(list(train), train.labels)
    before = load(model.save(tmp_path / "m"))
    kept = load_design(keep_design(tmp_path / "m.design", model, train))
    edits = Edits(ban_groups=["harm"], signs={"kind": f"-{train.labels[0]}"})
    ours, theirs = edit_text(before, kept, edits), edit_text(before, train, edits, groups=groups)
    np.testing.assert_allclose(ours.model.estimator_.coef_, theirs.model.estimator_.coef_, atol=1e-12)
    assert ours.model.vocabulary_.sha256 == theirs.model.vocabulary_.sha256
    assert ours.extra["data"] == theirs.extra["data"]
    saved = load(ours.model.save(tmp_path / "e"))
    np.testing.assert_array_equal(saved.predict(list(train.texts)), ours.model.predict(list(train.texts)))


def test_labels_of_a_kept_matrix_are_given_as_a_fit_takes_them(letters, tmp_path):
    several = [[label, "letter"] if i % 3 else [] for i, label in enumerate(letters.train.labels)]
    corpus = Corpus.from_lists(letters.train.texts, several)
    model = MultilabelTextClassifier().fit(corpus, corpus.labels)
    kept = load_design(keep_design(tmp_path / "m.design", model, corpus))
    assert [tuple(sorted(row)) for row in kept.given_labels()] == [tuple(sorted(row)) for row in several]
    again = edit_text(model.to_scorer(), kept, Edits(ban=["the"]))
    assert "the" not in again.model.to_scorer().model.words
    assert again.model.classes_.tolist() == model.classes_.tolist()


def test_a_matrix_of_other_text_parameters_is_refused(letters, tmp_path):
    train = letters.train
    model = TextClassifier(LASSO).fit(list(train), train.labels)
    other = TextClassifier(LASSO, cells="count").fit(list(train), train.labels)
    kept = load_design(keep_design(tmp_path / "m.design", other, train))
    with pytest.raises(ValueError, match="other text parameters"):
        edit_text(model.to_scorer(), kept, Edits(ban=["the"]))
    with pytest.raises(ValueError, match="not a training design"):
        load_design(model.save(tmp_path / "m"))


def test_banned_groups_bind_methods_without_groups_too(letters, tmp_path):
    (tmp_path / "topics.json").write_text('{"harm": ["broken", "leaking"], "manners": ["thank", "kind"]}')
    recipe = Recipe(
        methods=("lasso", "group"),
        groups=(str(tmp_path / "topics.json"),),
        edits=Edits(ban_groups=["harm"], keep_groups=["manners"]),
    )
    made = fit_text(letters.train, dev=letters.dev, recipe=recipe)
    words = made.model.to_scorer().model.words
    assert not {"broken", "leaking"} & set(words)
    assert {"thank", "kind"} <= set(words)
    assert made.config["recipe"]["edits"] == {"ban": ["broken", "leaking"], "keep": ["kind", "thank"]}
    with pytest.raises(ValueError, match=r"'thank' .in the group 'manners'. is to be both banned and kept"):
        fit_text(letters.train, recipe=replace(recipe, edits=Edits(ban=["thank"], keep_groups=["manners"])))


def test_an_edit_is_calibrated_again_where_there_are_texts(letters, tmp_path):
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso",), calibrate="sigmoid"))
    before = load(made.model.save(tmp_path / "m", extra=made.config))
    edits = Edits(ban=strongest(made.model))
    again = edit_text(before, letters.train, edits, dev=letters.dev).model.calibration_
    assert again is not None
    assert again.to_json() != made.model.calibration_.to_json()
    kept = load_design(keep_design(tmp_path / "m.design", made.model, letters.train))
    with pytest.warns(UserWarning, match="The older model was calibrated"):
        assert edit_text(before, kept, edits).model.calibration_ is None


def test_a_sign_of_an_unknown_label_names_the_word(letters):
    message = "The sign of 'broken' names the label 'mend'; the labels are"
    with pytest.raises(ValueError, match=message):
        fit_text(letters.train, dev=letters.dev, recipe=Recipe(edits=Edits(signs={"broken": "+mend"})))
    with pytest.raises(ValueError, match=message):
        TextClassifier(edits=Edits(signs={"broken": "+mend"})).fit(letters.train, letters.train.labels)
