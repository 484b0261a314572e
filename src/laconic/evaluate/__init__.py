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
        "Stability": ".resampling",
        "Threshold": ".thresholds",
        "Tuned": ".tuning",
        "Versus": ".versus",
        "bootstrap_interval": ".intervals",
        "choose": ".choosing",
        "choose_threshold": ".thresholds",
        "compare": ".versus",
        "evaluate": ".evaluation",
        "evaluate_labels": ".several",
        "fit_calibration": ".calibrating",
        "higher_is_better": ".metrics",
        "holm": ".paired",
        "mcnemar": ".paired",
        "score": ".metrics",
        "reliability": ".reliable",
        "sign_test": ".paired",
        "stability": ".resampling",
        "tune": ".tuning",
    },
)
