"""
From pandas to page
===================

A DataFrame in, one HTML file out. The file holds the model and runs it: open it without a network, type a text, and it
is scored as in Python.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import laconic
from laconic.report import write_page

letters = laconic.data.demo()
frame = pd.DataFrame({"body": letters.train.texts, "kind": letters.train.labels})
print(frame.head(3).to_string(max_colwidth=50))

# %%
# ``laconic.data.read`` takes frames, files and folders; the columns are named, or guessed.

corpus = laconic.data.read(frame, text_col="body", label_col="kind")
model = laconic.TextClassifier(laconic.ElasticNetClassifier(l1=1.0, l2=0.0))
model.fit(corpus.texts, corpus.labels)

page = Path(tempfile.mkdtemp()) / "letters.html"
write_page(laconic.summarize(model, letters.test, title="Letters to the town"), page)
print(f"{page.name}: {page.stat().st_size // 1024} kB, nothing else is needed")

# %%
# What the page says about one letter, as a table: each word that the model knows, and what it adds to the margin.

why = model.explain(letters.test.texts[4])
output = why.outputs.index(why.label)
table = pd.DataFrame(
    {"word": [one.word for one in why.words], "pull": [one.contributions[output] for one in why.words]}
)
print(f"{why.label} with probability {why.probability:.2f}")

# %%

table = table[table["pull"] != 0].iloc[::-1]
figure, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
axes.barh(table["word"], table["pull"], color=["#1f6fb2" if pull > 0 else "#c4622d" for pull in table["pull"]])
axes.axvline(0, color="grey", linewidth=0.8)
axes.set(xlabel=f"what each word adds to the margin of “{why.label}”")
plt.show()
