"""Scores texts with a model that ``laconic export MODEL --to json`` wrote: python score.py model.json < texts.json

The texts are a JSON list; the answer is a list of probabilities, one per class. For models of words.
"""

import json
import math
import re
import sys
from collections import Counter

with open(sys.argv[1]) as file:
    model = json.load(file)
table = str.maketrans(*model["analyzer"]["lower"])
rule = model["analyzer"]["rule"]
markup = model["analyzer"].get("markup") or {"patterns": [], "names": "", "characters": ""}
named = dict(zip(markup["names"].split(), markup["characters"], strict=True))
shortest, longest = model["analyzer"]["ngrams"]
words, idf = model["words"], model.get("idf", {})


def character(match):
    name = match[1].lower() if match.re.groups else ""
    number = re.fullmatch("#(x?)([0-9a-f]+)", name)
    if name in named or not number:
        return named.get(name, match[0] if name else " ")
    code = int(number[2], 16 if number[1] else 10)
    return chr(code) if code < 0xD800 or 0xDFFF < code < 0x110000 else match[0]


def probabilities(text):
    for pattern in markup["patterns"]:
        text = re.sub(pattern, character, text)
    tokens = re.findall(rule["regex"], text.translate(table))
    tokens = [re.sub(rule["cut"], "", token) if "." in token and "cut" in rule else token for token in tokens]
    grams = (tokens[i : i + n] for n in range(shortest, longest + 1) for i in range(len(tokens) - n + 1))
    cells = Counter(word for word in map(" ".join, grams) if word in words or word in idf)
    if model["cells"] == "binary":
        cells = dict.fromkeys(cells, 1)
    if model["cells"] == "tfidf":
        cells = {word: count * idf[word] for word, count in cells.items()}
        length = math.hypot(*cells.values())
        cells = {word: value / length for word, value in cells.items()}
    margins = list(model["intercept"])
    for word, value in cells.items():
        for k, weight in enumerate(words.get(word, [])):
            margins[k] += value * weight
    margins = [0.0, *margins] if len(margins) == 1 else margins
    shares = [math.exp(margin - max(margins)) for margin in margins]
    return [share / sum(shares) for share in shares]


print(json.dumps(list(map(probabilities, json.load(sys.stdin)))))
