import numpy as np
import pytest

from laconic.models.links import SOFTMAX
from laconic.models.search import folds as module
from laconic.models.search.folds import PARTS, Folds
from laconic.models.search.recipe import Recipe


def test_folds_share_one_matrix_and_every_document_is_held_out_once(letters):
    folds = Folds.of(Recipe(folds=3), SOFTMAX, letters.train, None, grouped=False)
    assert sorted(np.concatenate([split.out for split in folds.splits])) == list(range(len(letters.train)))
    X = folds.design.X.toarray()
    for number, split in enumerate(folds.splits):
        assert not set(split.rows) & set(split.out)
        np.testing.assert_array_equal(split.X.toarray(), X[split.rows])
        np.testing.assert_array_equal(split.X_out.toarray(), X[split.out])
        assert (folds.part[split.out] == number).all()
    assert folds.name == "3-fold cv"
    assert [folds.classes[k] for k in folds.truth.argmax(axis=1)] == list(letters.train.labels)


def test_a_brief_search_of_many_documents_holds_one_fold_out(letters, monkeypatch):
    whole = Folds.of(Recipe(), SOFTMAX, letters.train, None, grouped=False)
    assert Folds.of(Recipe(), SOFTMAX, letters.train, None, grouped=False, brief=True).name == whole.name
    monkeypatch.setattr(module, "MANY", len(letters.train))
    folds = Folds.of(Recipe(), SOFTMAX, letters.train, None, grouped=False, brief=True)
    (split,), first = folds.splits, whole.splits[0]
    np.testing.assert_array_equal(split.rows, first.rows)
    np.testing.assert_array_equal(split.X_out.toarray(), first.X_out.toarray())
    np.testing.assert_array_equal(folds.truth, whole.truth[first.out])
    np.testing.assert_array_equal(split.out, np.arange(len(first.out)))
    assert len(set(folds.part)) == PARTS
    assert folds.columns.shape == folds.design.X.shape
    assert (folds.name, whole.left_out, len(folds.left_out)) == ("1 of 5 folds", [], 1)


def test_a_dev_set_is_scored_by_models_of_all_documents(letters):
    folds = Folds.of(Recipe(), SOFTMAX, letters.train, letters.dev, grouped=False)
    (split,) = folds.splits
    assert split.X.shape[0] == len(letters.train)
    assert split.X_out.shape == (len(letters.dev), split.X.shape[1])
    assert len(set(folds.part)) == PARTS
    assert folds.name == "dev"
    assert folds.columns is split.X


def test_groups_are_those_of_the_documents_of_a_fold(letters):
    recipe = Recipe(methods=("group",), groups=("sentences",), folds=2)
    folds = Folds.of(recipe, SOFTMAX, letters.train, None, grouped=True)
    sizes = [len(split.groups) for split in folds.splits]
    assert max(sizes) < len(folds.groups)
    assert len(folds.estimator("group", folds.splits[0].groups).groups) == sizes[0]
    assert "groups" not in folds.estimator("lasso", folds.splits[0].groups).get_params()


def test_too_few_documents_for_the_folds_are_refused(letters):
    with pytest.raises(ValueError, match="folds"):
        Folds.of(Recipe(folds=500), SOFTMAX, letters.train, None, grouped=False)
