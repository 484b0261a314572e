"""
The path of a pursuit
=====================

Orthogonal matching pursuit adds one word after another and refits all weights after each. The path of all steps is the
result: every budget up to the largest is there without another fit.
"""

import matplotlib.pyplot as plt

import laconic
from laconic import OMPClassifier
from laconic.text import BagOfWords

letters = laconic.data.demo()
bag = BagOfWords(cells="binary")
design = bag.fit(letters.train.texts)
model = OMPClassifier(budget=60, l2=0.1, refit="scaled").fit(design.X, letters.train.labels)
scores = model.path_.score(bag.transform(letters.dev.texts, design.vocabulary), letters.dev.labels)

# %%
# ``path_.parameters`` says what entered at every step. What do 10, 20 and 60 words give?

entered = [design.vocabulary.words[step["entered"][0]] for step in model.path_.parameters[1:]]
for budget in (10, 20, 60):
    print(f"{budget} words: accuracy {scores[model.path_.step_at(budget)]:.3f} on dev")

# %%
# The words in the order in which they entered, and the accuracy with each.

first = 30
figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
axes.plot(range(first + 1), scores[: first + 1], ".-", color="#1f6fb2")
axes.set_xticks(
    range(first + 1), ["(none)", *entered[:first]], rotation=60, ha="right", rotation_mode="anchor", fontsize=8
)
axes.set(xlabel="one more word at every step", ylabel="accuracy on dev", ylim=(0.2, 1.02))
axes.grid(alpha=0.3)
plt.show()
