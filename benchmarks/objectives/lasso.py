"""Logistic regression with a lasso: l1 = λ, free intercept."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="lasso",
    title="Logistic regression with a lasso",
    intercept=True,
    many_classes=False,
    l1_share=1.0,
    l2_share=0.0,
)
