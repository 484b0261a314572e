import json
import re

import numpy as np
import pytest

from laconic.data import Corpus, demo
from laconic.linear import ElasticNetClassifier
from laconic.models import MultilabelTextClassifier, TextClassifier
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe
from laconic.report import html, summarize, write_page
from laconic.report.render.page_data import page_data
from tests.report.unusual_texts import unusual_texts

READ = """texts => texts.map(text => {
    const found = laconic.scorer.read(text);
    return [found.probabilities, found.words.length];
})"""


@pytest.fixture(scope="module")
def letters():
    return demo()


@pytest.fixture(scope="module")
def model(letters):
    return TextClassifier(ElasticNetClassifier(l1=1.0)).fit(letters.train, letters.train.labels)


SETTINGS = {
    "binary": {},
    "counts of words and pairs": {"cells": "count", "ngrams": (1, 2)},
    "tf-idf": {"cells": "tfidf", "ngrams": (1, 2)},
    "chunks": {"tokenizer": "wnut2018", "cells": "count"},
    "characters": {"analyzer": "char", "ngrams": (2, 3), "cells": "count"},
    "characters in words": {"analyzer": "char_wb", "ngrams": (3, 4), "cells": "tfidf"},
    "mail": {"strip_mail": True},
}


CASES = [("binary", 3, 1000), ("tf-idf", 3, 200), *((name, 2, 200) for name in SETTINGS)]


@pytest.mark.parametrize(("name", "classes", "number"), CASES)
def test_random_documents_score_in_the_page_as_in_python(open_page, letters, name, classes, number):
    train = letters.train
    if classes == 2:
        train = train.subset([i for i, label in enumerate(train.labels) if label != "praise"])
    extra = unusual_texts(["lamp", "street"], 40, seed=5)
    texts, labels = [*train.texts, *extra], [*train.labels, *([train.labels[0], train.labels[-1]] * 20)]
    model = TextClassifier(ElasticNetClassifier(l1=0.05, l2=0.1, tol=1e-3), **SETTINGS[name]).fit(texts, labels)
    scorer = model.to_scorer()
    vocabulary = [word for word in scorer.words if word.strip()]
    documents = unusual_texts(vocabulary, number)
    expected = scorer.predict_proba(documents)
    with open_page(html(summarize(model))) as page:
        found = page.evaluate(READ, documents)
    assert np.abs(np.array([row for row, _ in found]) - expected).max() < 1e-6
    assert max(count for _, count in found) > 10


def test_words_and_sentences_are_those_of_python(open_page, letters, model):
    scorer = model.to_scorer()
    with open_page(html(summarize(model))) as page:
        for text in letters.test.texts[:30]:
            found = page.evaluate("text => laconic.scorer.read(text)", text)
            why, parts = scorer.explain(text), scorer.sentences(text)
            assert scorer.model.classes[found["predicted"]] == why.label
            places = {(word.word, *span) for word in why.words for span in word.spans}
            assert {(one["word"], one["start"], one["end"]) for one in found["words"]} == places
            effects = {word.word: effect for word, effect in why.effects()}
            assert {one["word"]: one["pull"] for one in found["words"]} == pytest.approx(effects, abs=1e-9)
            assert [(one["start"], one["end"]) for one in found["sentences"]] == [(p.start, p.end) for p in parts]
            assert [one["influence"] for one in found["sentences"]] == pytest.approx(
                [part.influence for part in parts], abs=1e-9
            )


def test_typing_shows_probabilities_words_and_sentences(open_page, model):
    with open_page(html(summarize(model, title="Letters"))) as page:
        assert page.title() == "Letters"
        page.fill("#text", "The lamp is broken. Thank you!")
        expected = model.predict_proba(["The lamp is broken. Thank you!"])[0]
        shares = [float(share.rstrip("%")) for share in page.locator(".classes .share").all_inner_texts()]
        assert shares == pytest.approx(100 * expected, abs=0.051)
        assert page.locator(".sentence").count() == 2
        assert "broken" in [one.lower() for one in page.locator("#reading mark").all_inner_texts()]
        praise = list(model.classes_).index("praise")
        page.locator(".classes button").nth(praise).click()
        assert "for praise" in page.locator("#try-it .legend").inner_text()
        assert "of this text are in the model" in page.locator("#try-it [role=status]").inner_text()
        page.fill("#text", "zzz")
        alone = "No word of this text is in the model, so only the intercept counts."
        assert page.locator("#reading").inner_text() == alone
        assert "; 0 words of this text" in page.locator("#try-it [role=status]").inner_text()
        for empty in ("", "  \n"):
            page.fill("#text", empty)
            assert page.locator("#reading").inner_text() == "Type some text to see the prediction."
            assert page.locator("#try-it [role=status]").inner_text() == ""


