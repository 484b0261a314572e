"""Scores of fitted models and the choice among them: metrics, `evaluate`, `tune`, `choose`.

Everything here works on any estimator with ``fit`` and ``predict``; none is known by name.
"""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "METRICS": ".metrics",
        "Candidate": ".candidates",
        "ClassScores": ".evaluation",
        "Evaluation": ".evaluation",
        "Tuned": ".tuning",
        "choose": ".choosing",
        "evaluate": ".evaluation",
        "higher_is_better": ".metrics",
        "score": ".metrics",
        "tune": ".tuning",
    },
)
