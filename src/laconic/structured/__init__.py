"""Taggers and parsers over sentences: templates, features, learners and the estimators."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ArcTemplate": ".parsing.templates",
        "DependencyParser": ".parsing.estimator",
        "SequenceTagger": ".tagging.estimator",
        "Template": ".templates.language",
        "arc_sets": ".parsing.named_sets",
        "parse_arc_template": ".parsing.templates",
        "parse_template": ".templates.language",
        "resolve_arcs": ".parsing.named_sets",
        "resolve_templates": ".tagging.named_sets",
        "template_sets": ".tagging.named_sets",
    },
)
