"""Logistic regression with an elastic net: l1 = λ/2, l2 = λ/4, free intercept."""

from benchmarks.objectives._objective import Objective

OBJECTIVE = Objective(
    name="elastic_net",
    title="Logistic regression with an elastic net",
    intercept=True,
    many_classes=False,
    l1_share=0.5,
    l2_share=0.25,
)
