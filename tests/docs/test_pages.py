"""The pages of the site: their Python runs, page by page from top to bottom, and so do the commands of some."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import laconic
from laconic.cli import main
from laconic.text import BagOfWords

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^(?P<note><!-- not run: .+ -->\n)?```(?P<kind>python|console)\n(?P<code>.*?)^```$", re.M | re.S)
COMMANDS = {"ten_minutes", "extend_groups", "extend_templates"}  # the others would take minutes


def blocks(page):
    """Return kind, code and the line above the code of every block that is to be run."""
    text = page.read_text("utf-8")
    return [
        (found["kind"], found["code"], text[: found.start("code")].count("\n"))
        for found in FENCE.finditer(text)
        if not found["note"]
    ]


PAGES = [
    page
    for page in [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]
    if any(kind == "python" for kind, _, _ in blocks(page))
]


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What pages take for granted: a matrix, texts with labels, a model, and files of the names they use."""
    monkeypatch.chdir(tmp_path)
    letters = laconic.data.demo()
    two = [i for i, label in enumerate(letters.train.labels) if label != "praise"][:60]
    texts, labels = ([part[i] for i in two] for part in (letters.train.texts, letters.train.labels))
    bag = BagOfWords()
    design = bag.fit(texts)
    kept = {"texts": texts, "labels": labels, "X": design.X, "y": np.array(labels)}
    dev = [i for i, label in enumerate(letters.dev.labels) if label != "praise"]
    kept["X_dev"] = bag.transform([letters.dev.texts[i] for i in dev], design.vocabulary)
    kept["y_dev"] = np.array([letters.dev.labels[i] for i in dev])
    kept["model"] = laconic.TextClassifier(laconic.ElasticNetClassifier(l1=0.5, l2=0.0)).fit(texts, labels)
    kept["corpus"] = letters.dev
    kept["model"].save("reviews.laconic")
    rows = zip(texts, labels, strict=True)
    Path("reviews.csv").write_text(
        "review,stars\n" + "".join(f'"{text.replace(chr(34), chr(39))}",{label}\n' for text, label in rows), "utf-8"
    )
    rng = np.random.default_rng(0)
    vectors = (f"{word} {' '.join(f'{x:.3f}' for x in rng.normal(size=5))}\n" for word in design.vocabulary.words)
    Path("glove.6B.100d.txt").write_text("".join(vectors), "utf-8")
    Path("train.conll").write_text("The DT B-NP\nlamp NN I-NP\nbroke VBD B-VP\n\n" * 20, "utf-8")
    return kept


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_code_of_a_page_runs(page, names, capsys):
    if page.stem == "export":
        pytest.importorskip("onnxruntime", reason="the page runs an exported graph")
        pytest.importorskip("onnx", reason="the page runs an exported graph")
        assert main(["export", "reviews.laconic", "--to", "onnx"]) == 0
    for kind, code, line in blocks(page):
        if kind == "python":
            # Line numbers of an error are those of the page.
            exec(compile("\n" * line + code, str(page), "exec"), names)
        elif page.stem in COMMANDS:
            for command in re.findall(r"^\$ laconic (.+)$", code, re.M):
                assert main(shlex.split(command)) == 0, f"laconic {command}\n{capsys.readouterr().err}"


def test_blocks_are_found_where_they_are(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A\n\n```python\nx = 1\n```\n\n<!-- not run: slow -->\n```python\ny = 2\n```\n", "utf-8")
    assert blocks(page) == [("python", "x = 1\n", 3)]
