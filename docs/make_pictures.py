"""Make the pictures of the page in the README: ``python docs/make_pictures.py`` (needs Playwright and Chromium).

The demo is run, its page opened on a wide and on a narrow screen, and the pictures are written beside this file.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from laconic.workflows.demo import PAGE, demonstrate

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit(f"There is no Chromium: none of {', '.join(BROWSERS)} is on the path.")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        page = demonstrate(f"{place}/demo").folder / PAGE
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        picture(browser, page, "page-wide.png", 1120, 1040, "light", "try-it")
        picture(browser, page, "page-narrow.png", 375, 1010, "dark", "try-it")
        browser.close()


def picture(browser: Browser, page: Path, name: str, width: int, height: int, scheme: str, section: str) -> None:
    """Write a picture of a page from the top of one section on."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.evaluate("id => document.getElementById(id).scrollIntoView({behavior: 'instant'})", section)
    opened.wait_for_timeout(300)  # the list of contents follows the scrolling
    opened.screenshot(path=HERE / name)
    context.close()


if __name__ == "__main__":
    main()
