"""laconic: text models that say more with fewer words.

Linear models for text whose weights are chosen by structured sparsity, solved to a proven accuracy, small enough to be
read. Public names are imported when first used; ``import laconic`` itself costs next to nothing.
"""

from laconic._lazy import attach

__version__ = "0.1.0"

_get, __dir__, _names = attach(
    __name__,
    {
        "BrownGroups": ".groups",
        "ConstituentGroups": ".groups",
        "Corpus": ".data",
        "DependencyParser": ".structured",
        "Edits": ".core",
        "ElasticNetClassifier": ".linear",
        "ElasticNetRegressor": ".linear",
        "EmbeddingGroups": ".groups",
        "GroupLassoClassifier": ".linear",
        "GroupLassoRegressor": ".linear",
        "GivenGroups": ".groups",
        "GroupOMPClassifier": ".linear",
        "GroupOMPRegressor": ".linear",
        "Groups": ".core",
        "LDAGroups": ".groups",
        "LSIGroups": ".groups",
        "MultilabelTextClassifier": ".models",
        "NgramGroups": ".groups",
        "OMPClassifier": ".linear",
        "OMPRegressor": ".linear",
        "Path": ".core",
        "PursuitGroups": ".groups",
        "SentenceGroups": ".groups",
        "GroupFeatures": ".models",
        "SequenceTagger": ".structured",
        "Solution": ".core",
        "TableClassifier": ".models",
        "TextClassifier": ".models",
        "WordGraphGroups": ".groups",
        "elastic_net_path": ".linear",
        "group_lasso_path": ".linear",
        "load": ".models",
        "stability": ".evaluate",
        "summarize": ".report",
        "tune": ".evaluate",
    },
)
__all__ = ["__version__", "data", *_names]


def __getattr__(name: str) -> object:
    if name == "data":
        from importlib import import_module

        return import_module("laconic.data")
    return _get(name)
