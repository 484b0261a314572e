"""`html`: a `Summary` as one HTML file that needs nothing else, shows the model and runs it.

The page is a shell, a style sheet, the data as JSON and a script that builds the sections from them: the plain ``.js``
files in ``assets``, one after the other. The Content-Security-Policy names the hashes
of style and script, so that nothing else can run, and allows no request at all. In the JSON every ``<`` is written as
an escape, and the script sets text only as text: a document cannot become markup.
"""

import base64
import hashlib
import html as escaping
import json
import os
import re
from importlib.metadata import version
from pathlib import Path

from laconic.core.files import open_regular, write_file
from laconic.core.summaries.summary import StructuredSummary, Summary
from laconic.report.render.page_data import page_data, structured_data

ASSETS = Path(__file__).parents[1] / "assets"
SCRIPTS = (
    *("dom", "charts", "calibration", "scorer", "mail", "sentences"),
    *("glance", "try", "budget", "words", "groups", "errors", "documents", "compare", "making", "structured", "main"),
)
MANY_GROUPS = 500  # that a page lists
MAKER = '<meta name="generator" content="laconic '


def html(summary: Summary | StructuredSummary) -> str:
    """Return the page as one HTML file that needs nothing else.

    Parameters
    ----------
    summary : Summary or StructuredSummary

    Examples
    --------
    >>> from laconic.core.summaries.summary import WordWeight
    >>> words = (WordWeight("lamp", (1.5,)), WordWeight("thanks", (-1.0,)))
    >>> page = html(Summary("Letters", ("praise", "repair"), ("repair",), words, (0.1,), 400, 1e-7))
    >>> page.startswith("<!doctype html>"), "<title>Letters</title>" in page
    (True, True)
    """
    data = structured_data(summary) if isinstance(summary, StructuredSummary) else page_data(summary)
    style = _asset("page.css")
    script = '"use strict";\n(() => {\n' + "\n".join(_asset(f"{name}.js") for name in SCRIPTS) + "\n})();\n"
    parts = {
        "script_hash": _hash(script),
        "style_hash": _hash(style),
        "version": version("laconic"),
        "title": escaping.escape(data["title"]),
        "style": style,
        "script": script,
        # ASCII: a document may hold lone surrogates, which no encoding of a file can
        "data": json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"),
    }
    return re.sub(r"\{([a-z_]+)\}", lambda match: parts[match[1]], _asset("page.html"))


def write_page(summary: Summary | StructuredSummary, path: str | os.PathLike) -> Path:
    """Write the page to a file, whole or not at all.

    Parameters
    ----------
    summary : Summary or StructuredSummary
    path : path
        An earlier page is replaced; any other file is refused.
    """
    target = check_page(path)
    write_file(target, html(summary))
    return target


def page_beside(model: str | os.PathLike) -> Path:
    """Return where the page of a saved model is written unless told otherwise: beside its folder."""
    folder = Path(model)
    return folder.with_name(f"{folder.resolve().name}.html")


def check_page(path: str | os.PathLike) -> Path:
    """Refuse a place where a page must not be written; call it before the work that the page will show."""
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"The folder {target.parent} for {target.name} does not exist; create it first.")
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder; a report is one file. Give it a name such as report.html.")
    if target.exists():
        with open_regular(target) as file:
            if MAKER.encode() not in file.read(4000):
                raise FileExistsError(f"{target} already exists and is not a laconic report; choose another name.")
    return target


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
