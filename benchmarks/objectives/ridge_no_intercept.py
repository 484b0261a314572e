"""Logistic regression with a ridge, no intercept: l2 = λ/2; for peers that have no free intercept."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="ridge_no_intercept",
    title="Logistic regression with a ridge, no intercept",
    intercept=False,
    many_classes=False,
    l1_share=0.0,
    l2_share=0.5,
)
