"""Logistic regression with a group lasso: λ Σ_g √10·‖w_g‖ over groups of ten neighbouring words, free intercept."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="group_lasso",
    title="Logistic regression with a group lasso",
    intercept=True,
    many_classes=False,
    l1_share=1.0,
    l2_share=0.0,
    group_size=10,
)
