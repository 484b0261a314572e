"""Estimators over matrices, as scikit-learn knows them."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ElasticNetClassifier": ".elastic_net",
        "ElasticNetRegressor": ".elastic_net",
        "GroupLassoClassifier": ".group_lasso",
        "GroupLassoRegressor": ".group_lasso",
        "GroupOMPClassifier": ".pursuit",
        "GroupOMPRegressor": ".pursuit",
        "OMPClassifier": ".pursuit",
        "OMPRegressor": ".pursuit",
        "elastic_net_path": ".paths",
        "group_lasso_path": ".paths",
        "lambda_max": ".paths",
    },
)
