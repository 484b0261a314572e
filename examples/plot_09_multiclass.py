"""
Several classes at once
=======================

With more than two classes a model is a softmax, not a bundle of one-against-the-rest models: probabilities sum to one
by construction, and one certificate covers all classes. A group then holds the weights of its words for all classes, so
``groups=None`` keeps or drops whole words.
"""

import matplotlib.pyplot as plt
import numpy as np

import laconic
from laconic import ElasticNetClassifier, GroupLassoClassifier, TextClassifier

letters = laconic.data.demo()
models = {
    "lasso: single weights": ElasticNetClassifier(l1=1.2, l2=0.0),
    "group lasso: whole words": GroupLassoClassifier(group=1.5),
}
fitted = {}
for name, estimator in models.items():
    model = TextClassifier(estimator).fit(letters.train.texts, letters.train.labels)
    weights = np.count_nonzero(model.estimator_.coef_)
    print(
        f"{name}: test accuracy {model.score(letters.test.texts, letters.test.labels):.3f}, {model.n_words_} words, "
        f"{weights} weights, gap {model.estimator_.dual_gap_:.1e}"
    )
    fitted[name] = model

# %%
# The strongest words of both, one column a class.

figure, both = plt.subplots(1, 2, figsize=(7, 4.6), layout="constrained")
for axes, (name, model) in zip(both, fitted.items(), strict=True):
    coef = model.estimator_.coef_
    top = np.argsort(-np.linalg.norm(coef, axis=0))[:18]
    most = np.abs(coef).max()
    image = axes.imshow(coef[:, top].T, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
    axes.set_yticks(range(len(top)), [model.vocabulary_.words[j] for j in top], fontsize=7)
    axes.set_xticks(range(len(model.classes_)), model.classes_, rotation=20)
    axes.set_title(name, fontsize=9)
figure.colorbar(image, ax=both, label="weight")
plt.show()
