"""Pictures of the built site in Chromium, narrow and wide, light and dark; and whatever overflows, by name.

    make docs && python docs/shots.py               # all pages, to docs/_shots
    python docs/shots.py objective choose           # only these
    python docs/shots.py --check                    # no pictures, only what is wrong

Exits with 1 if a page scrolls sideways, asks for anything outside of the site, or writes an error to the console. Needs
Playwright (the extra ``test``) and a Chromium.
"""

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
SITE = HERE / "_build" / "html"
SHOTS = HERE / "_shots"
WIDTHS = {"narrow": 320, "wide": 1280}
TALLEST = 6000  # pixels of a picture; the API goes on for longer
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# What sticks out of the article and has no box of its own, inside of it, that scrolls.
OVERFLOWING = """() => {
    const wide = document.documentElement.clientWidth + 1;
    const article = document.querySelector("article");
    if (!article) return ["there is no article"];
    const edge = Math.min(wide, article.getBoundingClientRect().right + 1);
    const held = one => {
        for (let box = one.parentElement; box.tagName !== "ARTICLE"; box = box.parentElement) {
            const style = getComputedStyle(box);
            if (style.position === "fixed" || /auto|scroll|hidden/.test(style.overflowX)) return true;
        }
        return false;
    };
    const found = [...article.querySelectorAll("*")].filter(
        one => one.getBoundingClientRect().right > edge && one.checkVisibility() && !held(one));
    const scrolls = document.documentElement.scrollWidth > wide ? ["the page itself"] : [];
    const inmost = found.filter(one => !found.some(other => other !== one && one.contains(other)));
    return scrolls.concat(inmost.slice(0, 3).map(one => one.outerHTML.slice(0, 100)));
}"""


def main() -> int:
    """Take the pictures; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="pages, such as objective or gallery/index; default: all")
    parser.add_argument("--check", action="store_true", help="take no pictures, in light colours only")
    given = parser.parse_args()
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        if not (SITE / "index.html").exists():
            sys.exit(f"There is no site in {SITE}; run make docs first.")
        pages = [SITE / f"{name}.html" for name in given.names] or sorted(SITE.rglob("*.html"))
        pages = [page for page in pages if "_static" not in page.parts and page.stem not in ("genindex", "search")]
        problems = [problem for page in pages for problem in _shots(browser, page, given.check)]
    print(f"{len(pages)} pages" + ("" if given.check else f" in {SHOTS}"))
    print("\n".join(problems) or "Nothing overflows, nothing was fetched.")
    return 1 if problems else 0


def _shots(browser: Any, page: Path, check: bool) -> list[str]:
    """Look at a page at both widths in both colours; return what is wrong with it."""
    name = "-".join(page.relative_to(SITE).with_suffix("").parts)
    problems = []
    for width, pixels in WIDTHS.items():
        for colours in ("light",) if check else ("light", "dark"):
            context = browser.new_context(viewport={"width": pixels, "height": 900}, color_scheme=colours)
            target = None if check else SHOTS / f"{name}-{width}-{colours}.png"
            found = _look(context.new_page(), page, target)
            problems += [f"{name}, {width}, {colours}: {one}" for one in found]
            context.close()
    return problems


def _look(tab: Any, page: Path, target: Path | None) -> list[str]:
    """Take a picture if it has a target; return what overflowed, what was fetched from elsewhere, and errors."""
    fetched, errors = [], []
    tab.on("request", lambda one: fetched.append(one.url))
    tab.on("console", lambda one: errors.append(one.text) if one.type == "error" else None)
    tab.goto(page.as_uri(), timeout=120_000)
    tab.wait_for_timeout(150)
    overflowing = [f"{one} sticks out" for one in tab.evaluate(OVERFLOWING)]
    if target is not None:
        target.parent.mkdir(exist_ok=True)
        size = tab.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], TALLEST)}
        tab.screenshot(path=target, full_page=True, clip=clip, timeout=120_000)
    return [*overflowing, *(url for url in fetched if not url.startswith(("file:", "data:"))), *errors]


if __name__ == "__main__":
    sys.exit(main())
