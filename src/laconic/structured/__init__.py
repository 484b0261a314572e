"""Taggers and parsers over sentences: templates, features, learners and the estimators."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".parsing.estimator": "DependencyParser",
        ".parsing.named_sets": "arc_sets resolve_arcs",
        ".parsing.templates": "ArcTemplate parse_arc_template",
        ".tagging.estimator": "SequenceTagger",
        ".tagging.named_sets": "resolve_templates template_sets",
        ".templates.language": "Template parse_template",
    },
)
