"""What groups are for: with few documents, true groups tell more than single words do."""

import numpy as np
from sklearn.metrics import accuracy_score

from laconic.core.groups import Groups
from laconic.data import planted
from laconic.linear import ElasticNetClassifier, GroupLassoClassifier
from laconic.text import BagOfWords

TRAIN, DEV, TEST = 40, 200, 400
STRENGTHS = np.geomspace(3.0, 0.03, 8)


def best_on_dev(models, X, y):
    """Test accuracy of the model that is best on dev, the sparser one of equals."""
    dev, test = slice(TRAIN, TRAIN + DEV), slice(TRAIN + DEV, None)
    chosen = max(models, key=lambda model: accuracy_score(y[dev], model.predict(X[dev])))
    return accuracy_score(y[test], chosen.predict(X[test]))


def test_group_lasso_with_true_groups_beats_lasso_over_seeds():
    gains = []
    for seed in range(8):
        truth = planted(TRAIN + DEV + TEST, n_words=400, telling=2, clusters_per_class=1, cluster_words=25, seed=seed)
        design = BagOfWords(cells="binary").fit(truth.corpus.texts)
        X, y, index = design.X, np.array(truth.corpus.labels), design.vocabulary.index
        clusters = [[index[word] for word in own if word in index] for own in truth.clusters]
        known = {j for own in clusters for j in own}
        groups = Groups.from_lists([*clusters, *([j] for j in range(X.shape[1]) if j not in known)], X.shape[1])
        fitted = slice(0, TRAIN)
        lasso = ElasticNetClassifier().fit_grid(X[fitted], y[fitted], [{"l1": s, "l2": 0.0} for s in STRENGTHS])
        grouped = GroupLassoClassifier(groups, l1=0.0).fit_grid(X[fitted], y[fitted], [{"group": s} for s in STRENGTHS])
        gains.append(best_on_dev(grouped, X, y) - best_on_dev(lasso, X, y))
    assert np.mean(gains) > 3 * np.std(gains, ddof=1) / np.sqrt(len(gains))
    assert np.mean(gains) > 0.02
