"""
A certificate against iterations
================================

A solver returns two numbers: the objective P that it reached and a bound D that no weights whatever can go below. Where
they meet the answer is proven. This is the whole stopping rule: (P − D)/P at most ``tol``.
"""

import matplotlib.pyplot as plt
import numpy as np

import laconic
from laconic import ElasticNetClassifier, GroupLassoClassifier, SentenceGroups
from laconic.text import BagOfWords

made = laconic.data.planted(300, n_words=800, seed=1)
design = BagOfWords().fit(made.corpus.texts)
sentences = SentenceGroups().build(made.corpus, design.vocabulary)
fits = {
    "lasso": ElasticNetClassifier(l1=0.5, l2=0.0, tol=1e-10),
    "elastic net": ElasticNetClassifier(l1=0.25, l2=0.1, tol=1e-10),
    f"{len(sentences):,} sentences": GroupLassoClassifier(sentences, group=0.05, l1=0.2, tol=1e-10),
}
for name, model in fits.items():
    model.fit(design.X, made.corpus.labels)
    print(f"{name}: {model.n_iter_} steps, gap {model.dual_gap_:.1e}")

# %%
# On the left objective and bound of the lasso close in on each other; on the right the relative gap of all three.

figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.4), layout="constrained")
trace = fits["lasso"].solution_.trace
bounds = np.maximum.accumulate([step.dual_objective for step in trace])
left.plot([step.objective for step in trace], "o-", color="#1f6fb2", markersize=4, label="objective P")
left.plot(bounds, "o-", color="#c4622d", markersize=4, label="proven bound D")
left.set(xlabel="step", title="lasso")
left.legend()
for name, model in fits.items():
    trace = model.solution_.trace
    bounds = np.maximum.accumulate([step.dual_objective for step in trace])
    gaps = [(step.objective - bound) / step.objective for step, bound in zip(trace, bounds, strict=True)]
    right.semilogy(np.maximum(gaps, 1e-14), "o-", markersize=4, label=name)
right.set(xlabel="step", title="relative gap")
right.legend()
plt.show()
