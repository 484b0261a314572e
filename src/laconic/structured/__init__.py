"""Taggers over sentences: templates, features, learners and the estimator."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "SequenceTagger": ".sequence_tagger",
        "Template": ".templates",
        "parse_template": ".templates",
        "resolve_templates": ".named_sets",
        "template_sets": ".named_sets",
    },
)