def test_of_many_classes_the_likeliest_are_listed_and_all_on_demand(open_page):
    labels = [f"an intent with a long name {k:02d}" for k in range(12)]
    texts = [f"word{k} and more" for k in range(12)]
    scorer = TextClassifier().fit(texts * 2, labels * 2).to_scorer()
    with open_page(html(summarize(scorer))) as page:
        page.fill("#text", "word5 and")
        why = scorer.explain("word5 and")
        shown = page.locator(".classes .label").all_inner_texts()
        assert shown == [labels[k] for k in why.likeliest()]
        assert shown[0] == labels[5]
        page.get_by_role("button", name="Show all 12 classes").click()
        assert page.locator(".classes .label").all_inner_texts() == labels
        page.locator(".classes button").nth(11).click()
        page.get_by_role("button", name="Show the likeliest classes only").click()
        assert page.locator(".classes .label").all_inner_texts()[-1] == labels[11]


def test_many_classes_and_words_make_no_large_page(open_page, monkeypatch):
    labels = [f"intent {k:02d}" for k in range(30)]
    intents = [(k + k // 60) % 30 for k in range(300)]
    texts = [
        f"word{k % 30} and word{k % 29} or word{k % 7} more{k % 11} {f'only{own}' if k % 3 else ''}"
        for k, own in enumerate(intents)
    ]
    corpus = Corpus.from_lists(texts, [labels[own] for own in intents])
    made = fit_text(corpus, recipe=Recipe(methods=("lasso",), folds=2, rule="best"))
    summary = summarize(made.model, comparison=made.comparison)
    whole, scorer = page_data(summary), made.model.to_scorer()
    assert [one["word"] for one in whole["words"]] == [
        one.word for one in sorted(summary.words, key=lambda one: -one.strength * one.documents)
    ]
    rows = dict(zip(scorer.model.words, scorer.model.weights, strict=True))
    for word, row in whole["model"]["words"].items():
        assert isinstance(row, dict) == (2 * np.count_nonzero(rows[word]) < 30)
        assert row[5] == pytest.approx(rows[word][5]) if isinstance(row, list) else 0.0 not in row.values()
    assert any(isinstance(row, dict) for row in whole["model"]["words"].values())
    steps = [step for step in whole["path"]["steps"] if not step["chosen"]]
    small = next(step for step in scorer.model.path.steps if not step.chosen)
    monkeypatch.setattr("laconic.report.render.page_data.MOST_ROWS", 7)
    monkeypatch.setattr("laconic.report.render.page_data.MOST_WEIGHTS", np.count_nonzero(small.weights))
    assert [step["size"] for step in page_data(summary)["path"]["steps"] if not step["chosen"]] == [steps[0]["size"]]
    with open_page(html(summary)) as page:
        assert page.locator("#words tbody tr").count() == 7
        assert f"{made.model.n_words_ - 7} more words are in the model" in page.locator("#words").inner_text()
        for text in texts[::50]:
            found = page.evaluate("text => laconic.scorer.read(text)", text)
            assert found["probabilities"] == pytest.approx(list(scorer.explain(text).probabilities), abs=1e-9)
        page.fill("#text", texts[0])
        page.locator("#budget-slider").fill("0")
        assert "word" in page.locator("output").inner_text()


def test_words_are_searched_sorted_and_cut_to_a_class(open_page, model):
    with open_page(html(summarize(model))) as page:
        rows = page.locator("#words tbody tr")
        assert rows.count() == min(model.n_words_, 200)
        words = [word for word in model.to_scorer().words if "th" in word]
        page.fill("#words input[type=search]", "TH")
        assert sorted(page.locator("#words td.word").all_inner_texts()) == sorted(words)
        page.fill("#words input[type=search]", "")
        page.get_by_role("button", name="word", exact=True).click()
        shown = page.locator("#words td.word").all_inner_texts()
        assert shown == sorted(shown)
        page.select_option("#words select", label="for praise")
        weights = {word: row["praise"] for word, row in model.to_scorer().words.items()}
        assert rows.count() == sum(weight > 0 for weight in weights.values())


def test_the_theme_switches(open_page, model):
    with open_page(html(summarize(model)), color_scheme="dark") as page:
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        page.get_by_role("button", name="Use light colours").press("Enter")
        assert page.evaluate("document.documentElement.dataset.theme") == "light"


HOSTILE = "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\"> <b>thanks</b>"


def test_hostile_words_and_documents_are_shown_and_not_run(open_page):
    texts = [f"{HOSTILE} a{i}" for i in range(4)] + [f"broken lamp b{i}" for i in range(4)]
    labels = ["<b>&amp;</b>"] * 4 + ["repair"] * 4
    model = TextClassifier(analyzer="char", ngrams=(8, 8)).fit(texts, labels)
    with open_page(html(summarize(model, title=HOSTILE))) as page:
        page.fill("#text", HOSTILE)
        assert page.title() == HOSTILE
        assert page.locator("#main script, #main img, #main b").count() == 0
        assert page.locator("h1").inner_text() == HOSTILE
        assert "<b>&amp;</b>" in page.locator(".classes").inner_text()
        page.keyboard.press("Tab")


def test_the_policy_allows_nothing_but_the_two_hashes(model):
    page = html(summarize(model))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert all(re.fullmatch(r"'sha256-[\w+/]+='", rules[name]) for name in ("script-src", "style-src"))
    data = json.loads(re.search(r'id="data">(.*?)</script>', page)[1])
    assert data["classes"] == list(model.classes_)


def test_a_tokenizer_of_ones_own_disables_the_box_with_a_sentence(open_page):
    model = TextClassifier(tokenizer=str.split).fit(["broken lamp", "kind thanks"], ["repair", "praise"])
    with open_page(html(summarize(model))) as page:
        assert "Python function builtins:str.split" in page.locator("#try-it").inner_text()
        assert page.locator("textarea").count() == 0
        assert page.locator("#words tbody tr").count() == 4


def test_only_pages_are_replaced(tmp_path, model):
    summary = summarize(model)
    path = write_page(summary, tmp_path / "r.html")
    assert write_page(summary, path) == path
    assert [one.name for one in tmp_path.iterdir()] == ["r.html"]
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="not a laconic report"):
        write_page(summary, path)
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write_page(summary, tmp_path)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        write_page(summary, tmp_path / "no" / "r.html")


@pytest.mark.parametrize("names", [("harm", "manners"), ("harm", "light", "manners")])
def test_a_model_of_several_labels_gives_them_in_the_page_as_in_python(open_page, letters, names):
    telling = {"harm": "broken", "light": "lamp", "manners": "thank"}
    labels = [[name for name in names if telling[name] in text.lower()] for text in letters.train.texts]
    model = MultilabelTextClassifier(ElasticNetClassifier(l1=0.5, l2=0.0)).fit(letters.train, labels)
    model.calibrate(letters.train, labels, thresholds={"harm": "recall=0.9"}, folds=3)
    texts = [*letters.test.texts, ""]
    held = [[name for name in names if telling[name] in text.lower()] for text in letters.test.texts]
    summary = summarize(model, Corpus.from_lists(letters.test.texts, held))
    read = READ.replace("found.words.length", "found.labels")
    with open_page(html(summary), viewport={"width": 360, "height": 700}) as page:
        found = page.evaluate(read, texts)
        page.fill("#text", "A broken thing, thank you.")
        said = page.inner_text("[role=status]")
        winners = page.locator("li.winner .label").all_inner_texts()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert "any of the labels" in page.inner_text(".lead")
        assert page.locator("text=Confusion").count() == 0
        assert page.locator("thead th", has_text="harm").count() > 0
    np.testing.assert_allclose([row for row, _ in found], model.predict_proba(texts), rtol=0, atol=1e-9)
    assert [tuple(names[k] for k in given) for _, given in found] == model.predict(texts)
    assert tuple(winners) == model.predict(["A broken thing, thank you."])[0]
    assert said.startswith(", ".join(winners))
