"""What the site must hold: every public name, every page in a menu, short examples, links that lead somewhere."""

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = "core core.penalties data evaluate groups linear models partitions report structured text"
PACKAGES = ["laconic", *(f"laconic.{part}" for part in PARTS.split())]
SHORT = 80  # lines of an example
API = (ROOT / "docs" / "api.rst").read_text("utf-8")
DOCUMENTED = {name.rpartition(".")[2] for name in re.findall(r"^\.\. auto(?:class|function|data):: (\S+)", API, re.M)}
UNDOCUMENTED = {"__version__", "data", "Label", "KeptDesign"}  # text, package, type, and what --editable keeps


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_on_the_api_page(package):
    missing = set(importlib.import_module(package).__all__) - DOCUMENTED - UNDOCUMENTED
    assert not missing


def test_every_page_is_in_a_menu():
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} | {"api"}
    listed = set()
    for page in (ROOT / "docs").glob("*.md"):
        for menu in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.S):
            listed |= {line.strip() for line in menu.splitlines() if line.strip() and not line.startswith(":")}
    assert pages - {"index", "reproduction"} <= listed  # docs/conf.py puts the latter below "reproduce"


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("plot_*.py")), ids=lambda path: path.stem)
def test_examples_are_short_and_have_a_title(script):
    text = script.read_text("utf-8")
    title, line = (ast.get_docstring(ast.parse(text)) or "").splitlines()[:2]
    assert len(line) == len(title)
    assert set(line) == {"="}
    assert len(text.splitlines()) <= SHORT


def test_links_to_the_outside_are_of_the_right_form():
    # There is no network where the tests run, so that whether a page is there is for a person to see.
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "docs" / "api.rst", ROOT / "CITATION.cff"]
    links = [link for file in files for link in re.findall(r"https?://[^\s)>`\"']+", file.read_text("utf-8"))]
    assert [
        link for link in links if not re.fullmatch(r"https://([a-z0-9-]+\.)+[a-z]{2,}(/[\w./%#?=&~+-]*)?", link)
    ] == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_between_files_lead_somewhere(name):
    text = (ROOT / name).read_text("utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)]
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []
