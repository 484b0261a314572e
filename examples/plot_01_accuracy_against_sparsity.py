"""
Accuracy against sparsity
=========================

How many words does a model need? A path of lasso models goes from no word at all to hundreds, each started from the one
before, and is scored in one pass. Most of what there is to know is known with a few dozen words.
"""

import matplotlib.pyplot as plt

import laconic
from laconic.text import BagOfWords

letters = laconic.data.demo()
bag = BagOfWords(cells="binary")
design = bag.fit(letters.train.texts)
X_dev = bag.transform(letters.dev.texts, design.vocabulary)

# %%
# Thirty fits, each with a proof of its own: the relative duality gap of every point is below 1e-6.

path = laconic.elastic_net_path(design.X, letters.train.labels, n_points=30, smallest=0.01)
scores = path.score(X_dev, letters.dev.labels)
print(f"{len(path)} models of {path.sizes.min()} to {path.sizes.max()} words")
print(f"largest gap: {max(point.rest.relative_gap for point in path.points):.1e}")

# %%
# ``path.at(25)`` is the last model with at most 25 words. It can be read at a glance:

small = path.at(25)
print(", ".join(design.vocabulary.words[j] for j in small.support))

# %%

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
axes.plot(path.sizes, scores, "o-", color="#1f6fb2", markersize=4)
axes.axvline(len(small.support), color="#c4622d", linestyle="--", label=f"path.at(25): {len(small.support)} words")
axes.set(xlabel="words with a weight", ylabel="accuracy on dev", ylim=(0, 1.02))
axes.legend(loc="lower right")
plt.show()
