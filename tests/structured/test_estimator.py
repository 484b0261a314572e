"""What taggers and parsers share: progress, folders with timings, scores on held-out sentences."""

import json

import pytest

import laconic
from laconic import DependencyParser, SequenceTagger
from tests.structured.planted import planted_sentences
from tests.structured.trees import planted_trees

CASES = {
    "tagger": (SequenceTagger(["word[0]", "pos[0]"], budget=1, every=20, passes=2), planted_sentences),
    "parser": (DependencyParser("small", budget=2, every=20, passes=2, relations=False), planted_trees),
}


@pytest.mark.parametrize(("estimator", "planted"), CASES.values(), ids=CASES)
def test_fit_save_load(estimator, planted, tmp_path):
    seen = []
    fitted = estimator.fit(*planted(40), progress=lambda *step: seen.append(step))
    assert [done for done, _, _ in seen] == list(range(1, 8))
    assert {total for _, total, _ in seen} == {7}
    assert [stage for _, _, stage in seen] == ["selection"] * 5 + ["refit"] * 2
    folder = fitted.save(tmp_path / "m", extra={"made by": "hand"})
    assert set(json.loads((folder / "timings.json").read_text())) == {"fit"}
    info = laconic.load(folder).info
    assert info["extra"] == {"made by": "hand"}
    assert info["settings"]["budget"] == estimator.budget
    assert {**info, **fitted.to_scorer().info, "extra": info["extra"]} == info
    again = laconic.load(folder).to_estimator().get_params()
    assert {**again, "token_costs": None} == {**estimator.get_params(), "token_costs": None}


def test_scores_of_held_out_sentences():
    tagger = SequenceTagger(["word[0]"], passes=2).fit(*planted_sentences(60))
    held_out = planted_sentences(20, seed=5)
    assert tagger.evaluate(*held_out).overall.f1 == tagger.score(*held_out) > 0.5
    parser = DependencyParser("small", passes=2).fit(*planted_trees(40))
    scores = parser.evaluate(*planted_trees(20, seed=5))
    assert scores.words.uas > 0.9
    assert scores.words.las is not None
