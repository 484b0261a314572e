"""Taggers and parsers over sentences: templates, features, learners and the estimators."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "ArcTemplate": ".arc_templates",
        "DependencyParser": ".dependency_parser",
        "SequenceTagger": ".sequence_tagger",
        "Template": ".templates",
        "arc_sets": ".arc_sets",
        "parse_arc_template": ".arc_templates",
        "parse_template": ".templates",
        "resolve_arcs": ".arc_sets",
        "resolve_templates": ".named_sets",
        "template_sets": ".named_sets",
    },
)
