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
    verb = len(words)
    tree[subject - 1] = verb, "nsubj"
    thing = phrase([], verb, "obj")
    last = phrase(["ADP"], verb, "obl")
    if words[thing] == "with":
        tree[last - 1] = thing, "nmod"
    return {"word": words, "pos": tags}, tree


made = [sentence() for _ in range(200)]
parser = DependencyParser("small", passes=3).fit([one for one, _ in made[:150]], [tree for _, tree in made[:150]])
X_test, trees = [one for one, _ in made[150:]], [tree for _, tree in made[150:]]
print(f"{parser.score(X_test, trees):.3f} of the words of new sentences get the right head")

# %%
# One sentence, its tree, and why its last noun hangs where it hangs.

why = parser.explain(X_test[0])
last = why[-1]
print(f"{last.token}: {last.head_token} rather than {last.runner_up_token}, by {last.margin:.2f}")
figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 5.4), layout="constrained", height_ratios=(3, 2))
for place, arc in enumerate(why, start=1):
    top.text(place, 0, arc.token, ha="center", va="top")
    if arc.head:
        style = {
            "arrowstyle": "<|-",
            "connectionstyle": f"arc3,rad={0.45 if place > arc.head else -0.45}",
            "color": "#1f6fb2",
        }
        top.annotate("", (place, 0.05), (arc.head, 0.05), arrowprops=style)
top.set(xlim=(0.4, len(why) + 0.6), ylim=(-0.3, 2.2))
top.axis("off")
reasons = last.reasons[:6][::-1]
bottom.barh([one.template for one in reasons], [one.weight - one.against for one in reasons], color="#1f6fb2")
bottom.set(xlabel=f"for “{last.head_token}” rather than “{last.runner_up_token}” as the head of “{last.token}”")
plt.show()
