"""Random documents that mix the words of a model with everything that makes tokenizers of two languages differ."""

import random

ODD = (
    "İstanbul", "ISTANBUL", "straße", "STRASSE", "ΟΔΟΣ", "οδός", "Ǆ", "ﬁne", "naïve",
    "nai\u0308ve", "e\u0301", "don't", "don’t", "'quoted'", "o''clock",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "👍🏽", "🇫🇷🇩🇪", "❤️", "שלום",
    "العربية", "\u0645\u0631\u062d\u0628\u0627\u200f", "\u202eabc\u202c", "नमस्ते",
    "\u0995\u09cd\u200c\u09b7", "東京", "カタカナー", "ひらがな", "한국어", "𝔘𝔫𝔦", "𐐀𐐨", "x" * 500,
    "a\u200db", "\u200c", "_under_", "²³", "½", "١٢٣", "e.g.", "U.S.", "3.14", "a-b", "(x)", "…",
    "#tag", "@you", "http://a.b/c?d=e", "C++", "<b>", "&amp;", "\ufeff", "\x00", "\x1c", "\x85",
    "www.A-b.co.uk/x", "HTTPS://www.x.y", "ftp://a", "don&#8217;t", "caf&Eacute;", "&amp;#128514;&#65039;",
    "&lt;br&gt;", "<br />", "&#0;", "&#55357;&#56834;", "&#999999;", "&nope;", "it&#x27;s", "👍&#127997;",
    "\u2028", "\u3000", "ſ", "K", "Å", "ẞ", "ß",
)  # fmt: skip
GAPS = (" ", "  ", "\r\n", "\n\n", "\t", ". ", "! ", "? ", ", ", "\u00a0", "\u2003", "", "\n> ", "\n-- \n", "\nFrom: ")


def unusual_texts(words, number, seed=0):
    """Return texts of the words in any case, strange tokens and strange gaps."""
    draw = random.Random(seed)
    words = sorted(words)
    texts = ["", " ", "\r\n"]
    while len(texts) < number:
        pieces = []
        for _ in range(draw.randrange(1, 40)):
            word = draw.choice(words) if draw.random() < 0.6 else draw.choice(ODD)
            pieces.append(draw.choice((word, word, word.upper(), word.title(), word.lower())))
            pieces.append(draw.choice(GAPS) if draw.random() < 0.5 else " ")
        texts.append("".join(pieces))
    return texts
