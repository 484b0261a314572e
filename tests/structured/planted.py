"""Planted sentences: what a word is depends on the word and on the one before."""

import numpy as np

from laconic.data.annotated.sentences import Sentences

NOUNS = ["lamp", "river", "house", "letter", "song"]
VERBS = ["sees", "takes", "holds", "likes"]


def planted_sentences(n, seed=0):
    """Noun phrases and verb phrases; a determiner, or a bare capitalised noun, begins a phrase."""
    rng = np.random.default_rng(seed)
    words, pos, tags, lengths = [], [], [], []
    for _ in range(n):
        start = len(words)
        for _ in range(rng.integers(1, 4)):
            if rng.random() < 0.7:
                words.append(str(rng.choice(["the", "a"])))
                pos.append("DT")
                tags.append("B-NP")
                if rng.random() < 0.5:
                    words.append(str(rng.choice(["old", "small"])))
                    pos.append("JJ")
                    tags.append("I-NP")
                words.append(str(rng.choice(NOUNS)))
                pos.append("NN")
                tags.append("I-NP")
            else:
                words.append(str(rng.choice(["Anna", "Berlin"])))
                pos.append("NNP")
                tags.append("B-NP")
            words.append(str(rng.choice(VERBS)))
            pos.append("VB")
            tags.append("B-VP")
        words.append(".")
        pos.append(".")
        tags.append("O")
        lengths.append(len(words) - start)
    sentences = Sentences({"word": words, "pos": pos}, lengths)
    return sentences, Sentences({"tag": tags}, lengths).split("tag")
