"""The comparison of tuned methods: the setting each enters with, the one that is kept, and why.

By the rule "one_se" a method enters with its smallest model within one standard error of the best of *all* settings of
all methods, or, if none of its models comes so near, with the one that its own tuning chose. The rule "sparse", the
default, measures from the best of all *sparse* settings, and half a point is near enough where the standard error is
less: with thousands of documents a standard error is so small that otherwise a ridge, with a weight for every word,
would be kept for a gain that nobody would pay for. Models that are not sparse are shown and not kept, unless there are
no others. By "best", and when a number of words is asked for, a method enters with what its tuning chose (`tune` has
seen to it that the final model keeps to the number). The method that is kept is the smallest of those near enough, or
the best.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.evaluate.tuning.candidates import SLACK, pick
from laconic.models.search.recipe import SPARSE, Recipe
from laconic.models.search.tried import Tried, goodness

T = TypeVar("T")

HALF_A_POINT = 0.005  # of scores that are shares


def settle(tried: Mapping[str, Sequence[Tried]], recipe: Recipe) -> dict[str, int]:
    """Return for each method the position of the setting with which it enters the comparison."""
    own = {method: pick(every, recipe.metric, recipe.rule_in_method, recipe.words) for method, every in tried.items()}
    if recipe.rule_to_follow == "best" or recipe.words is not None:
        return {method: picked.chosen for method, picked in own.items()}
    best = best_of_all(tried, recipe)
    smallest = {method: _smallest_near(every, best, recipe) for method, every in tried.items()}
    return {method: own[method].chosen if place is None else place for method, place in smallest.items()}


def kept_method(entered: Mapping[str, Tried], best: Tried, recipe: Recipe) -> str:
    """Return the method to keep of those that entered; ``best`` is the best of all settings."""
    names, settings = list(_eligible(entered, recipe)), list(_eligible(entered, recipe).values())
    if recipe.rule_to_follow == "best":
        return names[pick(settings, recipe.metric, "best").chosen]
    place = _smallest_near(settings, best, recipe)
    return names[_smallest(range(len(settings)), settings, recipe) if place is None else place]


def compared(
    rows: Mapping[str, Contender], tried: Mapping[str, Sequence[Tried]], recipe: Recipe, scored_on: str
) -> Comparison:
    """Return the comparison, one of whose rows is marked as chosen, with the reason in one sentence."""
    kept, best = next(row for row in rows.values() if row.chosen), best_of_all(tried, recipe)
    settings = sum(map(len, tried.values()))
    top = f"{best.mean:.3f} ± {best.standard_error:.3f}, {best.method}"
    limit = "" if recipe.words is None else f" with at most {recipe.words} words"
    if len(rows) == 1 and settings == 1:
        reason = f"{kept.method} is the only setting that was tried."
    elif recipe.rule_to_follow == "best":
        reason = f"{kept.method} has the best score{limit} of all {settings} settings tried."
    elif recipe.rule_to_follow == "one_se":
        reason = (
            f"{kept.method} is the smallest model{limit} within one standard error of the best of all {settings} "
            f"settings tried ({top})."
        )
    else:
        kind = "sparse model" if kept.method in SPARSE else "model"
        near = "half a point" if _margin(best, recipe) > best.standard_error else "one standard error"
        reason = (
            f"{kept.method} is the smallest {kind}{limit} within {near} of the best of all {settings} settings "
            f"tried ({top}).{_prices(rows, kept, recipe)}"
        )
    return Comparison(recipe.metric, scored_on, reason[0].upper() + reason[1:], tuple(rows.values()))


def best_of_all(tried: Mapping[str, Sequence[Tried]], recipe: Recipe) -> Tried:
    """Return the best setting of all methods that may be kept."""
    every = [one for settings in _eligible(tried, recipe).values() for one in settings]
    return every[pick(every, recipe.metric, "best", recipe.words).best]


def _eligible(by_method: Mapping[str, T], recipe: Recipe) -> Mapping[str, T]:
    """Return the methods that may be kept: by the rule "sparse" those that are, if there are any."""
    sparse = {method: value for method, value in by_method.items() if method in SPARSE}
    return sparse if sparse and recipe.rule_to_follow == "sparse" else by_method


def _prices(contenders: Mapping[str, Contender], kept: Contender, recipe: Recipe) -> str:
    """Return what the better scores of larger models cost in words, one sentence each."""
    gains = [(row, 100.0 * (row.score - kept.score)) for row in contenders.values() if row.words > kept.words]
    if recipe.metric == "log_loss":
        return ""
    return "".join(
        f" {row.method.capitalize()}: {gain:+.1f} points for {row.words - kept.words:,} more words."
        for row, gain in gains
        if gain >= 0.05
    )


def _smallest(places: Iterable[int], every: Sequence[Tried], recipe: Recipe) -> int:
    return min(places, key=lambda i: (every[i].words, -goodness(recipe.metric, every[i].mean)))


def _margin(best: Tried, recipe: Recipe) -> float:
    shares = recipe.rule_to_follow == "sparse" and recipe.metric != "log_loss"
    return max(best.standard_error, HALF_A_POINT) if shares else best.standard_error


def _smallest_near(every: Sequence[Tried], best: Tried, recipe: Recipe) -> int | None:
    """Return the smallest setting that is near enough to the best, or None if there is none."""
    least = goodness(recipe.metric, best.mean) - _margin(best, recipe) - SLACK * max(1, abs(best.mean))
    near = [i for i, one in enumerate(every) if goodness(recipe.metric, one.mean) >= least]
    return _smallest(near, every, recipe) if near else None
