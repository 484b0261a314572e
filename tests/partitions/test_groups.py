"""Group lasso and pursuits on partitions against the same in memory."""

import numpy as np
import pytest

from laconic.core.groups import Groups
from laconic.data.synthetic import planted as planted_texts
from laconic.groups import SentenceGroups
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier, GroupOMPClassifier, OMPClassifier
from laconic.partitions import fit_partitions, partition_matrices, partition_texts
from laconic.text import BagOfWords
from tests.partitions.conftest import same, split, write_parts

DISJOINT = {f"g{i}": list(range(4 * i, 4 * i + 4)) for i in range(100)}
NESTED = {**DISJOINT, **{f"h{i}": list(range(20 * i, 20 * i + 20)) for i in range(20)}}
CROSSING = {**DISJOINT, **{f"k{i}": list(range(6 * i, 6 * i + 9)) for i in range(60)}}


@pytest.mark.parametrize("groups", [DISJOINT, NESTED, CROSSING], ids=["disjoint", "nested", "overlapping"])
@pytest.mark.parametrize("levels", [(1.0, 0.3, 0.0), (1.0, 0.0, 0.0), (0.5, 0.2, 0.3)])
def test_group_lasso_with_given_groups_is_the_one_in_memory(tmp_path, planted, way, groups, levels):
    X, y = planted
    group, l1, l2 = levels
    estimator = GroupLassoClassifier(groups, group, l1, l2, tol=1e-9)
    same(fit_partitions(estimator, partition_matrices(split(X, y, 4), tmp_path)), estimator.fit(X, y))


@pytest.fixture(scope="module")
def texts():
    return planted_texts(n_documents=150, n_words=150, seed=4).corpus


@pytest.mark.parametrize("parts", [1, 2, 4, 7])
def test_sentences_that_stay_in_partitions_give_the_model_of_all_sentences(tmp_path, texts, way, parts):
    builder, bag = SentenceGroups(), BagOfWords(cells="binary")
    estimator = GroupLassoClassifier(group=0.05, l1=0.5, tol=1e-9)
    corpus = partition_texts(write_parts(tmp_path / "in", texts, parts), tmp_path / "blocks", bag=bag, groups=builder)
    design = bag.fit(texts.texts)
    groups = builder.build(texts, design.vocabulary)
    model = fit_partitions(estimator, corpus)
    reference = GroupLassoClassifier(groups, 0.05, 0.5, tol=1e-9).fit(design.X, list(texts.labels))
    same(model, reference)
    assert model.kept_groups_.n_groups == len(groups)
    touched = groups.norms(model.coef_.T) > 0.0
    assert model.kept_groups_.n_selected == int(touched.sum())
    expected = Groups.restrict(groups, model.solution_.support)
    assert len(model.kept_groups_.groups) == len(expected)
    assert set(model.kept_groups_.groups.weights.round(9)) == set(expected.weights.round(9))


def test_groups_of_partitions_without_l1_are_refused(tmp_path, texts):
    corpus = partition_texts(write_parts(tmp_path / "in", texts, 2), tmp_path / "blocks", groups=SentenceGroups())
    with pytest.raises(ValueError, match="need l1 above 0"):
        fit_partitions(GroupLassoClassifier(), corpus)
    with pytest.raises(ValueError, match=r"l1 is 0\.0"):
        fit_partitions(ElasticNetClassifier(), corpus)


def pursued(model, reference, rel=1e-8):
    """Check that two pursuits chose the same features in the same order, to the same objectives."""
    assert model.solution_.order == reference.solution_.order
    ours = [step["objective"] for step in model.path_.parameters]
    assert ours == pytest.approx([step["objective"] for step in reference.path_.parameters], rel=rel)
    # The last refit of both is exact to 1e-8 of the objective, which leaves the weights this much.
    np.testing.assert_allclose(model.coef_, reference.coef_, atol=1e-4)
    assert [step.get("group") for step in model.path_.parameters[1:]] == [
        step.get("group") for step in reference.path_.parameters[1:]
    ]


@pytest.mark.parametrize("parts", [1, 2, 4, 7])
@pytest.mark.parametrize("refit", ["raw", "scaled"])
def test_omp_chooses_what_it_chooses_in_memory(tmp_path, planted, parts, refit):
    X, y = planted
    estimator = OMPClassifier(budget=8, refit=refit, tol=1e-11)
    pursued(fit_partitions(estimator, partition_matrices(split(X, y, parts), tmp_path)), estimator.fit(X, y))


@pytest.mark.parametrize("overshoot", ["allow", "skip", "trim"])
def test_group_omp_with_given_groups_chooses_what_it_chooses_in_memory(tmp_path, planted, overshoot):
    X, y = planted
    estimator = GroupOMPClassifier(CROSSING, budget=14, overshoot=overshoot, tol=1e-11)
    pursued(fit_partitions(estimator, partition_matrices(split(X, y, 4), tmp_path)), estimator.fit(X, y))


@pytest.mark.parametrize("parts", [1, 2, 4, 7])
def test_group_omp_chooses_sentences_of_partitions(tmp_path, texts, parts):
    builder, bag = SentenceGroups(), BagOfWords(cells="binary")
    corpus = partition_texts(write_parts(tmp_path / "in", texts, parts), tmp_path / "blocks", bag=bag, groups=builder)
    design = bag.fit(texts.texts)
    groups = builder.build(texts, design.vocabulary)
    settings = {"budget": 30, "tol": 1e-11, "members": "paying"}
    model = fit_partitions(GroupOMPClassifier(**settings), corpus)
    reference = GroupOMPClassifier(groups, **settings).fit(design.X, list(texts.labels))
    # Sentences of the same words tie, and are met in another order: the words they bring are the same.
    assert [step["entered"] for step in model.path_.parameters] == [
        step["entered"] for step in reference.path_.parameters
    ]
    assert model.solution_.objective == pytest.approx(reference.solution_.objective, rel=1e-8)
    assert model.selected_groups_.n_groups == reference.selected_groups_.n_groups == model.kept_groups_.n_groups
    assert all(name.startswith("sentence ") for name in model.selected_groups_.names)


def test_every_estimator_gives_the_same_on_a_cluster(tmp_path, texts, cluster):
    builder, bag = SentenceGroups(), BagOfWords(cells="binary")
    source = write_parts(tmp_path / "in", texts, 3)
    far = partition_texts(source, tmp_path / "far", bag=bag, groups=builder, client=cluster)
    near = partition_texts(source, tmp_path / "near", bag=bag, groups=builder)
    for estimator in (GroupLassoClassifier(group=0.05, l1=0.5, tol=1e-9), GroupOMPClassifier(budget=6, tol=1e-9)):
        here, there = fit_partitions(estimator, near), fit_partitions(estimator, far)
        assert there.solution_.objective == pytest.approx(here.solution_.objective, rel=1e-9)
        np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-6)
