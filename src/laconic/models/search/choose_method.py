"""The comparison of tuned methods: the setting each enters with, the one that is kept, and why.

By the rule "one_se" a method enters with its smallest model within one standard error of the best of *all* settings of
all methods, or, if none of its models comes so near, with the one that its own tuning chose. By "best", and when a
number of words is asked for, it always enters with the latter (`tune` has seen to it that the final model keeps to the
number). The method that is kept is the smallest of those near enough, or the best.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from laconic.core.summaries.comparison import Comparison, Contender
from laconic.evaluate.metrics.scores import higher_is_better
from laconic.evaluate.tuning.candidates import Candidate
from laconic.evaluate.tuning.rules import SLACK, pick
from laconic.evaluate.tuning.search import Tuned
from laconic.models.search.recipe import Recipe


def settle(tuned: Mapping[str, Tuned], recipe: Recipe) -> dict[str, int]:
    """Return for each method the position of the candidate with which it enters the comparison."""
    if recipe.rule_to_follow == "best" or recipe.words is not None:
        return {method: tuning.chosen for method, tuning in tuned.items()}
    _, best = best_of_all(tuned, recipe)
    smallest = {method: _smallest_near(tuning.candidates, best, recipe) for method, tuning in tuned.items()}
    return {method: tuned[method].chosen if place is None else place for method, place in smallest.items()}


def compared(contenders: Mapping[str, Contender], tuned: Mapping[str, Tuned], recipe: Recipe) -> Comparison:
    """Return the comparison with the contender to keep marked, and the reason in one sentence."""
    best_method, best = best_of_all(tuned, recipe)
    names = list(contenders)
    candidates = [
        Candidate({"method": name}, (), row.score, best.standard_error, row.words, row.gap, 0.0)
        for name, row in contenders.items()
    ]
    if recipe.rule_to_follow == "one_se":
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
    else:
        reason = (
            f"{kept.method} is the smallest model{limit} within one standard error of the best of all {settings} "
            f"settings tried ({top})."
        )
    folds = next(iter(tuned.values())).folds
    return Comparison(
        metric=recipe.metric,
        scored_on="dev" if folds is None else f"{folds}-fold cv",
        reason=reason[0].upper() + reason[1:],
        contenders=tuple(replace(row, chosen=row is kept) for row in contenders.values()),
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


def _smallest_near(candidates: Sequence[Candidate], best: Candidate, recipe: Recipe) -> int | None:
    """Return the smallest candidate within one standard error of the best, or None if none comes so near."""
    least = _goodness(best.mean, recipe) - best.standard_error - SLACK * max(1, abs(best.mean))
    near = [i for i, candidate in enumerate(candidates) if _goodness(candidate.mean, recipe) >= least]
    return _smallest(near, candidates, recipe) if near else None
