"""
Templates of a tagger
=====================

A tagger looks at the words and parts of speech around a token through templates. Given 96 of them and a budget, online
proximal steps keep a few; the model is learned again on these alone. Here the sentences come from a toy grammar whose
parts of speech are wrong now and then, so that words are worth a look too.
"""

import matplotlib.pyplot as plt
import numpy as np

from laconic import SequenceTagger

rng = np.random.default_rng(0)
WORDS = {
    "DT": ["the", "a", "this", "every"],
    "JJ": ["old", "green", "broken", "kind", "quiet"],
    "NN": ["lamp", "bridge", "letter", "mayor", "garden", "office"],
    "VB": ["sees", "mends", "paints", "finds"],
    "IN": ["near", "behind", "on"],
}


def phrase():
    """Make a noun phrase: an article perhaps, adjectives, a noun."""
    pos = ["DT"] * int(rng.random() < 0.7) + ["JJ"] * int(rng.integers(0, 3)) + ["NN"]
    return pos, ["B-NP"] + ["I-NP"] * (len(pos) - 1)


def sentence():
    """Make a sentence with its parts of speech and its chunks."""
    pos, tags = phrase()
    for head, tag in [("VB", "B-VP"), ("IN", "B-PP")][: 1 + int(rng.random() < 0.5)]:
        more, chunk = phrase()
        pos, tags = [*pos, head, *more], [*tags, tag, *chunk]
    words = [str(rng.choice(WORDS[one])) for one in pos]
    seen = [one if rng.random() < 0.85 else str(rng.choice(list(WORDS))) for one in pos]  # a poor part-of-speech tagger
    return {"word": words, "pos": seen}, tags


made = [sentence() for _ in range(400)]
X, y = [one for one, _ in made], [tags for _, tags in made]
train, test = slice(0, 300), slice(300, 400)

# %%
# All 96 templates of the chunking set against budgets of 1 to 8.

scores = {}
for budget in (1, 2, 3, 5, 8):
    tagger = SequenceTagger("chunking", budget=budget, every=100, passes=3, selection_passes=3).fit(X[train], y[train])
    scores[budget] = tagger.score(X[test], y[test])
    print(f"budget {budget}: F1 {scores[budget]:.3f} with {', '.join(tagger.templates_)}")

# %%

figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.4), layout="constrained")
left.plot(list(scores), list(scores.values()), "o-", color="#1f6fb2")
left.set(xlabel="templates", ylabel="span F1 on new sentences")
strongest = list(tagger.strengths_.items())[:8][::-1]
right.barh([name for name, _ in strongest], [strength for _, strength in strongest], color="#1f6fb2")
right.set(xlabel="strength in the selection")
plt.show()
