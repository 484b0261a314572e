"""The estimator: what it learns, how it saves, and how it behaves in scikit-learn."""

import json
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import laconic
from laconic import SequenceTagger
from laconic.data.annotated.sentences import Sentences
from laconic.structured.scores import score_tags
from tests.structured.planted import planted_sentences

RICH = ["word[0]", "word[-1..0]", "pos[-1]", "pos[0]", "suffix2[0]", "pos[-2..2]", "word[3]"]


@pytest.mark.parametrize("loss", ["crf", "svm", "perceptron", "mira", "mira-1best"])
@pytest.mark.parametrize("refit", ["free", "observed", "frozen"])
def test_planted_phrases_are_learned(planted, loss, refit):
    X, y = planted
    tagger = SequenceTagger(RICH, budget=3, loss=loss, refit=refit, every=40, passes=8).fit(X, y)
    assert len(tagger.templates_) <= 3
    new, tags = planted_sentences(60, seed=9)
    assert tagger.score(new, tags) > 0.97


@pytest.mark.parametrize(
    "selection",
    ["group-lasso", "coarse-to-fine", "tree", "sparse-group", "labels", "lasso", "elastic-net", "information-gain"],
)
@pytest.mark.filterwarnings("ignore:.*more than the budget")
@pytest.mark.parametrize("selection_loss", ["perceptron", "svm", "crf"])
def test_every_selection(planted, selection, selection_loss):
    X, y = planted
    budget = {"labels": 12, "lasso": 40, "elastic-net": 40}.get(selection, 4)
    tagger = SequenceTagger(
        RICH,
        budget=budget,
        selection=selection,
        selection_loss=selection_loss,
        every=50,
        loss="mira",
        refit="frozen",
        strength=0.0001 if selection == "sparse-group" else 0.0,
    ).fit(X, y)
    if selection in ("lasso", "elastic-net"):
        assert np.count_nonzero(tagger.model_.rows) <= 40
    elif selection == "labels":
        assert len(tagger.model_.rows) <= 12
    else:  # with overlapping groups the budget is shared out, and one more may stay
        assert len(tagger.templates_) <= (5 if selection == "coarse-to-fine" else 4)
    assert tagger.score(X, y) > 0.8


def test_sentences_in_any_form(planted):
    X, y = planted
    as_dicts = [[dict(zip(one, cells, strict=True)) for cells in zip(*one.values(), strict=True)] for one in X]
    first = SequenceTagger(RICH).fit(X, y)
    second = SequenceTagger(RICH).fit(as_dicts, y)
    assert np.array_equal(first.model_.rows, second.model_.rows)
    assert first.predict(X) == second.predict(list(X)) == first.predict(as_dicts)


def test_the_same_seed_gives_the_same_model(planted):
    X, y = planted
    a, b = (SequenceTagger(RICH, budget=3, every=40, shuffles=2).fit(X, y) for _ in range(2))
    assert a.templates_ == b.templates_
    assert np.array_equal(a.model_.rows, b.model_.rows)
    c = SequenceTagger(RICH, random_state=5).fit(X, y)
    assert not np.array_equal(SequenceTagger(RICH).fit(X, y).model_.rows, c.model_.rows)


def test_numpy_alone_gives_the_same_tags(planted, tmp_path):
    X, y = planted
    X = X.with_column("size", np.random.default_rng(0).normal(size=X.n_tokens).tolist())
    tagger = SequenceTagger([*RICH, "real(size)[0]", "pos[0] & real(size)[-1]"], loss="mira").fit(X, y)
    folder = tagger.save(tmp_path / "m")
    scorer = laconic.load(folder)
    new, _ = planted_sentences(50, seed=4)
    new = new.with_column("size", np.random.default_rng(1).normal(size=new.n_tokens).tolist())
    assert scorer.predict(new) == tagger.predict(new) == scorer.to_estimator().predict(new)
    assert scorer.model.n_weights == tagger.model_.n_weights
    assert scorer.predict([]) == tagger.predict([]) == []


def test_saving_twice_gives_the_same_bytes(planted, tmp_path):
    X, y = planted
    tagger = SequenceTagger(RICH, budget=2, every=40).fit(X, y)
    a, b = tagger.save(tmp_path / "a"), laconic.load(tmp_path / "a").to_estimator().save(tmp_path / "b")
    for file in a.iterdir():
        if file.name != "timings.json":
            assert file.read_bytes() == (b / file.name).read_bytes()


def test_a_loaded_tagger_needs_numpy_only(planted, tmp_path):
    X, y = planted
    SequenceTagger(RICH).fit(X, y).save(tmp_path / "m")
    code = (
        "import sys\nfor name in ('numba', 'scipy', 'sklearn'):\n    sys.modules[name] = None\n"
        f"import laconic, json\nscorer = laconic.load({str(tmp_path / 'm')!r})\n"
        "print(json.dumps(scorer.predict([{'word': ['the', 'lamp'], 'pos': ['DT', 'NN']}])))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(out.stdout) == [["B-NP", "I-NP"]]


def test_model_selection(planted):
    X, y = planted
    assert clone(SequenceTagger("crfsuite", budget=3)).get_params()["budget"] == 3
    assert cross_val_score(SequenceTagger(RICH, passes=2), X, y, cv=3).min() > 0.9
    search = GridSearchCV(SequenceTagger(RICH, every=40, passes=2), {"budget": [1, 3]}, cv=2).fit(list(X), y)
    assert search.best_score_ > 0.95


@pytest.mark.parametrize("length", [1, 2, 1000])
def test_short_and_long_sentences(length):
    X = [["a", "b"] * (length // 2) + ["a"] * (length % 2)] * 3
    y = [["A", "B"] * (length // 2) + ["A"] * (length % 2)] * 3
    for loss in ("crf", "mira"):
        tagger = SequenceTagger(["word[-9..0]", "word[0]"], loss=loss).fit(X, y)
        assert tagger.predict(X) == y
        assert tagger.to_scorer().predict(X) == y


def test_empty_sentences_are_allowed_among_others():
    tagger = SequenceTagger(["word[0]"]).fit([["a"], [], ["b"]], [["A"], [], ["B"]])
    assert tagger.predict([[], ["b"], []]) == [[], ["B"], []]


def test_long_words_and_tags_of_one_kind():
    X = [["x" * 20000, "y"], ["z"]]
    tagger = SequenceTagger("minimal").fit(X, [["O", "O"], ["O"]])
    assert tagger.predict(X) == [["O", "O"], ["O"]]
    assert tagger.score(X, [["O", "O"], ["O"]]) == 0.0  # there is no span to find


def test_a_budget_beyond_the_number_of_templates(planted):
    X, y = planted
    tagger = SequenceTagger(RICH, budget=100, every=40).fit(X, y)
    assert len(tagger.templates_) == len(RICH)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"loss": "hinge"}, "loss is 'hinge'; it must be one of crf"),
        ({"budget": 0}, "budget is 0; it must be a whole number from 1"),
        ({"passes": 2.5}, "passes is 2.5"),
        ({"rate": 0.0}, "rate is 0.0"),
        ({"l2": -1.0}, "l2 is -1.0"),
        ({"damping": -1.0}, "damping is -1.0"),
        ({"damping": 1.0, "loss": "mira"}, "damping is 1.0, which only the loss crf by adagrad uses"),
        ({"cap": 0}, "cap is 0"),
        ({"cap": 0.1}, "cap is 0.1, which the loss 'crf' does not use"),
        ({"group_weights": {"word[7]": 1.0}, "budget": 1}, "names the template 'word\\[7\\]'"),
        ({"token_costs": {"X": 1.0}}, "names the label 'X'"),
        ({"token_costs": {"B-NP": -1.0}}, "a cost must be a number from 0"),
        ({"token_costs": {"B-NP": 2.0}, "loss": "perceptron"}, "which the loss 'perceptron' does not look at"),
        ({"templates": "word[0"}, "expected a cell"),
    ],
)
def test_settings_that_are_refused(planted, settings, message):
    with pytest.raises(ValueError, match=message):
        SequenceTagger(**{"templates": ["word[0]"], **settings}).fit(*planted)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([["a"]], [["A"], ["B"]], "1 sentences but tags for 2"),
        ([["a", "b"]], [["A"]], "Sentence 0 has 2 tokens"),
        ([], [], "no token to learn from"),
        ([[]], [[]], "no token to learn from"),
        ([["a"]], [[""]], "not empty"),
        ("ab", [["A"]], "list of sentences"),
        ([["a", 3]], [["A", "B"]], "Token 0 of sentence 0"),
        ([{"word": ["a"], "pos": []}], [["A"]], "differ in length"),
        ([{"word": ["a"]}, {"pos": ["a"]}], [["A"], ["A"]], "Sentence 1 has the column 'pos'"),
    ],
)
def test_data_that_is_refused(X, y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        SequenceTagger(["word[0]"]).fit(X, y)


def test_pruning_keeps_so_many_weights(planted, tmp_path):
    X, y = planted
    tagger = SequenceTagger(RICH, keep=25, passes=8).fit(X, y)
    assert 0 < np.count_nonzero(tagger.model_.rows) <= 25
    folder = tagger.save(tmp_path / "m")
    assert np.load(folder / "weights.npy").dtype == np.float16
    assert np.array_equal(laconic.load(folder).model.rows, tagger.model_.rows)
    assert tagger.score(*planted_sentences(50, seed=2)) > 0.95


def test_crf_optimum_is_that_of_crfsuite(planted, tmp_path):
    pycrfsuite = pytest.importorskip("pycrfsuite")
    X, y = planted[0][:30], planted[1][:30]
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for sentence, tags in zip(X, y, strict=True):
        words = sentence["word"]
        tokens = [
            [f"w={word}", f"before={words[i - 1] if i else None}", *([] if i else ["start"])]
            for i, word in enumerate(words)
        ]
        trainer.append(tokens, tags)
    trainer.set_params(
        {
            "c2": 0.3,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            "max_iterations": 2000,
            "epsilon": 1e-9,
            "delta": 1e-12,
        }
    )
    trainer.train(str(tmp_path / "m"))
    peer = trainer.logparser.last_iteration["loss"]
    ours = SequenceTagger(["word[0]", "word[-1]"], l2=0.3, optimizer="lbfgs", passes=2000).fit(X, y)
    assert ours.objective_ == pytest.approx(peer, rel=1e-5)


def test_stochastic_steps_come_close_to_the_optimum(planted):
    X, y = planted
    best = SequenceTagger(["word[0]", "pos[0]"], l2=0.5, optimizer="lbfgs", passes=500).fit(X, y)
    near = SequenceTagger(["word[0]", "pos[0]"], l2=0.5, passes=200).fit(X, y)
    # with a step size that does not shrink AdaGrad ends in the neighbourhood
    largest = np.abs(best.model_.transitions).max()
    assert np.abs(near.model_.transitions - best.model_.transitions).max() < 0.15 * largest


def test_too_few_iterations_are_said(planted):
    with pytest.warns(UserWarning, match="stopped after 2 iterations"):
        SequenceTagger(["word[0]"], optimizer="lbfgs", passes=2).fit(*planted)


def test_rare_features_are_left_out(planted):
    X, y = planted
    counts = Counter(X.columns["word"])
    tagger = SequenceTagger(["word[0]"], min_count=30).fit(X, y)
    assert set(tagger.model_.atoms["word"]) == {word for word, count in counts.items() if count >= 30}
    assert tagger.to_scorer().predict(X) == tagger.predict(X)


def test_nothing_common_enough_leaves_label_pairs(planted, tmp_path):
    X, y = planted
    tagger = SequenceTagger(["word[0]"], min_count=10_000).fit(X, y)
    assert tagger.templates_ == ()
    folder = tagger.save(tmp_path / "m")
    assert laconic.load(folder).predict(X) == tagger.predict(X)


def test_memory_follows_the_active_set(planted):
    X, y = planted
    everything = SequenceTagger("chunking", loss="mira", passes=3).fit(X, y)
    few = SequenceTagger("chunking", budget=5, loss="mira", passes=3, every=20, refit="frozen").fit(X, y)
    assert len(few.memory_) == 8
    assert max(few.memory_[5:]) < max(few.memory_[:5]) <= max(everything.memory_)


def test_sentences_class():
    three = Sentences.of([["a", "b"], [], ["c"]])
    assert three[-1] == {"word": ["c"]}
    assert len(three[:2]) == 2
    assert list(three.take([2, 0]))[1] == {"word": ["a", "b"]}
    with pytest.raises(IndexError, match="no sentence 3"):
        three[3]


@pytest.mark.parametrize("selection", ["lasso", "elastic-net", "labels"])
def test_small_budgets_survive_ties(planted, selection):
    tagger = SequenceTagger(RICH, budget=1, selection=selection, every=1, passes=1, selection_passes=1).fit(*planted)
    assert 1 <= len(tagger.templates_) <= 2


@pytest.mark.parametrize("selection", ["group-lasso", "tree"])
def test_templates_that_tie_leave_the_first_of_them(planted, selection):
    X, y = planted
    twins = [{**one, "twin": one["pos"]} for one in X]
    tagger = SequenceTagger(["pos[0]", "twin[0]"], budget=1, every=40, selection=selection).fit(twins, y)
    assert len(tagger.templates_) == 1


def test_a_single_tag_leaves_nothing_to_choose():
    with pytest.raises(ValueError, match="All tags are 'O'"):
        SequenceTagger(["word[0]", "word[1]"], budget=1).fit([["a", "b"]], [["O", "O"]])


def test_an_optimizer_that_the_loss_does_not_use():
    with pytest.raises(ValueError, match="optimizer is 'lbfgs', which the loss 'mira' does not use"):
        SequenceTagger(loss="mira", optimizer="lbfgs").fit([["a"]], [["O"]])


def test_a_tag_that_is_none():
    with pytest.raises(ValueError, match="not None"):
        SequenceTagger().fit([["a", "b"]], [["O", None]])
    with pytest.raises(ValueError, match="not None"):
        SequenceTagger().fit([["a"]], [["O"]]).score([["a"]], [[None]])


def blurred(n, seed):
    """Sentences whose words say little: A a little more often than B, whatever the word."""
    rng = np.random.default_rng(seed)
    X = [rng.choice(["u", "v"], size=6).tolist() for _ in range(n)]
    return X, [["A" if rng.random() < 0.55 else "B" for _ in one] for one in X]


@pytest.mark.parametrize("settings", [{}, {"optimizer": "lbfgs", "passes": 100}, {"optimizer": "sgd"}])
def test_a_tag_that_costs_more_is_missed_less_often_by_the_crf(settings):
    X, y = blurred(80, 0)

    def found(costs):
        tagger = SequenceTagger(["word[0]"], token_costs=costs, **settings).fit(X, y)
        return sum(tag == "B" for one in tagger.predict(X) for tag in one)

    assert found({}) < found({"A": 0.0, "B": 4.0})


def test_more_templates_than_the_budget_are_said(planted):
    X, y = planted
    with pytest.warns(UserWarning, match="more than the budget of 1"):
        SequenceTagger(RICH, budget=1, selection="coarse-to-fine", every=40).fit(X, y)


def test_a_tree_lets_whole_columns_leave(planted):
    X, y = planted
    noise = np.random.default_rng(0).choice(list("abc"), size=X.n_tokens).tolist()
    templates = ["word[0]", "word[-1]", "pos[0]", "noise[0]", "noise[1]", "noise[0..1]"]
    tagger = SequenceTagger(templates, budget=3, selection="tree", group_weights="one", every=40)
    tagger.fit(X.with_column("noise", noise), y)
    assert 1 <= len(tagger.templates_) <= 3
    assert not any("noise" in one for one in tagger.templates_)


@pytest.mark.parametrize("loss", ["crf", "perceptron"])
def test_learning_goes_on(loss):
    X, y = planted_sentences(100)
    tagger = SequenceTagger(["word[0]", "pos[0]", "word[-1..0]"], loss=loss, passes=2).partial_fit(X[:20], y[:20])
    before = tagger.predict(X)
    weights = tagger.model_.n_weights
    for _ in range(3):
        tagger.partial_fit(X[20:], y[20:])
    assert tagger.score(X, y) > 0.97
    assert tagger.score(X, y) >= score_tags(y, before).overall.f1
    assert tagger.model_.n_weights >= weights
    new = [{"word": ["Zanzibar", "the"], "pos": ["FW", "DT"]}]
    for _ in range(20):
        tagger.partial_fit(new, [["B-XP", "B-NP"]])
    assert "B-XP" in tagger.labels_
    assert tagger.predict(new) == [["B-XP", "B-NP"]]
    assert tagger.score(X, y) > 0.9  # what was learned before is not lost


def test_going_on_without_mistakes_changes_nothing():
    X, y = planted_sentences(40)
    tagger = SequenceTagger(["word[0]", "pos[0]"], loss="perceptron", passes=10, average=False).fit(X, y)
    assert tagger.predict(X) == y
    rows, templates = tagger.model_.rows.copy(), tagger.templates_
    tagger.partial_fit(X, y)
    assert tagger.templates_ == templates
    assert np.array_equal(tagger.model_.rows, rows)
