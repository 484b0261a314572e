"""The sections of a page made by the whole way: fit, save, load, summarize, show."""

from dataclasses import replace

import numpy as np
import pytest

from laconic.data import demo
from laconic.groups import SentenceGroups
from laconic.linear import GroupLassoClassifier
from laconic.models import TextClassifier, load
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe
from laconic.report import html
from laconic.report.summaries.text import report_summary


@pytest.fixture(scope="module")
def letters():
    return demo()


@pytest.fixture(scope="module")
def folders(letters, tmp_path_factory):
    place = tmp_path_factory.mktemp("models")
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso",), resamples=3))
    lasso = made.model.save(place / "lasso", extra=made.config)
    ridge = TextClassifier().fit(letters.train, letters.train.labels).save(place / "ridge")
    return lasso, ridge


@pytest.fixture(scope="module")
def summary(letters, folders):
    return report_summary(folders, letters.test, title="Letters", documents=40)


def test_the_slider_cuts_the_model_and_the_text_follows(open_page, letters, folders, summary):
    steps = load(folders[0]).model.path.steps
    text = letters.test.texts[0]
    with open_page(html(summary)) as page:
        page.fill("#text", text)
        whole = page.locator(".classes .share").all_inner_texts()
        slider = page.locator("#budget-slider")
        home = int(slider.input_value())
        assert steps[home].chosen
        for place in (0, home + 1):
            slider.fill(str(place))
            step = steps[place]
            assert f"{len(step.words)} word" in page.locator("output").inner_text()
            weights = dict(zip(step.words, step.weights, strict=True))
            known = set(load(folders[0]).model.analyzer.features(text)) & set(weights)
            margins = np.array(step.intercept) + sum((weights[word] for word in known), np.zeros(3))
            expected = 100 * np.exp(margins) / np.exp(margins).sum()
            shares = [float(one.rstrip("%")) for one in page.locator(".classes .share").all_inner_texts()]
            assert shares == pytest.approx(expected, abs=0.051)
        page.get_by_role("button", name="Back to the model").click()
        assert page.locator(".classes .share").all_inner_texts() == whole
        slider.press("ArrowLeft")
        assert f"{len(steps[home - 1].words)} word" in page.locator("output").inner_text()
        assert page.locator("#budget svg path").count() == 2


def test_errors_documents_and_comparison(open_page, letters, summary):
    with open_page(html(summary)) as page:
        cells = [int(one) for one in page.locator(".matrix tbody td").all_inner_texts()]
        assert cells == [n for row in summary.scores.confusion for n in row]
        assert page.locator("#documents .document").count() == 20
        page.get_by_role("button", name="Show more").click()
        assert page.locator("#documents .document").count() == 40
        page.select_option("#documents select >> nth=1", "wrong")
        wrong = sum(one.label != one.explanation.label for one in summary.examples)
        assert page.locator("#documents .document").count() == min(wrong, 20)
        page.select_option("#documents select >> nth=1", "")
        page.select_option("#documents select >> nth=0", "praise")
        assert "true class: praise" in page.locator("#documents").inner_text()
        first = next(one for one in summary.examples if one.label == "praise")
        page.locator("#documents .document >> nth=0").get_by_role("button", name="Try it").click()
        assert page.input_value("#text") == first.text
        rows = page.locator("#compare tbody tr").all_inner_texts()
        assert [row.split("\t")[0] for row in rows] == ["lasso", "ridge"]
        assert "stability" in page.locator("#words thead").inner_text()
        assert page.locator("#errors figure").count() == 2


def test_score_against_words_and_doubts_in_bold(open_page, summary):
    with open_page(html(summary)) as page:
        rows = [
            row.split("\t") for row in page.locator("[aria-label='Score against words'] tbody tr").all_inner_texts()
        ]
        assert rows == summary.comparison.by_size[1]
        assert page.locator("tr.chosen", has_text=summary.comparison.chosen.method).count() >= 2
        assert page.locator("#at-a-glance strong").count() == 0
    doubted = replace(summary, comparison=replace(summary.comparison, unpredicted=("praise",)))
    with open_page(html(doubted)) as page:
        assert page.locator("#at-a-glance strong").all_inner_texts() == ["The model never predicts 'praise' (dev)."]


def test_documents_are_the_worst_mistakes_first_with_the_reasons_of_python(letters, folders, summary):
    scorer = load(folders[0])
    classes = list(scorer.model.classes)

    def share(document):
        return scorer.predict_proba([document.text])[0][classes.index(document.label)]

    assert [share(one) for one in summary.examples] == sorted(map(share, letters.test))[:40]
    for one in summary.examples[:5]:
        assert one.odds == tuple(part.log_odds for part in scorer.sentences(one.text))


def test_the_code_on_the_page_makes_the_model_again(letters, folders, summary):
    scorer = load(folders[0])
    names = {"texts": list(letters.train), "labels": letters.train.labels}
    exec(summary.making.code(), names)
    assert names["model"].to_scorer().words.keys() == scorer.words.keys()
    assert summary.making.size == sum(entry.stat().st_size for entry in folders[0].iterdir())


def test_groups_are_searched(open_page, letters, tmp_path):
    train = letters.train.subset([i for i, label in enumerate(letters.train.labels) if label != "praise"])
    model = TextClassifier(GroupLassoClassifier(group=0.05, l1=1.0), SentenceGroups()).fit(train, train.labels)
    summary = report_summary([model.save(tmp_path / "m")])
    with open_page(html(summary)) as page:
        assert page.locator("#groups .group").count() == len(summary.selection.groups)
        word = summary.selection.groups[0].words[0]
        page.fill("#groups input", word)
        holders = [one for one in summary.selection.groups if any(word in w for w in one.words) or word in one.name]
        assert page.locator("#groups .group").count() == len(holders)
        row = page.locator("#words tbody tr", has_text=word).first
        row.hover()
        assert "in sentence" in row.inner_text()


def test_what_needs_texts_is_refused_without(folders):
    with pytest.raises(ValueError, match="no documents can be shown"):
        report_summary(folders[:1], documents=3)
    with pytest.raises(ValueError, match="no models can be compared"):
        report_summary(folders)
