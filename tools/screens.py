"""Make the pictures of pages for README and guides: `python tools/screens.py`.

It starts a server, plays a match in Chromium, steered by Playwright, then teaches a class,
and writes docs/screens/*.png. They are not made again by `make reference`: another machine's fonts
would draw other bytes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "screens"
NUMDUEL = Path(sys.executable).with_name("numduel")
WINDOW = {"width": 640, "height": 690}
PROJECTOR, TABLET = {"width": 840, "height": 560}, {"width": 360, "height": 660}
PUPILS = [
    "Ada",
    "Ben",
    "Cleo",
    "Dan",
    "Eva",
    "Finn",
    "Gia",
    "Hugo",
    "Ida",
    "Jan",
    "Kim",
    "Lea",
    "Max",
    "Noa",
    "Ole",
]
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
    """Win from 25, where every reply is forced: leave a multiple of ten each turn."""
    page.goto(f"{address}?board=digit-subtraction-duel:25&opponent=beginner")
    ply = "0"
    while not page.locator("#over").count():
        if ply == "2":
            save(page, "play")
        page.locator("#moves button", has_text=re.compile(r"leaves \d*0$")).click()
        page.wait_for_selector(f'{MINE}:not([data-ply="{ply}"]), #over')
        ply = page.get_attribute("#table", "data-ply") or ""
    page.set_viewport_size({"width": 520, "height": 440})
    page.evaluate("document.querySelector('#map').scrollIntoView()")
    save(page, "map")


_SHOWN_ELSEWHERE = """
document.querySelector("#only-here")?.closest(".notice").remove();
document.querySelector(".address strong").textContent = "numduel.example/class";
"""
"""On a server that a school can reach, there is no warning, and another address."""


class Pupil:
    """A pupil without a browser: looks at the page, and presses buttons by chance."""

    def __init__(self, asks: APIRequestContext, address: str, at: str, name: str) -> None:
        self._asks, self._address, self.at = asks, address.rstrip("/"), at
        self._random = Random(name)
        self._asks.get(self._address + at)
        self.send(f"{at}/join", name=name)

    def send(self, path: str, **form: str) -> None:
        """Send a form."""
        self._asks.post(self._address + path, form=form, headers={"Origin": self._address})

    def press(self) -> None:
        """One of the buttons for a move or a vote, if there are any."""
        text = self._asks.get(self._address + self.at).text()
        form = re.search(r'<form id="(?:moves|vote)".*?</form>', text, re.DOTALL)
        moves = re.findall(r'name="move" value="(.*?)"', form[0]) if form else []
        if form and moves:
            action = re.findall(r'action="(.*?)"', form[0])[0]
            hidden = re.findall(r'type="hidden" name="(.*?)" value="(.*?)"', form[0])
            self.send(action, **dict(hidden), move=self._random.choice(moves))


def teach(chromium: Browser, address: str) -> None:
    """The hour of docs/teach.md, with a teacher, a tablet, and fifteen other pupils."""
    teacher = chromium.new_page(viewport=PROJECTOR, reduced_motion="reduce")
    teacher.goto(f"{address}class")
    teacher.click("#start-class button")
    path = "/class/" + teacher.url.split("/")[4]
    at = address.rstrip("/") + path
    tablet = chromium.new_page(viewport=TABLET, reduced_motion="reduce")
    tablet.goto(at)
    tablet.fill("#name", "Mia")
    save(tablet, "class-join")
    tablet.click("#join button")
    pupils = [Pupil(chromium.new_context().request, address, path, name) for name in PUPILS]
    teacher.wait_for_selector("#roster > li:nth-child(16)")
    teacher.evaluate(_SHOWN_ELSEWHERE)
    save(teacher, "class-start")
    teacher.fill("#number", "25")
    teacher.click("#round button.large")
    tablet.wait_for_selector("#table")
    for _ in range(2):
        for pupil in pupils:
            pupil.press()
    save(tablet, "class-table")
    teacher.goto(f"{at}/wall")
    save(teacher, "class-wall")
    teacher.goto(f"{at}/discuss")
    teacher.fill("#number", "23")
    teacher.click("#ask button")
    tablet.click("#vote button >> nth=1")
    for pupil in pupils:
        pupil.press()
    for told in ("#votes", "#reply", "#reason"):
        teacher.click(".steps-of-class .primary")
        teacher.wait_for_selector(told)
    teacher.evaluate("scrollTo(0, 0)")
    save(teacher, "class-discuss")
    teacher.click("text=Close the question")
    teacher.click("text=Go on playing")
    tablet.wait_for_selector("#table")
    for _ in range(30):
        for pupil in pupils:
            pupil.press()
    teacher.goto(f"{at}/map")
    teacher.click("text=Let pupils guess")
    tablet.wait_for_selector("#guesses")
    for number in (30, 40, 50):
        tablet.click(f'.guess[value="{number}:trap"]')
        tablet.wait_for_selector(f'.guess[value="{number}:no-trap"]')
    for pupil in pupils[:5]:
        pupil.send(f"{path}/guess", guess="30:trap")
    teacher.wait_for_selector("text=8 guesses so far.")
    save(teacher, "class-map", ".split > .card")
    save(tablet, "class-guess")
    teacher.click("text=Unveil the true map")
    teacher.wait_for_selector("#found")
    save(teacher, "class-unveiled", ".split")


def save(page: Page, name: str, part: str = "") -> None:
    """A picture of the window, or of a part of the page."""
    file = FOLDER / f"{name}.png"
    (page.locator(part) if part else page).screenshot(path=file)
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
        teach(chromium, address)
        chromium.close()
