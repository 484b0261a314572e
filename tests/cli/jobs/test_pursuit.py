"""``laconic fit --method omp|gomp``: budgets, curves, groups, folders, and what comes back out of them."""

import json

import numpy as np
import pytest

from laconic.cli import main
from laconic.data import demo
from laconic.linear import GroupOMPClassifier, OMPClassifier
from laconic.models import load
from laconic.report import markdown, summarize
from tests.cli.conftest import write_rows

TOPICS = {"harm": ["broken", "leaking", "loose"], "anger": ["rude", "ignored", "unfair"], "thanks": ["thank", "kind"]}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Letters of two classes: a training and a dev file, groups by word, and word vectors."""
    place = tmp_path_factory.mktemp("pursuit")
    letters = demo()
    for name, corpus in (("train", letters.train), ("dev", letters.dev)):
        rows = [{"id": one.id, "text": one.text, "label": one.label} for one in corpus if one.label != "praise"]
        write_rows(place / f"{name}.jsonl", rows)
    (place / "topics.json").write_text(json.dumps(TOPICS), encoding="utf-8")
    rng = np.random.default_rng(0)
    lines = [
        f"{word} {' '.join(f'{x:.3f}' for x in np.eye(3)[k] + 0.1 * rng.normal(size=3))}"
        for k, words in enumerate(TOPICS.values())
        for word in words
    ]
    (place / "vectors.txt").write_text("\n".join([*lines, "zyzzyva 1 1 1"]), encoding="utf-8")
    return place


def fit(files, *options):
    arguments = ["fit", files / "train.jsonl", "--dev", files / "dev.jsonl", *options, "--quiet"]
    return main([*map(str, arguments)])


@pytest.fixture(scope="module")
def omp(files):
    assert fit(files, "--method", "omp", "--budget", 40, "--out", files / "omp", "--json") == 0
    return files / "omp"


@pytest.fixture(scope="module")
def gomp(files):
    options = ("--method", "gomp", "--groups", files / "topics.json", "--budget", 30, "--out", files / "gomp", "--json")
    assert fit(files, *options) == 0
    return files / "gomp"


def test_score_against_words_is_shown(run, files):
    result = run("fit", files / "train.jsonl", "--dev", files / "dev.jsonl", "--method", "omp", "--budget", 40)
    assert result.code == 0
    head, _, sizes = result.out.partition("Score against words")
    rows = [line.split() for line in sizes.splitlines() if " ± " in line]
    assert rows[0][0] == "always"
    assert all("omp" in row for row in rows[1:])
    (method,) = [line.split() for line in head.splitlines() if line.startswith("→  omp")]
    assert method[2] == "-"  # no λ₁
    assert method[-2] == "-"  # no certificate
    (kept,) = [row for row in rows if row[0] == "→"]
    assert (kept[2], kept[3]) == (method[-3], method[4])


def test_score_against_words_and_the_budget_are_stored(omp):
    extra = load(omp).info["extra"]
    (row,) = extra["comparison"]["contenders"]
    (taken,) = [point for point in extra["comparison"]["frontier"] if point["chosen"]]
    assert taken["words"] == row["words"] == row["budget"] == extra["chosen"]["budget"]
    assert taken["score"] == row["score"]
    assert (row["gap"], row["l1"]) == (None, 0.0)
    assert extra["recipe"]["budget"] == 40


def test_a_saved_pursuit_comes_back(omp, gomp):
    texts = [one.text for one in demo().test]
    for folder, kind in ((omp, OMPClassifier), (gomp, GroupOMPClassifier)):
        scorer = load(folder)
        again = scorer.to_estimator()
        assert isinstance(again.estimator_, kind)
        assert again.estimator_.dual_gap_ == float("inf")
        np.testing.assert_allclose(again.predict_proba(texts), scorer.predict_proba(texts), atol=1e-12)
        assert again.to_sklearn().predict(texts).tolist() == scorer.predict(texts).tolist()


def test_groups_that_were_chosen_are_stored_and_listed(run, gomp):
    kept = load(gomp).model.groups
    assert 0 < kept.n_selected <= kept.n_groups == 3
    assert set(kept.groups.names) <= set(TOPICS)
    result = run("inspect", gomp, "--groups")
    assert f"groups      {kept.n_selected} of 3 selected" in result.out
    assert "method      gomp, λ₂ = " in result.out
    assert "budget = " in result.out
    assert "no certificate" in result.out


def test_the_report_shows_stored_scores_against_words(omp):
    summary = summarize(load(omp))
    assert "The best sparse model of each size" in markdown(summary)
    assert "no certificate" in markdown(summary)


def test_the_configuration_comes_back(run, gomp, files):
    result = run("fit", files / "train.jsonl", "--dev", files / "dev.jsonl", "--config", gomp, "--out", "m", "--json")
    assert result.code == 0
    assert json.loads(result.out)["config"]["recipe"] == load(gomp).info["extra"]["recipe"]
    assert load("m").words == load(gomp).words


@pytest.mark.parametrize("method", ["omp", "gomp"])
def test_words_hold_for_pursuits(run, files, method):
    groups = ("--groups", files / "topics.json") if method == "gomp" else ()
    result = run("fit", files / "train.jsonl", "--method", method, *groups, "--words", 2, "--folds", 2, "--out", "m")
    assert result.code == 0
    assert 1 <= load("m").info["n_words"] <= 2


@pytest.mark.parametrize("kind", ["vectors", "learned"])
def test_groups_of_texts_and_vectors(run, files, kind):
    place = f"vectors:{files / 'vectors.txt'}" if kind == "vectors" else "learned"
    options = ("--method", "gomp", "--groups", place, "--budget", 20, "--out", "m")
    assert run("fit", files / "train.jsonl", "--dev", files / "dev.jsonl", *options).code == 0
    source = load("m").info["groups"]["source"]
    if kind == "vectors":
        assert source.endswith("vectors.txt (2 of 9 words not in the vocabulary)")
    else:
        assert source == "groups learned from the training texts"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--method", "gomp"), 2, "The method gomp needs groups"),
        (("--method", "lasso", "--budget", 5), 2, "lasso has no budget"),
        (("--budget", 0), 2, "--budget"),
        (("--method", "omp", "--groups", "sentences"), 2, "omp has no groups, but groups were given"),
        (("--method", "gomp", "--groups", "vectors:nope.txt"), 1, "no file of word vectors 'nope.txt'"),
    ],
)
def test_mistakes_are_explained_before_the_work(run, files, options, code, message):
    result = run("fit", files / "train.jsonl", *options)
    assert result.code == code
    assert message in " ".join(result.err.split())
