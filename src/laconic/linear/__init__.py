"""Estimators over matrices, as scikit-learn knows them."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".elastic_net": "ElasticNetClassifier ElasticNetRegressor",
        ".group_lasso": "GroupLassoClassifier GroupLassoRegressor",
        ".paths": "elastic_net_path group_lasso_path lambda_max",
        ".pursuit": "GroupOMPClassifier GroupOMPRegressor OMPClassifier OMPRegressor",
    },
)
