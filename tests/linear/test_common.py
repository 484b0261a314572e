"""scikit-learn's own checks on every matrix estimator, none disabled."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from laconic.linear import (
    ElasticNetClassifier,
    ElasticNetRegressor,
    GroupLassoClassifier,
    GroupLassoRegressor,
    GroupOMPClassifier,
    GroupOMPRegressor,
    OMPClassifier,
    OMPRegressor,
)

# The checks compare weighted with repeated documents to 1e-7 in the margins: that needs a tighter gap than the default.
ESTIMATORS = [
    ElasticNetClassifier(tol=1e-14),
    ElasticNetClassifier(l1=0.1, l2=0.1, tol=1e-13),
    ElasticNetClassifier(l1=0.1, l2=0.0, tol=1e-13),
    ElasticNetClassifier(loss="squared_hinge", tol=1e-13),
    ElasticNetClassifier(l1=0.1, l2=0.1, refit_support=True, tol=1e-13),
    ElasticNetRegressor(tol=1e-13),
    ElasticNetRegressor(l1=0.1, l2=0.1, tol=1e-13),
    GroupLassoClassifier(group=0.1, l1=0.1, l2=0.1, tol=1e-15),
    GroupLassoClassifier(group=0.1, l2=0.1, solver="tree", tol=1e-13),
    GroupLassoClassifier(group=0.1, l2=0.1, solver="admm", rounds=20, change=0.0, inner_steps=5),
    GroupLassoRegressor(group=0.1, l2=0.1, solver="blocks", tol=1e-13),
    GroupLassoRegressor(group=0.1, l2=0.1, solver="overlapping", tol=1e-13),
    OMPClassifier(budget=5, tol=1e-14),
    OMPRegressor(budget=5, tol=1e-14),
    GroupOMPClassifier(budget=5, tol=1e-14),
    GroupOMPRegressor(budget=5, criterion="projection", tol=1e-14),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS)
def test_estimator_checks(estimator, check):
    check(estimator)
