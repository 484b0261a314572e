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
from dataclasses import replace
from typing import TypeVar

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.evaluate.metrics.scores import higher_is_better
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.rules import SLACK, pick
from laconic.evaluate.tuning.search import Tuned
from laconic.models.search.recipe import SPARSE, Recipe

T = TypeVar("T")

HALF_A_POINT = 0.005  # of scores that are shares


def settle(tuned: Mapping[str, Tuned], recipe: Recipe) -> dict[str, int]:
    """Return for each method the position of the candidate with which it enters the comparison."""
    if recipe.rule_to_follow == "best" or recipe.words is not None:
        return {method: tuning.chosen for method, tuning in tuned.items()}
    _, best = best_of_all(_eligible(tuned, recipe), recipe)
    smallest = {method: _smallest_near(tuning.candidates, best, recipe) for method, tuning in tuned.items()}
    return {method: tuned[method].chosen if place is None else place for method, place in smallest.items()}


def compared(contenders: Mapping[str, Contender], tuned: Mapping[str, Tuned], recipe: Recipe) -> Comparison:
    """Return the comparison with the contender to keep marked, and the reason in one sentence."""
    best_method, best = best_of_all(_eligible(tuned, recipe), recipe)
    names = list(_eligible(contenders, recipe))
    candidates = [
        Candidate({"method": name}, (), row.score, best.standard_error, row.words, row.gap, 0.0)
        for name, row in _eligible(contenders, recipe).items()
    ]
    if recipe.rule_to_follow != "best":
        place = _smallest_near(candidates, best, recipe)
        chosen = _smallest(range(len(candidates)), candidates, recipe) if place is None else place
    else:
        chosen = pick(candidates, recipe.metric, "best").chosen
    kept = contenders[names[chosen]]
    settings = sum(len(tuning.candidates) for tuning in tuned.values())
    top = f"{best.mean:.3f} ± {best.standard_error:.3f}, {best_method}"
    limit = "" if recipe.words is None else f" with at most {recipe.words} words"
    if len(contenders) == 1 and settings == 1:
        reason = f"{kept.method} is the only setting that was tried."
    elif recipe.rule_to_follow == "best":
        reason = f"{kept.method} has the best score{limit} of all {settings} settings tried."
    elif recipe.rule_to_follow == "one_se":
        reason = (
            f"{kept.method} is the smallest model{limit} within one standard error of the best of all {settings} "
            f"settings tried ({top})."
        )
    else:
        near = "half a point" if _margin(best, recipe) > best.standard_error else "one standard error"
        reason = (
            f"{kept.method} is the smallest sparse model{limit} within {near} of the best of all {settings} settings "
            f"tried ({top}).{_prices(contenders, kept, recipe)}"
        )
    folds = next(iter(tuned.values())).folds
    return Comparison(
        metric=recipe.metric,
        scored_on="dev" if folds is None else f"{folds}-fold cv",
        reason=reason[0].upper() + reason[1:],
        contenders=tuple(replace(row, chosen=row is kept) for row in contenders.values()),
    )


def _eligible(by_method: Mapping[str, T], recipe: Recipe) -> Mapping[str, T]:
    """Return the methods that may be kept: by the rule "sparse" those that are, if there are any."""
    sparse = {method: value for method, value in by_method.items() if method in SPARSE}
    return sparse if sparse and recipe.rule_to_follow == "sparse" else by_method


def _prices(contenders: Mapping[str, Contender], kept: Contender, recipe: Recipe) -> str:
    """Return what the better scores of larger models cost in words, one sentence each."""
    gains = {row: 100.0 * (row.score - kept.score) for row in contenders.values() if row.words > kept.words}
    if recipe.metric == "log_loss":
        return ""
    return "".join(
        f" {row.method.capitalize()}: {gain:+.1f} points for {row.words - kept.words:,} more words."
        for row, gain in gains.items()
        if gain >= 0.05
    )


def best_of_all(tuned: Mapping[str, Tuned], recipe: Recipe) -> tuple[str, Candidate]:
    """Return the best candidate of all methods, and its method."""
    everything = [(method, candidate) for method, tuning in tuned.items() for candidate in tuning.candidates]
    place = pick([candidate for _, candidate in everything], recipe.metric, "best", recipe.words).best
    return everything[place]


def _goodness(mean: float, recipe: Recipe) -> float:
    return mean if higher_is_better(recipe.metric) else -mean


def _smallest(places: Iterable[int], candidates: Sequence[Candidate], recipe: Recipe) -> int:
    return min(places, key=lambda i: (candidates[i].words, -_goodness(candidates[i].mean, recipe)))


def _margin(best: Candidate, recipe: Recipe) -> float:
    shares = recipe.rule_to_follow == "sparse" and recipe.metric != "log_loss"
    return max(best.standard_error, HALF_A_POINT) if shares else best.standard_error


def _smallest_near(candidates: Sequence[Candidate], best: Candidate, recipe: Recipe) -> int | None:
    """Return the smallest candidate that is near enough to the best, or None if there is none."""
    least = _goodness(best.mean, recipe) - _margin(best, recipe) - SLACK * max(1, abs(best.mean))
    near = [i for i, candidate in enumerate(candidates) if _goodness(candidate.mean, recipe) >= least]
    return _smallest(near, candidates, recipe) if near else None
