"""The page on any screen, for any eye, by keyboard, on paper, and not too large."""

import itertools
import re
from importlib.resources import files

import numpy as np
import pytest

from laconic.data import Corpus, demo
from laconic.linear import ElasticNetClassifier
from laconic.models import TextClassifier
from laconic.models.search.fit_text import fit_text
from laconic.models.search.recipe import Recipe
from laconic.report import html, summarize
from laconic.report.summaries.text import report_summary

CONTRASTS = """() => {
  const parse = (text) => {
    const numbers = text.match(/-?[0-9.]+(?:e-?[0-9]+)?/g).map(Number);
    const rgb = text.startsWith("color(srgb") ? numbers.slice(0, 3).map((one) => 255 * one) : numbers.slice(0, 3);
    return [...rgb, numbers.length > 3 ? numbers[3] : 1];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
  const ground = (node) => {
    const layers = [];
    for (let one = node; one; one = one.parentElement) layers.push(parse(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((one) => one / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const node of document.querySelectorAll("body *")) {
    const text = Array.from(node.childNodes).some((one) => one.nodeType === 3 && one.textContent.trim());
    if (!text || !node.checkVisibility() || ["SCRIPT", "STYLE", "TITLE", "title"].includes(node.tagName)) continue;
    const style = getComputedStyle(node);
    const under = ground(node);
    const ink = over(parse(node.namespaceURI.endsWith("svg") ? style.fill : style.color), under);
    const [a, b] = [light(ink), light(under)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const name = `${node.tagName}.${node.getAttribute("class")} ${node.textContent.slice(0, 40)}`;
    found.push([(a + 0.05) / (b + 0.05), large ? 3 : 4.5, name]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def page_html(tmp_path_factory):
    letters = demo()
    made = fit_text(letters.train, dev=letters.dev, recipe=Recipe(methods=("lasso",)))
    place = tmp_path_factory.mktemp("models")
    folders = [made.model.save(place / "lasso", extra=made.config)]
    folders.append(TextClassifier().fit(letters.train, letters.train.labels).save(place / "ridge"))
    return html(report_summary(folders, letters.test, title="Letters", documents=5))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_passes_wcag_aa(open_page, page_html, scheme):
    with open_page(page_html, color_scheme=scheme) as page:
        page.fill("#text", "The lamp is broken. Thank you! Nobody answered my letters, and I am very angry.")
        page.locator("summary").click()
        found = page.evaluate(CONTRASTS)
    assert len(found) > 200
    assert [one for one in found if one[0] < one[1]] == []


@pytest.mark.parametrize("width", [320, 480, 1024, 1920])
def test_no_sideways_scrolling_and_nothing_cut_off(open_page, page_html, width):
    with open_page(page_html, viewport={"width": width, "height": 800}) as page:
        page.fill("#text", "broken " * 40 + "x" * 500)
        page.locator("summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = page.evaluate(
            """() => Array.from(document.querySelectorAll("main section > *, .card, figure, button"))
                .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1
                    && !one.closest(".scroll, .tall"))
                .map((one) => one.outerHTML.slice(0, 80))"""
        )
        assert wide == []


def test_everything_can_be_reached_and_used_by_keyboard(open_page, page_html):
    with open_page(page_html) as page:
        reached = set()
        for _ in range(120):
            page.keyboard.press("Tab")
            place = page.evaluate(
                """() => { const one = document.activeElement;
                    return [one.tagName, one.closest("section")?.id ?? "top",
                        getComputedStyle(one).outlineStyle !== "none" || one.tagName === "SUMMARY"]; }"""
            )
            if place[0] == "BODY":  # past the last one
                break
            assert place[2], f"no visible focus on {place}"
            reached.add(tuple(place[:2]))
        for one in [
            ("A", "top"), ("BUTTON", "top"), ("TEXTAREA", "try-it"), ("BUTTON", "try-it"), ("INPUT", "budget"),
            ("INPUT", "words"), ("SELECT", "words"), ("BUTTON", "words"), ("SELECT", "documents"),
        ]:  # fmt: skip
            assert one in reached
        unnamed = page.evaluate(
            """() => Array.from(document.querySelectorAll("button, input, select, textarea, a, svg[role=img]"))
                .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim()))
                .map((one) => one.outerHTML)"""
        )
        assert unnamed == []


def test_paper_shows_everything_and_no_controls(open_page, page_html):
    with open_page(page_html) as page:
        rows = page.locator("#words tbody tr").count()
        page.emulate_media(media="print")
        assert not page.locator("#contents").is_visible()
        assert not page.locator("textarea").is_visible()
        assert page.locator("#words tbody tr").last.is_visible()
        box = page.locator("#words .tall").bounding_box()
        assert box["height"] > 15 * rows


# Machado, Oliveira and Fernandes (2009), severity 1
BLINDNESS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "full sight": np.eye(3).tolist(),
}


def lab(colour, matrix):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(matrix) @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ seen
    x, y, z = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("kind", BLINDNESS)
@pytest.mark.parametrize("theme", [0, 1])
def test_colours_survive_colour_blindness(kind, theme):
    style = (files("laconic.report") / "assets" / "page.css").read_text(encoding="utf-8")
    block = re.findall(r":root[^{]*\{([^}]*)\}", style)[theme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    pairs = [("for", "against"), ("for-tint", "against-tint"), *itertools.combinations(("c0", "c1", "c2"), 2)]
    for a, b in pairs:
        apart = np.linalg.norm(lab(colours[a], BLINDNESS[kind]) - lab(colours[b], BLINDNESS[kind]))
        assert apart > 15, f"{a} and {b} are {apart:.0f} apart"


def test_two_thousand_words_and_five_hundred_documents_fit(open_page):
    draw = np.random.default_rng(0)
    words = sorted({"".join(draw.choice(list("abcdefghijklmnop"), 9)) for _ in range(2000)})
    texts = [". ".join(" ".join(draw.choice(words, 12)) for _ in range(18)) for _ in range(500)]
    labels = draw.choice(["one", "two", "three"], 500).tolist()
    model = TextClassifier(ElasticNetClassifier(l2=1.0, tol=1e-2)).fit(texts, labels)
    assert model.n_words_ == len(words) >= 1990
    corpus = Corpus.from_lists(texts, labels)
    page = html(summarize(model, corpus, examples=corpus))
    assert len(page.encode()) <= 1.5e6
    with open_page(page) as opened:
        assert opened.locator("#documents .document").count() == 20


HOSTILE = "</script><script>document.title='run'</script><img src=x onerror=\"document.title='run'\"> lamp"


def test_hostile_documents_are_shown_and_not_run(open_page):
    texts = [f"{HOSTILE} broken number{i}" for i in range(4)] + [f"kind thanks number{i}" for i in range(4)]
    corpus = Corpus.from_lists(texts, ["repair"] * 4 + ["praise"] * 4, [f"<svg/onload=alert({i})>" for i in range(8)])
    model = TextClassifier().fit(corpus, corpus.labels)
    with open_page(html(summarize(model, corpus, title="Letters", examples=corpus))) as page:
        assert page.title() == "Letters"
        assert page.locator("#documents .document").count() == 8
        assert page.locator("#main script, #main img").count() == 0
        assert HOSTILE[:20] in page.locator("#documents").inner_text()
