"""
A tree of Brown clusters
========================

Brown clusters are a binary tree of words that stand in the same places. Each of its nodes is a group, nested in those
above it: a group lasso can drop a whole branch at once, and keeps a small cluster only inside larger ones
that are kept.
"""

import matplotlib.pyplot as plt
import numpy as np

import laconic
from laconic import BrownGroups, GroupLassoClassifier, TextClassifier
from laconic.groups import brown_clusters

letters = laconic.data.demo()
clusters = brown_clusters(letters.train.texts, 24).clusters()  # bits -> words, the most frequent first
model = TextClassifier(GroupLassoClassifier(group=2.5, l1=0.5), BrownGroups(clusters=24, weights="ones"))
model.fit(letters.train, letters.train.labels)
print(f"{model.n_words_} words, {model.selected_groups_}, gap {model.estimator_.dual_gap_:.1e}")

# %%
# The tree, from the root on the left to the clusters on the right. Branches without any weight are grey.

weight = dict(zip(model.vocabulary_.words, np.linalg.norm(model.estimator_.coef_, axis=0), strict=True))
places = {bits: row for row, bits in enumerate(sorted(clusters))}
alive = {bits: any(weight.get(word, 0) > 0 for word in words) for bits, words in clusters.items()}
figure, axes = plt.subplots(figsize=(6.6, 5.2), layout="constrained")


def draw(bits):
    """Draw what hangs below a node; return its row and whether any of its words is kept."""
    if bits in places:
        words = sorted(clusters[bits], key=lambda word: -weight.get(word, 0))[:4]
        axes.text(len(bits) + 0.2, places[bits], ", ".join(words), va="center", fontsize=7)
        return places[bits], alive[bits]
    children = [draw(bits + bit) for bit in "01"]
    row = sum(child for child, _ in children) / 2
    for child, kept in children:
        colour = "#1f6fb2" if kept else "#b5b5b5"
        axes.plot([len(bits), len(bits), len(bits) + 1], [row, child, child], color=colour)
    return row, any(kept for _, kept in children)


draw("")
axes.set_xlim(-0.3, max(map(len, clusters)) + 5)
axes.invert_yaxis()
axes.axis("off")
plt.show()
