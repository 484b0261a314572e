"""Logistic regression with a ridge: l2 = λ/2, free intercept."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="ridge",
    title="Logistic regression with a ridge",
    intercept=True,
    many_classes=False,
    l1_share=0.0,
    l2_share=0.5,
)
