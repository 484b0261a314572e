"""A model that knows its senders: ban their names and hosts, fit again, and see what it knows about the subject.

With their headers kept, newsgroup articles are easy to tell apart by who wrote them and from where. Needs LACONIC_DATA.
"""

import os
import re

import laconic
from laconic.models import Recipe, diff_models, edit_text, fit_text

if "LACONIC_DATA" not in os.environ:
    raise SystemExit(print("Set LACONIC_DATA to the folder of the data sets (see: laconic data list)."))

news = laconic.data.load("20ng/science")
made = fit_text(news.train, dev=news.dev, recipe=Recipe(methods=("lasso",)))
before = made.model.to_scorer()
before.info["extra"] = made.config

# Names and hosts: the words of the lines that say who wrote an article, and from which machine.
header = re.compile(r"^(?:From|Reply-To|NNTP-Posting-Host):(.*)$", re.IGNORECASE | re.MULTILINE)
features = made.model.bag_of_words().analyzer.features
senders = {word for text in news.train.texts for line in header.findall(text) for word in features(line)}
edits = laconic.Edits(ban=senders, skip_unknown=True)
after = edit_text(before, news.train, edits)

for name, model in (("before", before), ("after", after.model.to_scorer())):
    right = (model.predict(news.test.texts) == news.test.labels).mean()
    words, weights = model.model.words, model.model.weights[:, 0]
    top = sorted(zip(abs(weights), words, weights, strict=True), reverse=True)[:15]
    print(f"{name}: test accuracy {right:.3f}, {len(words)} words, {len(senders & set(words))} of them senders'")
    print("   " + ", ".join(f"{word} {weight:+.2f}" for _, word, weight in top))

diff = diff_models(before, after.model.to_scorer(), news.test.texts, news.test.ids, news.test.labels)
right = sum(one.after == one.truth for one in diff.documents)
print(f"{len(senders):,} words banned; gap {after.model.estimator_.dual_gap_:.0e}, fitted in {after.fit_seconds:.2f} s")
print(f"{len(diff.documents)} of {diff.n_documents} labels changed, {right} of them for the better")
