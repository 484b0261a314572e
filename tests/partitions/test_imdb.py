"""A part of IMDB: every estimator gives on partitions what it gives in memory."""

import os

import numpy as np
import pytest

from laconic import data
from laconic.groups import SentenceGroups
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier, GroupOMPClassifier, OMPClassifier
from laconic.partitions import fit_partitions, partition_texts
from laconic.text import BagOfWords
from tests.partitions.conftest import same, write_parts

pytestmark = pytest.mark.skipif("LACONIC_DATA" not in os.environ, reason="LACONIC_DATA names no folder of data")

PENALISED = (
    ElasticNetClassifier(l1=3.0, l2=0.0, tol=1e-9),
    ElasticNetClassifier(l1=2.0, l2=0.5, tol=1e-9),
    # One word weighs 1e-6 at the optimum: to tell on which side, gaps must be smaller than elsewhere.
    GroupLassoClassifier(group=0.02, l1=3.0, tol=1e-11),
)
PURSUITS = (OMPClassifier(budget=8, tol=1e-10), GroupOMPClassifier(budget=12, members="paying", tol=1e-10))


@pytest.fixture(scope="module")
def reviews():
    train = data.load("imdb").train
    return train.subset(np.random.default_rng(0).choice(len(train), 600, replace=False))


@pytest.mark.parametrize("parts", [1, 2, 4, 7])
def test_a_part_of_imdb_gives_the_same_models(tmp_path, reviews, cluster, parts):
    builder, bag = SentenceGroups(), BagOfWords(cells="binary", min_df=3)
    source = write_parts(tmp_path / "in", reviews, parts)
    client = cluster if parts in (2, 7) else None
    corpus = partition_texts(source, tmp_path / "blocks", bag=bag, groups=builder, client=client)
    design, y = bag.fit(reviews.texts), list(reviews.labels)
    groups = builder.build(reviews, design.vocabulary)
    for estimator in (*PENALISED, *PURSUITS):
        model = fit_partitions(estimator, corpus)
        if "groups" in estimator.get_params():
            estimator = estimator.set_params(groups=groups)
        reference = estimator.fit(design.X, y)
        if estimator in PENALISED:
            same(model, reference)
        else:
            assert model.solution_.order == reference.solution_.order
            assert model.solution_.objective == pytest.approx(reference.solution_.objective, rel=1e-8)
        if "groups" in estimator.get_params():
            estimator.set_params(groups=None)
