"""A lasso written as groups of one word against the lasso itself: ratio of seconds at λ_max / (5, 20, 100)."""

import numpy as np

from benchmarks import datasets
from benchmarks.measure import alternate, summary

DIVISORS = (5, 20, 100)
RUNS = 9


def run() -> list[dict]:
    """Time both in alternating fits, one after a fit that may compile."""
    return [row for name in datasets.defaults(False) for row in race(datasets.get(name))]


def race(data: datasets.Data) -> list[dict]:
    """Race on one data set."""
    from laconic import ElasticNetClassifier, GroupLassoClassifier, Groups
    from laconic.linear import lambda_max

    X, y = data.X.tocsc(), data.y
    groups, top = Groups.singletons(X.shape[1]), lambda_max(X, y)
    rows = []
    for divisor in DIVISORS:
        level = top / divisor
        jobs = {
            "lasso": lambda level=level: ElasticNetClassifier(level, 0.0).fit(X, y),
            "groups": lambda level=level: GroupLassoClassifier(groups, level).fit(X, y),
        }
        for job in jobs.values():
            job()
        seconds = alternate(jobs, RUNS)
        pairs = zip(seconds["groups"], seconds["lasso"], strict=True)
        ratio, low, high = summary([one / other for one, other in pairs])
        rows.append(
            {
                "data": data.name,
                "λ_max /": divisor,
                "lasso s": float(np.median(seconds["lasso"])),
                "groups s": float(np.median(seconds["groups"])),
                "ratio": ratio,
                "interval": f"{low:.2f}-{high:.2f}",
            }
        )
    return rows
