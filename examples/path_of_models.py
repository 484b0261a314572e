"""How accuracy grows with the number of words: a path of lasso models, scored in one pass."""

import laconic
from laconic.text import BagOfWords

letters = laconic.data.demo()
bag = BagOfWords(cells="binary")
design = bag.fit(letters.train.texts)
path = laconic.elastic_net_path(design.X, letters.train.labels, n_points=15, smallest=0.02)

scores = path.score(bag.transform(letters.dev.texts, design.vocabulary), letters.dev.labels)
for words, score in zip(path.sizes, scores, strict=True):
    print(f"{words:4d} words  {score:.3f}  {'#' * round(40 * score)}")

small = path.at(20)
names = [design.vocabulary.words[j] for j in small.support]
print(f"with at most 20 words: {', '.join(names)}")
