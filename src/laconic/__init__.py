"""laconic: text models that say more with fewer words.

Linear models for text whose weights are chosen by structured sparsity, solved to a proven accuracy, small enough to be
read. Public names are imported when first used; ``import laconic`` itself costs next to nothing.
"""

from laconic._lazy import attach

__version__ = "0.1.0"

_get, __dir__, _names = attach(
    __name__,
    {
        ".core": "Edits Groups Path Solution",
        ".data": "Corpus",
        ".evaluate": "stability tune",
        ".groups": (
            "BrownGroups ConstituentGroups EmbeddingGroups GivenGroups LDAGroups LSIGroups NgramGroups "
            "PursuitGroups SentenceGroups WordGraphGroups"
        ),
        ".linear": (
            "ElasticNetClassifier ElasticNetRegressor GroupLassoClassifier GroupLassoRegressor "
            "GroupOMPClassifier GroupOMPRegressor OMPClassifier OMPRegressor elastic_net_path group_lasso_path"
        ),
        ".models": "GroupFeatures MultilabelTextClassifier TableClassifier TextClassifier load",
        ".report": "summarize",
        ".structured": "DependencyParser SequenceTagger",
    },
)
__all__ = ["__version__", "data", *_names]


def __getattr__(name: str) -> object:
    if name == "data":
        from importlib import import_module

        return import_module("laconic.data")
    return _get(name)
