"""Fits that are stopped, by time or by Ctrl-C, in processes of their own."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from laconic.data.synthetic import planted
from laconic.models import Recipe, load
from laconic.models.search import text_search
from laconic.models.search.followed import Followed
from laconic.workflows import fit as module
from laconic.workflows.fit import FitJob, fit

MAIN = "import sys; from laconic.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    rows = [{"text": one.text, "label": one.label} for one in planted(3000, n_words=2000, seed=6).corpus]
    file = tmp_path_factory.mktemp("letters") / "letters.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, arguments)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_a_limited_fit_leaves_a_model_that_says_what_was_left_out(letters, tmp_path):
    out = tmp_path / "model"
    process = start("fit", letters, "--time", "0.1s", "--out", out, "--no-report")
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 0, said
    scorer = load(out)
    assert scorer.info["extra"]["left_out"]
    assert "left out" in said
    assert len(scorer.predict(["a letter"])) == 1


def test_a_long_limit_changes_nothing(letters, tmp_path):
    made = []
    for name, more in (("free", []), ("limited", ["--time", "1h"])):
        process = start(
            "fit", letters, *more, "--method", "lasso", "--resamples", 2, "--no-report", "--out", tmp_path / name
        )
        said = process.communicate(timeout=240)[1]
        assert process.returncode == 0, said
        made.append(load(tmp_path / name))
    assert made[0].words == made[1].words
    assert "left_out" not in made[1].info["extra"]


@pytest.mark.parametrize("after", [0.2, 0.6, 1.2, 2.0])
def test_ctrl_c_keeps_the_best_so_far_or_ends_cleanly(letters, tmp_path, after):
    out = tmp_path / "model"
    process = start("fit", letters, "--out", out, "--resamples", 200)
    for line in process.stderr:
        if "labels:" in line:
            break
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=240)[1]
    assert process.returncode in (0, 130), said
    assert out.exists() == (process.returncode == 0)
    if out.exists():
        assert load(out).predict(["a letter"])
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_ctrl_c_twice_aborts_and_leaves_nothing(letters, tmp_path):
    process = start("fit", letters, "--out", tmp_path / "model", "--resamples", 2000)
    for line in process.stderr:
        if "labels:" in line:
            break
    time.sleep(1.0)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    process.communicate(timeout=240)
    if process.returncode != 0:  # else the first had done all before the second
        assert process.returncode in (130, -signal.SIGINT)
        assert os.listdir(tmp_path) == []


def interrupted(original):
    """Return a function that is met by Ctrl-C as it begins, the first time."""
    calls = []

    def function(*arguments, **more):
        calls.append(1)
        if len(calls) == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return original(*arguments, **more)

    return function


PHASES = {
    "search": (Followed, "take", {"lasso: weaker penalties", "resamples"}),
    "final fit": (text_search, "step_of", {"resamples"}),
    "resamples": (text_search, "selection_frequency", {"resamples"}),
    "saving": (module, "write_page", set()),
}


@pytest.mark.parametrize("phase", PHASES)
def test_ctrl_c_in_every_phase_keeps_the_best_so_far(letters, tmp_path, monkeypatch, phase):
    place, name, left_out = PHASES[phase]
    monkeypatch.setattr(place, name, interrupted(getattr(place, name)))
    job = FitJob(str(letters), tmp_path / "model", Recipe(methods=("lasso",), folds=2, resamples=2))
    assert fit(job).made.model.n_words_ > 0
    scorer = load(tmp_path / "model")
    assert len(scorer.words) > 0
    assert set(scorer.info["extra"].get("left_out", ())) == left_out
    assert (tmp_path / "model.html").exists()


def test_ctrl_c_while_reading_ends_with_nothing(letters, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "read_corpora", interrupted(module.read_corpora))
    with pytest.raises(KeyboardInterrupt):
        fit(FitJob(str(letters), tmp_path / "model", Recipe(methods=("lasso",), folds=2)))
    assert os.listdir(tmp_path) == []


def test_when_time_is_out_the_training_matrix_is_left_out(letters, tmp_path):
    job = FitJob(str(letters), tmp_path / "model", Recipe(methods=("lasso",), folds=2), editable=True, time=0.01)
    fit(job)
    assert sorted(os.listdir(tmp_path)) == ["model", "model.html"]
    assert "training matrix (--editable)" in load(tmp_path / "model").info["extra"]["left_out"]
