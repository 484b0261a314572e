"""From raw texts to a model small enough to be read, in a few lines."""

import laconic

letters = laconic.data.demo()
model = laconic.TextClassifier(laconic.ElasticNetClassifier(l1=1.0, l2=0.0))
model.fit(letters.train.texts, letters.train.labels)

print(f"test accuracy {model.score(letters.test.texts, letters.test.labels):.3f} with {model.n_words_} words")
print(f"proven to within {model.estimator_.dual_gap_:.1e} of the optimum")

model.save("letters.laconic")
scorer = laconic.load("letters.laconic")
print(scorer.predict(["The lamp by the bridge is broken and the switch box hangs loose."]))
