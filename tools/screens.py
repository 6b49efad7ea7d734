"""Make the README's pictures of the page: `python tools/screens.py`.

It starts a server and plays a match in Chromium, steered by Playwright, and writes
docs/screens/*.png. They are not made again by `make reference`: another machine's fonts
would draw other bytes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "screens"
NUMDUEL = Path(sys.executable).with_name("numduel")
WINDOW = {"width": 640, "height": 690}
MINE = '#table[data-mine="yes"]'
"""The page when the person is to move."""


@contextmanager
def serving(folder: str) -> Iterator[str]:
    """The address of a server that keeps its rooms in this folder."""
    with subprocess.Popen(
        [NUMDUEL, "serve", "--port", "0", "--database", f"{folder}/rooms.sqlite3"],
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        found = re.search(r"http\S+", server.stdout.readline())
        try:
            assert found is not None
            yield found[0]
        finally:
            server.terminate()


def make(page: Page, address: str) -> None:
    """Play the first game that the page offers, the smallest move each turn, to its end."""
    page.goto(address)
    page.click("#moves button")
    page.wait_for_selector(MINE)
    save(page, "play")
    while not page.locator("#over").count():
        ply = page.get_attribute("#table", "data-ply")
        page.click("#moves button")
        page.wait_for_selector(f'{MINE}:not([data-ply="{ply}"]), #over')
    page.set_viewport_size({"width": 520, "height": 440})
    page.evaluate("document.querySelector('#map').scrollIntoView()")
    save(page, "map")


def save(page: Page, name: str) -> None:
    """A picture of the window."""
    file = FOLDER / f"{name}.png"
    page.screenshot(path=file)
    print(f"{file.name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(folder) as address,
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
            env={**os.environ, "HOME": folder},
        )
        make(chromium.new_page(viewport=WINDOW, reduced_motion="reduce"), address)
        chromium.close()
