import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.tree import DecisionTreeClassifier

from laconic.models import TextClassifier, load
from laconic.models.folder.extract import extract


def test_only_kept_words_remain(fitted):
    model = fitted(n_classes=3)
    found = extract(model)
    columns = np.flatnonzero(np.any(model.estimator_.coef_ != 0, axis=0))
    assert found.words == tuple(model.vocabulary_.words[j] for j in columns)
    np.testing.assert_array_equal(found.weights, model.estimator_.coef_[:, columns].T)
    np.testing.assert_array_equal(found.vocabulary.document_frequency, model.vocabulary_.document_frequency[columns])


@pytest.mark.parametrize("estimator", [LogisticRegression(), RidgeClassifier()])
def test_linear_models_of_scikit_learn_can_be_saved(estimator, letters, tmp_path):
    model = TextClassifier(estimator).fit(letters.train.texts, letters.train.labels)
    scorer = load(model.save(tmp_path / "model"))
    texts = letters.dev.texts
    np.testing.assert_allclose(scorer.decision_function(texts), model.decision_function(texts), rtol=0, atol=1e-12)
    assert scorer.model.probabilistic == hasattr(estimator, "predict_proba")
    with pytest.raises(ValueError, match=r"sklearn's .* not rebuilt"):
        scorer.to_estimator()


def test_an_intercept_that_is_one_number(two):
    model = TextClassifier(LogisticRegression(fit_intercept=False)).fit(*two)
    assert extract(model).intercept.tolist() == [0.0]


def test_models_that_are_not_linear_predict_but_cannot_be_saved(two, tmp_path):
    model = TextClassifier(DecisionTreeClassifier(random_state=0)).fit(*two)
    assert model.score(*two) == 1.0
    with pytest.raises(ValueError, match="DecisionTreeClassifier is not a linear model"):
        model.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_other_formulas_of_probability_are_refused(two, tmp_path):
    model = TextClassifier(SGDClassifier(loss="modified_huber", random_state=0)).fit(*two)
    with pytest.raises(ValueError, match="not the logistic function of its margins"):
        model.save(tmp_path / "model")
