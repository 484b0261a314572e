"""Sphinx configuration."""

import sys
from pathlib import Path
from typing import Any

import laconic

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "laconic"
author = "the laconic developers"
release = laconic.__version__
extensions = ["sphinx.ext.autodoc", "mathml", "numpydoc", "myst_parser", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["_build", "_ext", "gallery/*.ipynb", "gallery/*.py", "gallery/*.zip", "gallery/*.md5"]
nitpicky = True  # a reference that leads nowhere is an error

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
numpydoc_show_class_members = False
autodoc_typehints = "none"  # the docstrings say it in words

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "laconic"
html_static_path = ["_static"]
html_css_files = ["laconic.css"]
html_context = {"default_mode": "auto"}  # light or dark as the reader's system is
html_show_sourcelink = False
html_copy_source = False
# Pages without others below them need no list of these.
html_sidebars = {name: [] for name in ("api", "benchmarks", "changelog", "questions", "reproduce", "reproduction")}
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "footer_start": [],
    "footer_end": [],
}


def put_results_below(app: Any, name: str, source: list[str]) -> None:
    """Link the page that `python -m papers` makes from the one about it, where it is there."""
    if name != "reproduce":
        return
    results = Path(__file__).parent / "reproduction.md"
    app.env.note_dependency(str(results))
    if results.exists():
        source[0] += "\n[All tables and figures](reproduction.md).\n\n```{toctree}\n:hidden:\n\nreproduction\n```\n"


def setup(app: Any) -> None:
    """Connect the above."""
    app.connect("source-read", put_results_below)


sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "ignore_pattern": r"(^|/)(?!plot_)[^/]*\.py$",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "download_all_examples": False,
    "plot_gallery": "True",
    "image_srcset": ["2x"],
    "min_reported_time": 1,
}
