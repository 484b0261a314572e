"""Scores of fitted models and the choice among them: metrics, `evaluate`, `tune`, `choose`, paired tests.

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
        "Interval": ".intervals",
        "PairedTest": ".paired",
        "Tuned": ".tuning",
        "Versus": ".versus",
        "bootstrap_interval": ".intervals",
        "choose": ".choosing",
        "compare": ".versus",
        "evaluate": ".evaluation",
        "higher_is_better": ".metrics",
        "holm": ".paired",
        "mcnemar": ".paired",
        "score": ".metrics",
        "sign_test": ".paired",
        "tune": ".tuning",
    },
)
