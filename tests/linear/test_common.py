"""scikit-learn's own checks on every matrix estimator, none disabled."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from laconic.linear import ElasticNetClassifier, ElasticNetRegressor

# The checks compare weighted with repeated documents to 1e-7 in the margins: that needs a tighter gap than the default.
ESTIMATORS = [
    ElasticNetClassifier(tol=1e-14),
    ElasticNetClassifier(l1=0.1, l2=0.1, tol=1e-13),
    ElasticNetClassifier(l1=0.1, l2=0.0, tol=1e-13),
    ElasticNetClassifier(loss="squared_hinge", tol=1e-13),
    ElasticNetRegressor(tol=1e-13),
    ElasticNetRegressor(l1=0.1, l2=0.1, tol=1e-13),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS)
def test_estimator_checks(estimator, check):
    check(estimator)
