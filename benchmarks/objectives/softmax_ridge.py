"""Softmax regression with a ridge: l2 = λ/2, free intercepts."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="softmax_ridge",
    title="Softmax regression with a ridge",
    intercept=True,
    many_classes=True,
    l1_share=0.0,
    l2_share=0.5,
)
