"""Logistic regression with a lasso, no intercept: l1 = λ; for peers that have no free intercept."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="lasso_no_intercept",
    title="Logistic regression with a lasso, no intercept",
    intercept=False,
    many_classes=False,
    l1_share=1.0,
    l2_share=0.0,
)
