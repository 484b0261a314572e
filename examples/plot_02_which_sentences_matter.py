"""
Which sentences matter
======================

Every sentence of the planted texts is a group of words; in each document two sentences tell the class and eight are
filler. A group lasso over the sentences keeps few words, and the influence of a sentence, the log-probability of the
label with it less that without it, finds the telling ones.
"""

import matplotlib.pyplot as plt
import numpy as np

import laconic
from laconic import GroupLassoClassifier, SentenceGroups, TextClassifier

made = laconic.data.planted(250, n_words=600, seed=3)
corpus = made.corpus
model = TextClassifier(GroupLassoClassifier(group=0.1, l1=0.5), SentenceGroups())
model.fit(corpus, corpus.labels)
print(f"{model.n_words_} of {model.n_vocabulary_} words, gap {model.estimator_.dual_gap_:.1e}")
print(model.selected_groups_)

# %%
# Do the words that were kept come from the planted clusters?

truth = set().union(*map(set, made.words.values()))
kept = [model.vocabulary_.words[j] for j in np.flatnonzero(model.estimator_.coef_[0])]
print(f"{sum(word in truth for word in kept)} of the {len(kept)} kept words were planted")

# %%
# The influence of each sentence of twelve documents; a ring marks the sentences that were planted.

figure, axes = plt.subplots(figsize=(6, 3.8), layout="constrained")
grid = np.array([model.influence(text) for text in corpus.texts[:12]])
most = np.abs(grid).max()
image = axes.imshow(grid, cmap="RdBu", vmin=-most, vmax=most)
for document, telling in enumerate(made.telling[:12]):
    axes.plot(telling, [document] * len(telling), "o", markersize=11, markerfacecolor="none", color="black")
axes.set(xlabel="sentence", ylabel="document", xticks=range(0, 10, 3), yticks=range(0, 12, 3))
figure.colorbar(image, label="influence on log P(label)")
plt.show()
