"""
Topics kept and dropped
=======================

Topics of a latent Dirichlet allocation become groups of words, and a group lasso decides which of them the classes
need. A topic that is dropped takes all its words along, unless another topic that stays holds them too.
"""

import matplotlib.pyplot as plt
import numpy as np

import laconic
from laconic import GroupLassoClassifier, LDAGroups, TextClassifier

letters = laconic.data.demo()
topics = LDAGroups(topics=20, size=8, iterations=10, engine="sklearn")  # engine="tomotopy" is faster on real corpora
model = TextClassifier(GroupLassoClassifier(group=0.4, l1=0.4), topics, max_df=0.3, min_df=3)
model.fit(letters.train, letters.train.labels)
print(f"test accuracy {model.score(letters.test.texts, letters.test.labels):.3f} with {model.n_words_} words")
print(model.selected_groups_)

# %%
# The norm of each topic, for all classes together; what was dropped has none.

groups = model.estimator_.groups_
norms = np.zeros(len(groups))
norms[model.selected_groups_.indices] = model.selected_groups_.norms
order = np.argsort(norms, kind="stable")
figure, axes = plt.subplots(figsize=(6.4, 4.6), layout="constrained")
colours = np.where(norms[order] > 0, "#1f6fb2", "#c4622d")
axes.barh(range(len(groups)), norms[order] + 0.005, color=colours)
axes.set_yticks(range(len(groups)), [groups.names[g] for g in order], fontsize=7)
axes.set(xlabel="norm of the topic's weights (orange: dropped)")
plt.show()
