"""Scores of fitted models and the choice among them: metrics, `evaluate`, `tune`, `choose`, paired tests.

Everything here works on any estimator with ``fit`` and ``predict``; none is known by name.
"""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".calibration": "fit_calibration reliability Threshold choose_threshold",
        ".inference": "Interval bootstrap_interval Versus compare PairedTest holm mcnemar sign_test",
        ".metrics.evaluation": "ClassScores Evaluation evaluate evaluate_labels",
        ".metrics.scores": "METRICS higher_is_better score",
        ".resampling.stability_selection": "Stability stability",
        ".tuning.candidates": "Candidate",
        ".tuning.search": "choose Tuned tune",
    },
)
