"""What a fit ends with: words by their effect, and commands that work as they are printed."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from laconic.cli.shared.output import console
from laconic.cli.tables.next_steps import doubts, next_commands, strongest_words
from laconic.core.summaries.summary import Summary, WordWeight
from laconic.models.search.recipe import Recipe
from laconic.workflows.fit import FitJob


def commands(printed):
    return [shlex.split(line)[1:] for line in printed.splitlines() if line.startswith("  laconic ")]


def test_every_command_runs_as_it_is_printed(run, letters, tmp_path):
    shutil.copy(letters, tmp_path / "my letters.jsonl")
    fitted = run("fit", "my letters.jsonl", "--method", "lasso", "--folds", 3)
    explain, predict, fit = commands(fitted.out)
    assert explain[:2] == ["explain", "my letters.laconic"]
    assert predict == ["predict", "my letters.laconic", "new.jsonl"]
    assert fit[1] == "my letters.jsonl"
    Path("new.jsonl").write_text('{"text": "thanks"}\n', encoding="utf-8")
    for command in (explain, predict, fit):
        assert run(*command).code == 0
    assert fit[-1] == "my letters-pairs.laconic"
    stability = commands(run(*fit, "--force").out)[2]
    assert stability == ["stability", "my letters-pairs.laconic", "my letters.jsonl"]
    assert run(*stability, "--pairs", 2).code == 0


def job(source="reviews.csv", **more):
    return FitJob(source, Path("to/reviews.laconic"), more.pop("recipe", Recipe()), **more)


def test_the_third_command_follows_from_the_model():
    smaller = commands(next_commands(job(dev="dev.csv", test="test.csv"), 500, several=False))[2]
    assert smaller[:6] == ["fit", "reviews.csv", "--dev", "dev.csv", "--test", "test.csv"]
    assert smaller[6:] == ["--config", "to/reviews.laconic", "--words", "200", "--out", "to/reviews-200.laconic"]
    assert commands(next_commands(job(), 101, several=False))[2][5] == "50"
    assert "--ngrams" in commands(next_commands(job(), 100, several=False))[2]
    assert "--ngrams" in commands(next_commands(job(), 500, several=True))[2]
    characters = Recipe(analyzer="char_wb", ngrams=(3, 5))
    assert commands(next_commands(job(recipe=characters), 20, several=False))[2][0] == "stability"
    assert commands(next_commands(job("folder"), 20, several=False))[1][2] == "new.csv"
    assert commands(next_commands(job("some.train.jsonl.gz"), 20, several=False))[1][2] == "new.jsonl"


@pytest.mark.parametrize(
    ("recipe", "lost_classes", "options"),
    [
        (Recipe(), True, ["--metric", "macro_f1", "--class-weight", "balanced"]),
        (Recipe(metric="macro_f1"), True, ["--class-weight", "balanced"]),
        (Recipe(class_weight="balanced"), True, ["--metric", "macro_f1", "--rule", "best"]),
        (Recipe(), False, ["--rule", "best"]),
        (Recipe(rule="best"), False, None),
        (Recipe(class_weight="balanced", words=9), True, None),
    ],
)
def test_doubts_are_bold_with_a_fit_to_try(recipe, lost_classes, options):
    said, *command = doubts(["It is bad.", "Very."], job(recipe=recipe), lost_classes)
    assert (said.plain, "bold" in said.style) == ("It is bad.\nVery.", True)
    wanted = [] if options is None else [["fit", "reviews.csv", "--config", "to/reviews.laconic", *options]]
    assert [shlex.split(line.removeprefix("To try: laconic "))[:-2] for line in command] == wanted
    assert doubts([], job(recipe=recipe), lost_classes) == []


def test_the_fit_to_try_runs_as_it_is_printed(run, tmp_path):
    rows = [{"text": f"w{i % 7} w{i % 5}", "label": "rare" if i % 11 == 0 else "usual"} for i in range(120)]
    Path("noise.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    fitted = run("fit", "noise.jsonl", "--folds", 3, "--metric", "accuracy")
    assert "The model never predicts 'rare' (3-fold cv)." in fitted.out
    (command,) = [line for line in fitted.out.splitlines() if line.startswith("To try: laconic ")]
    again = run(*shlex.split(command.removeprefix("To try: laconic ")), "--json")
    recipe = json.loads(again.out)["config"]["recipe"]
    first = json.loads(run("fit", "noise.jsonl", "--folds", 3, "--metric", "accuracy", "--force", "--json").out)
    assert first["comparison"]["doubts"][0] == "The model never predicts 'rare' (3-fold cv)."
    assert first["comparison"]["frontier"][0]["method"] == "always 'usual'"
    assert (recipe["metric"], recipe["class_weight"], recipe["folds"]) == ("macro_f1", "balanced", 3)


@pytest.fixture(name="summary")
def made_summary():
    words = (WordWeight("rare", (9.0,), 1), WordWeight("often", (0.5,), 100), WordWeight("no", (-1.0,), 5))
    return Summary("", ("bad", "good"), ("good",), words, (0.0,), 10, 0.0)


def shown(part):
    out = console()
    with out.capture() as captured:
        out.print(part)
    return captured.get()


def test_words_in_many_documents_come_first(summary):
    assert "often, rare" in shown(strongest_words(summary))
    assert "bad    no" in shown(strongest_words(summary))


def test_of_many_classes_some_are_shown_with_words_for_and_then_against_them():
    classes = tuple(f"class {i:02d}" for i in range(12))
    long = [WordWeight(f"{i:02d}" * 15, (0.1, *[0.0] * 11), 3) for i in range(5)]
    words = (WordWeight("against", (-9.0, *[0.0] * 11), 3), WordWeight("for", (1.0, -1.0, *[0.0] * 10), 3), *long)
    lines = shown(strongest_words(Summary("", classes, classes, words, (0.0,) * 12, 10, 0.0))).splitlines()
    assert lines[1].startswith("class 00  for, 000")
    assert lines[1].rstrip().endswith("…")
    assert lines[2].split() == ["class", "01", "−for"]
    assert lines[3].split() == ["class", "02", "no", "words"]
    assert lines[-1].strip() == "2 more classes"
    assert max(map(len, lines)) <= 100
