"""Estimators over matrices, as scikit-learn knows them."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ElasticNetClassifier": ".elastic_net",
        "ElasticNetRegressor": ".elastic_net",
        "elastic_net_path": ".paths",
        "lambda_max": ".paths",
    },
)
