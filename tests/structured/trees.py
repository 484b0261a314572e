"""Planted trees: determiners and adjectives hang on the noun after them, nouns and full stops on the verb."""

import numpy as np

from laconic.data.annotated.sentences import Sentences


def planted_trees(n, seed=0):
    """Return sentences (word and pos) with heads and relations, one list a sentence."""
    rng = np.random.default_rng(seed)
    sentences, trees = [], []
    for _ in range(n):
        words, heads = [], []

        def phrase(relation, words=words, heads=heads):
            first = len(words)
            if rng.random() < 0.8:
                words.append((str(rng.choice(["the", "a"])), "DT"))
            if rng.random() < 0.4:
                words.append((str(rng.choice(["old", "small"])), "JJ"))
            words.append((str(rng.choice(["lamp", "river", "house", "letter", "song"])), "NN"))
            noun = len(words)
            heads.extend((noun, "det" if word[1] == "DT" else "amod") for word in words[first : noun - 1])
            heads.append((relation, None))

        phrase("subj")
        words.append((str(rng.choice(["sees", "takes", "holds"])), "VB"))
        verb = len(words)
        heads.append((0, "root"))
        if rng.random() < 0.7:
            phrase("obj")
        words.append((".", "."))
        heads.append((verb, "punct"))
        trees.append([(verb, arc[0]) if arc[1] is None else arc for arc in heads])
        sentences.append([{"word": word, "pos": pos} for word, pos in words])
    return Sentences.of(sentences), trees


def as_conllu(sentences, trees):
    """Return the lines of a CoNLL-U file."""
    lines = []
    for number, (sentence, tree) in enumerate(zip(sentences, trees, strict=True), 1):
        lines.append(f"# sent_id = {number}")
        for token, (word, pos, (head, relation)) in enumerate(
            zip(sentence["word"], sentence["pos"], tree, strict=True), 1
        ):
            lines.append("\t".join([str(token), word, "_", pos, "_", "_", str(head), relation, "_", "_"]))
        lines.append("")
    return "\n".join(lines) + "\n"
