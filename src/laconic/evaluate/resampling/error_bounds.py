r"""How many words of low selection probability a stable set holds at most, in expectation (Shah & Samworth 2013).

A model fitted to half of the documents selects q words of p on average; θ = q/p. A word that such a model selects with
probability at most θ, no more often than a word drawn blindly, is noise for it. Where words are selected with a sign,
each counts as two, of which a model has one at most: p is then twice the number of words, and noise is what is selected
with either sign no more often than a word and a sign drawn blindly. With B complementary pairs of halves and words that
at least a share τ of the 2B models selects, the expected number of noise words among them is at most

.. math:: \frac{\theta}{2\tau - 1} q \quad\text{(always; that of Meinshausen \& Bühlmann 2010 without their conditions)}

and, if the distribution of each noise word's simultaneous selections is unimodal and θ ≤ 1/√3, at most C(τ, B) θ q with

.. math:: C = \frac{1}{2(2\tau - 1 - \frac{1}{2B})}\ \text{for}\ \tau \le \tfrac34,\qquad
   C = \frac{4(1 - \tau + \frac{1}{2B})}{1 + \frac1B}\ \text{for}\ \tau > \tfrac34.
"""

import numpy as np


def expected_errors(threshold: float, pairs: int, words: float, n_features: int) -> float:
    """Return the bound on the expected number of noise words, the smaller of the two.

    Parameters
    ----------
    threshold : float
        τ, above 0.5.
    pairs : int
        B.
    words : float
        q: average number of words selected by a model of half of the documents.
    n_features : int
        p: number of words to select from; words with signs count twice.

    Examples
    --------
    >>> round(expected_errors(0.9, pairs=50, words=20, n_features=1000), 3)
    0.173
    """
    theta = words / n_features
    always = theta * words / (2.0 * threshold - 1.0) if threshold > 0.5 else np.inf
    lowest = min(0.5 + theta**2, 0.5 + 1.0 / (2 * pairs) + 0.75 * theta**2)
    if theta > 1.0 / np.sqrt(3.0) or threshold <= lowest:
        return float(always)
    if threshold <= 0.75:
        factor = 1.0 / (2.0 * (2.0 * threshold - 1.0 - 1.0 / (2 * pairs)))
    else:
        factor = 4.0 * (1.0 - threshold + 1.0 / (2 * pairs)) / (1.0 + 1.0 / pairs)
    return float(min(always, factor * theta * words)) if factor > 0.0 else float(always)


def lowest_threshold(errors: float, pairs: int, words: float, n_features: int) -> float | None:
    """Return the lowest share of models at which at most ``errors`` noise words are expected, or None if none is."""
    for count in range(pairs + 2, 2 * pairs + 1):  # as in the paper from 1/2 + 1/B on
        if expected_errors(count / (2 * pairs), pairs, words, n_features) <= errors:
            return count / (2 * pairs)
    return None
