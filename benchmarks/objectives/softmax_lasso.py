"""Softmax regression with a lasso: l1 = λ per entry, free intercepts."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="softmax_lasso",
    title="Softmax regression with a lasso",
    intercept=True,
    many_classes=True,
    l1_share=1.0,
    l2_share=0.0,
)
