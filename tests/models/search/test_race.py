"""Races on small planted data, beside an exhaustive search."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array

from laconic.linear import ElasticNetClassifier, OMPClassifier
from laconic.models.search import race as module
from laconic.models.search.folds import Split
from laconic.models.search.followed import InMemory
from laconic.models.search.race import Race
from laconic.models.search.recipe import Recipe
from laconic.models.search.runs import Run, Scale, family_of
from laconic.models.search.tried import OneLabel

N, FOLDS = 200, 4
DEFAULT = Recipe()
METHODS = ("ridge", "lasso", "elastic", "omp")


def data(seed, noise=1.0):
    rng = np.random.default_rng(seed)
    X = (rng.random((N, 30)) < 0.3).astype(float)
    weights = np.where(np.arange(30) < 6, rng.normal(scale=2.0, size=30), 0.0)
    return csr_array(X), (X @ weights + noise * rng.normal(size=N) > np.median(X @ weights)).astype(int)


def race_on(X, y, recipe=DEFAULT, **options):
    part = np.arange(N) % FOLDS
    pairs = [(np.flatnonzero(part != one), np.flatnonzero(part == one)) for one in range(FOLDS)]
    splits = [Split(csc_array(X[fit]), fit, X[out], out, None) for fit, out in pairs]

    def sides(method):
        estimator = OMPClassifier(refit="scaled") if method == "omp" else ElasticNetClassifier()
        return [InMemory(estimator, estimator.look(split.X, y[split.rows]), split) for split in splits]

    race = Race(OneLabel(recipe, y, 2, part, False), sides, recipe.words, **options)
    scale = Scale.of(X, y, ElasticNetClassifier())
    return race, [family_of(method, scale, recipe) for method in METHODS]


@pytest.mark.parametrize("seed", range(3))
def test_what_was_tried_scores_as_fits_of_their_own_do(seed):
    X, y = data(seed)
    race, families = race_on(X, y)
    part = np.arange(N) % FOLDS
    for tried in race.run(families):
        if tried.method not in ("lasso", "elastic") or tried.words < 3:
            continue
        scores = [
            ElasticNetClassifier(**tried.params, tol=1e-9)
            .fit(X[part != one], y[part != one])
            .score(X[part == one], y[part == one])
            for one in range(FOLDS)
        ]
        np.testing.assert_allclose(tried.scores, scores, atol=0.041)  # two of fifty documents: the search is loose


@pytest.mark.parametrize("seed", range(4))
def test_the_best_is_that_of_an_exhaustive_search(seed, monkeypatch):
    X, y = data(seed)
    race, families = race_on(X, y)
    found = race.run(families)
    monkeypatch.setattr("laconic.models.search.followed.ended", lambda tried, metric: len(tried) >= 18)
    every, families = race_on(X, y, drops=False)
    exhaustive = every.run(families)
    assert len(exhaustive) > len(found)
    for method in METHODS:
        best = [max(one.mean for one in tried if one.method == method) for tried in (found, exhaustive)]
        assert best[0] >= best[1] - 0.011, method  # two of two hundred documents


def test_a_lasso_goes_on_while_the_log_loss_falls_and_ends_soon_after():
    X, y = data(0)
    race, families = race_on(X, y)
    lasso = [one for one in race.run(families) if one.method == "lasso"]
    losses = [one.loss for one in lasso]
    best = int(np.argmin(losses))
    assert 2 < best < len(lasso) - 1 <= best + 3
    assert [one.words for one in lasso] == sorted(one.words for one in lasso)


def test_noise_ends_every_run():
    X, _ = data(1)
    y = np.random.default_rng(5).integers(0, 2, N)
    race, families = race_on(X, y)
    race.run(families)
    assert all(run.over for run in race.runs)
    assert max(len(run.tried) for run in race.runs) < 18


def test_runs_that_are_behind_and_stay_so_are_dropped():
    X, y = data(2, noise=0.1)
    race, families = race_on(X, y)
    pursuits = [replace(family, levels=(1000.0, 1.0, 0.1)) for family in families if family.method == "omp"]
    tried = race.run(pursuits)
    by_level = {level: [one for one in tried if one.params["l2"] == level] for level in (1000.0, 1.0, 0.1)}
    assert max(one.mean for one in by_level[1000.0]) < max(one.mean for one in tried)
    every, _ = race_on(X, y, drops=False)
    assert len(every.run(pursuits)) >= len(tried)


def test_levels_are_added_while_the_best_is_at_the_end():
    X, y = data(3, noise=0.1)
    race, families = race_on(X, y)
    tried = race.run([replace(family, levels=(1000.0,)) for family in families if family.method == "omp"])
    levels = {one.params["l2"] for one in tried}
    best = max(tried, key=lambda one: (one.mean, -one.words)).params["l2"]
    assert len(levels) > 1
    assert min(levels) < best < max(levels) or max(levels) / min(levels) > 9_000


@pytest.mark.parametrize("words", [2, 5])
def test_a_number_of_words_ends_a_run_once_it_is_exceeded(words):
    X, y = data(0)
    race, families = race_on(X, y, Recipe(words=words))
    for run in [race.run([family for family in families if family.method != "ridge"]), race.runs][1]:
        assert all(one.words <= words for one in run.tried[:-1])


def test_jobs_may_be_done_in_any_order():
    X, y = data(0)
    race, families = race_on(X, y)
    tried = race.run(families)

    def backwards(jobs):
        done = {id(job): job[0].fit(job[1]) for job in reversed(jobs)}
        return [done[id(job)] for job in jobs]

    again, families = race_on(X, y, fits=backwards)
    assert again.run(families) == tried


def test_a_pursuit_goes_on_only_where_it_leads(monkeypatch):
    X, y = data(0)
    race, families = race_on(X, y)
    (family,) = [family for family in families if family.method == "omp"]
    run = family.run(1.0)
    short = replace(family, levels=(1.0,), wider=False, run=lambda level: replace(run, planned=1))
    leads = race_on(X, y)[0]
    monkeypatch.setattr(module.Race, "_leads", lambda self, run: True)
    assert len(leads.run([short])) == sum(map(len, islice(run.strides(), 9)))
    monkeypatch.setattr(module.Race, "_leads", lambda self, run: False)
    assert len(race.run([short])) == len(run.stride(0))
    assert isinstance(run, Run)
