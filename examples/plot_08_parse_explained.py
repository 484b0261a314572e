"""
A parse explained
=================

A dependency parser gives every word its head. ``explain`` says for each word which other head came second, and which
features told the two apart. The sentences here come from a toy grammar in which phrases with "with" hang on the noun
before them, all others on the verb.
"""

import matplotlib.pyplot as plt
import numpy as np

from laconic import DependencyParser

rng = np.random.default_rng(0)
WORDS = {
    "DET": ["the", "a"],
    "ADJ": ["old", "green", "broken"],
    "NOUN": ["lamp", "bridge", "mayor", "garden", "crew", "bench"],
    "VERB": ["mends", "sees", "paints"],
    "ADP": ["near", "behind", "with"],
}
INNER = {"ADP": "case", "DET": "det", "ADJ": "amod"}


def sentence():
    """Make one sentence and its tree: a head, counted from 1, and a relation for every word."""
    words, tags, tree = [], [], []

    def add(tag, head, relation):
        words.append(str(rng.choice(WORDS[tag])))
        tags.append(tag)
        tree.append((head, relation))

    def phrase(before, head, relation):
        inner = [*before, "DET", *["ADJ"] * int(rng.integers(0, 2))]
        noun = len(words) + len(inner) + 1
        for tag in inner:
            add(tag, noun, INNER[tag])
        add("NOUN", head, relation)
        return noun

    subject = phrase([], None, "nsubj")
    add("VERB", 0, "root")
    tree[subject - 1] = subject + 1, "nsubj"
    thing = phrase([], subject + 1, "obj")
    last = phrase(["ADP"], subject + 1, "obl")
    if words[thing] == "with":
        tree[last - 1] = thing, "nmod"
    return {"word": words, "pos": tags}, tree


X, trees = zip(*(sentence() for _ in range(200)), strict=True)
parser = DependencyParser("small", passes=3).fit(X[:150], trees[:150])
print(f"{parser.score(X[150:], trees[150:]):.3f} of the words of new sentences get the right head")

# %%
# One sentence, its tree, and why its last noun hangs where it hangs.

why = parser.explain(X[150])
last = why[-1]
print(f"{last.token}: {last.head_token} rather than {last.runner_up_token}, by {last.margin:.2f}")
figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 5), height_ratios=(3, 2))
half = np.linspace(0, np.pi, 50)
for place, arc in enumerate(why, start=1):
    top.text(place, -0.15, arc.token, ha="center", va="top")
    if arc.head:
        middle, radius = (place + arc.head) / 2, abs(place - arc.head) / 2
        top.plot(middle - radius * np.cos(half), radius * np.sin(half), color="#1f6fb2")
        top.text(middle, radius, arc.relation, ha="center", va="bottom", fontsize=8)
        top.plot(place, 0.08, "v", color="#1f6fb2")
top.set(xlim=(0.4, len(why) + 0.6), ylim=(-0.8, 4))
top.axis("off")
reasons = last.reasons[:5][::-1]
bottom.barh([one.template for one in reasons], [one.weight - one.against for one in reasons], color="#1f6fb2")
bottom.tick_params(axis="y", labelsize=7)
bottom.set_xlabel(f"why {last.token} hangs on {last.head_token} rather than on {last.runner_up_token}")
figure.subplots_adjust(left=0.36, right=0.97, top=0.98, bottom=0.12)
top.set_position([0.03, 0.45, 0.94, 0.53])
plt.show()
