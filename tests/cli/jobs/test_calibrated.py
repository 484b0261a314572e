"""``laconic fit --calibrate --threshold --prior``, and what the other commands make of such a model."""

import json

import numpy as np
import pytest

from laconic.models import load
from tests.cli.conftest import write_rows

QUICK = ("--method", "lasso")


@pytest.fixture(scope="module")
def mails(tmp_path_factory):
    """Mails of two classes that no model can tell apart without error."""
    rng = np.random.default_rng(1)
    rows = []
    for i in range(240):
        spam = i % 2 == 0
        word = "offer" if rng.random() < (0.8 if spam else 0.2) else "meeting"
        rows.append(
            {"text": f"{word} {rng.choice(['now', 'later'])} w{rng.integers(20)}", "label": ["ham", "spam"][spam]}
        )
    folder = tmp_path_factory.mktemp("mails")
    return write_rows(folder / "train.jsonl", rows[:160]), write_rows(folder / "dev.jsonl", rows[160:])


def test_dev_calibrates_and_thresholds_abstain(run, mails):
    train, dev = mails
    result = run(
        "fit", train, "--dev", dev, *QUICK, "--calibrate", "sigmoid", "--threshold", "precision=0.7", "--out", "m"
    )
    assert result.code == 0
    assert "Calibration: sigmoid on 80 documents, dev; calibration error " in result.out
    assert "Threshold of spam: 0." in result.out
    shown = run("inspect", "m").out
    assert "calibration  sigmoid on 80 documents, dev" in shown
    assert "threshold    ham: 0." in shown
    predicted = run("predict", "m", dev, "--proba")
    rows = [json.loads(line) for line in predicted.out.splitlines()]
    assert [row["label"] for row in rows] == load("m").predict(
        [json.loads(one)["text"] for one in dev.read_text().splitlines()]
    ).tolist()
    scored = json.loads(run("evaluate", "m", dev, "--json").out)
    assert scored["unlabelled"] == sum(row["label"] is None for row in rows)
    assert scored["reliability"]["error"] < 0.2
    assert "calibration error" in run("evaluate", "m", dev).out


def test_a_text_without_a_label_in_every_format(run, tmp_path):
    rows = [{"text": text, "label": label} for text, label in [("offer", "spam"), ("meeting", "ham")] * 30]
    rows += [{"text": "hello", "label": label} for label in ("spam", "ham") * 30]
    train = write_rows(tmp_path / "t.jsonl", rows)
    assert run("fit", train, *QUICK, "--threshold", "precision=0.9", "--out", "m", "--quiet").code == 0
    texts = tmp_path / "x.txt"
    texts.write_text("offer\nhello\n")
    assert run("predict", "m", texts, "--lines", "--format", "labels").out == "spam\n\n"
    assert json.loads(run("predict", "m", texts, "--lines").out.splitlines()[1]) == {
        "id": "2",
        "label": None,
        "probability": None,
    }
    assert run("predict", "m", texts, "--lines", "--format", "csv").out.splitlines()[2] == "2,,"
    assert "60 documents (50.0%) reached no threshold and got no label." in run("evaluate", "m", train).out


def test_without_dev_it_is_out_of_fold_and_the_options_come_back(run, mails):
    options = ["--calibrate", "isotonic", "--prior", "spam=0.1", "--threshold", "spam:recall=0.6", "--refit-support"]
    assert run("fit", mails[0], *QUICK, *options, "--folds", 4, "--out", "first").code == 0
    made = load("first").model.calibration.made
    assert (made["on"], made["documents"], made["prior"]) == ("out of fold", 160, [["spam", 0.1]])
    assert run("fit", mails[0], "--config", "first", "--out", "second").code == 0
    first, second = load("first"), load("second")
    assert first.model.calibration == second.model.calibration
    assert second.info["estimator"]["parameters"]["refit_support"] is True
    assert json.loads(run("fit", mails[0], "--config", "first", "--out", "third", "--json").out)["calibration"]["made"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--threshold", "spam:precision=0.999"], 1, "is possible"),
        (["--threshold", "eggs:precision=0.9"], 1, "no class 'eggs'"),
        (["--threshold", "spam:excellence"], 1, "is not a goal"),
        (["--prior", "spam=0.1"], 2, "A prior corrects calibrated probabilities"),
        (["--calibrate", "sigmoid", "--prior", "spam=2"], 2, "'spam=2' is no prior"),
    ],
)
def test_what_cannot_be_done_is_said(run, mails, tmp_path, options, code, message):
    result = run("fit", mails[0], *QUICK, *options, "--out", "m", "--quiet")
    assert result.code == code
    assert message in result.err
    assert not (tmp_path / "m").exists()
