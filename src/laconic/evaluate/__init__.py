"""Scores of fitted models and the choice among them: metrics, `evaluate`, `tune`, `choose`, paired tests.

Everything here works on any estimator with ``fit`` and ``predict``; none is known by name.
"""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "METRICS": ".metrics.scores",
        "Candidate": ".tuning.candidates",
        "ClassScores": ".metrics.evaluation",
        "Evaluation": ".metrics.evaluation",
        "Interval": ".inference.intervals",
        "PairedTest": ".inference.paired",
        "Stability": ".resampling.stability_selection",
        "Threshold": ".calibration.thresholds",
        "Tuned": ".tuning.search",
        "Versus": ".inference.model_comparison",
        "bootstrap_interval": ".inference.intervals",
        "choose": ".tuning.choice",
        "choose_threshold": ".calibration.thresholds",
        "compare": ".inference.model_comparison",
        "evaluate": ".metrics.evaluation",
        "evaluate_labels": ".metrics.multilabel",
        "fit_calibration": ".calibration.calibrators",
        "higher_is_better": ".metrics.scores",
        "holm": ".inference.paired",
        "mcnemar": ".inference.paired",
        "score": ".metrics.scores",
        "reliability": ".calibration.reliability",
        "sign_test": ".inference.paired",
        "stability": ".resampling.stability_selection",
        "tune": ".tuning.search",
    },
)
