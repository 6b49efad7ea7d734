"""Real browsers, for tests: Debian's Chromium, steered by Playwright.

Each visitor has a window of their own, and no cookie of another. A new window costs as much as
four pages: one that somebody has left is cleared and given to the next.
"""

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Playwright,
    Response,
    Route,
    expect,
    sync_playwright,
)

from patience import PATIENT, until
from web.accessible import found_by_axe
from web.server import Server

FLAGS = [
    "--no-sandbox",  # tests run as root in places
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--in-process-gpu",
    "--disable-site-isolation-trials",  # which start a process in advance
]
LAPTOP, PHONE, ZOOMED = (1280, 800), (360, 740), (320, 640)
"""Windows; the last is what is left of a laptop's at 400% zoom."""

_FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
"""What tells Chromium where to keep things: somewhere private, and only for a test."""

_FOCUSED = "(e => e.id || `${e.localName} ${e.value || e.innerText}`)(document.activeElement)"
LOST = ("WebSocket connection to", "Failed to load resource: net::ERR_")
"""What the console says without a network, or of a server that is not there."""
_STATUS = "the server responded with a status of"
"""Chromium complains of every answer of 400 and more; `refused` holds those."""


class Visitor:
    def __init__(self, browsers: "Browsers", browser: Browser) -> None:
        self._browsers = browsers
        self.worn = False
        """Has something been done to the window that nothing undoes?"""
        self.context = browser.new_context()
        self.context.set_default_timeout(PATIENT * 1000)
        self.complaints: list[str] = []
        """What the console says, what scripts did not catch, and what pops up."""
        self.refused: list[tuple[int, str]] = []
        self.asked: list[str] = []
        self._prepared: list[Any] = []
        self.context.on("console", self._complained)
        self.context.on("weberror", lambda failed: self.complaints.append(str(failed.error)))
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.context.on("response", self._answered)
        self.page = self.context.new_page()
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))
        self.page.on("dialog", self._popped_up)

    def come(self, server: Server, window: tuple[int, int], look: dict[str, Any]) -> None:
        self.server = server
        for heard in (self.complaints, self.refused, self.asked):
            heard.clear()
        self.resize(window)
        plain = {"color_scheme": "light", "reduced_motion": "reduce", "forced_colors": "none"}
        self.page.emulate_media(**{**plain, **look})  # what moves costs time

    def resize(self, window: tuple[int, int]) -> None:
        """Give the window this size, and wait until it has it: what is drawn then moves no more."""
        self.page.set_viewport_size({"width": window[0], "height": window[1]})
        self.wait("width => innerWidth === width", window[0])

    def prepare(self, script: str) -> None:
        self._prepared.append(self.context.add_init_script(script))

    def _popped_up(self, dialog: Dialog) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def _complained(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and _STATUS not in message.text:
            self.complaints.append(message.text)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append((response.status, urlsplit(response.url).path))

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    @property
    def focused(self) -> str:
        return str(self.page.evaluate(_FOCUSED))

    def go(self, path: str) -> Page:
        self.page.goto(self.server.address + path.lstrip("/"))
        return self.page

    def see(self, selector: str, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator(selector)).to_contain_text(text)

    def see_turns(self, count: int) -> None:
        """Wait until the page shows so many turns of a match, and no number counts down."""
        expect(self.page.locator("#table")).to_have_attribute("data-ply", str(count))
        expect(self.page.locator(".counting")).to_have_count(0)

    def see_focus(self, wanted: str) -> None:
        self.wait(f"wanted => {_FOCUSED} === wanted", wanted)

    def wait(self, script: str, arg: Any) -> Any:
        """Wait until the script finds something, and what it finds."""
        return self.page.wait_for_function(script, arg=arg, polling=50).json_value()

    def stop_time(self) -> None:
        """No timer of a page goes off any more: what is shown for a moment stays."""
        self.worn = True
        self.context.clock.install(time=0)
        self.context.clock.pause_at(1)

    def tab_to(self, wanted: str, key: str = "Tab") -> None:
        for _ in range(150):
            if self.focused == wanted:
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to {wanted}")

    def move(self, move: str) -> None:
        self.page.click(f'#moves button[value="{move}"]')

    def check(self) -> None:
        assert self.complaints == []
        here = (self.server.address, self.server.live_address)
        elsewhere = [url for url in self.asked if not url.startswith((*here, "data:image/"))]
        assert elsewhere == [], "asked for elsewhere"

    def leave(self) -> None:
        """Forget everything, and leave the window to the next."""
        if self not in self._browsers.here:
            return
        self._browsers.here.remove(self)
        if self.worn:
            self.context.close()
            return
        for script in self._prepared:
            script.close()
        self._prepared.clear()
        self.page.unroute_all(behavior="ignoreErrors")
        with suppress(Error):  # no page was opened, or none that may keep anything
            self.page.evaluate("localStorage.clear(), sessionStorage.clear()")
        self.page.goto("about:blank")
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.set_offline(False)
        self._browsers.free.append(self)


class Held:
    """What a visitor sends to such addresses, kept back until the test lets it through."""

    def __init__(self, visitor: Visitor, addresses: str) -> None:
        self._page, self.routes = visitor.page, list[Route]()
        visitor.page.route(addresses, lambda route: self.routes.append(route))

    def next(self) -> Route:
        """What is on its way, once it is: alone."""
        until(lambda: self._page.evaluate("null") or self.routes)
        (route,) = self.routes
        self.routes.clear()
        return route


class Browsers:
    """One Chromium, started when it is asked for, and its windows."""

    def __init__(self, playwright: Playwright, program: str, home: str) -> None:
        self._playwright, self._program, self._home = playwright, program, home
        self._running: Browser | None = None
        self.here: list[Visitor] = []
        self.free: list[Visitor] = []
        self._loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)

    @contextmanager
    def visited(self) -> Iterator[None]:
        """Let Playwright work. At other times, tests may run loops of their own in this thread."""
        asyncio._set_running_loop(self._loop)
        try:
            yield
            for visitor in self.here:
                visitor.check()
        finally:
            for visitor in [*self.here]:
                visitor.leave()
            asyncio._set_running_loop(None)

    def _start(self) -> Browser:
        return self._playwright.chromium.launch(
            executable_path=self._program,
            args=FLAGS,
            timeout=PATIENT * 1000,
            env={**os.environ, **dict.fromkeys(_FOLDERS, self._home)},
        )

    def visitor(self, server: Server, window: tuple[int, int] = LAPTOP, **look: Any) -> Visitor:
        self._running = self._running or self._start()
        visitor = self.free.pop() if self.free else Visitor(self, self._running)
        self.here.append(visitor)
        visitor.come(server, window, look)
        return visitor


@contextmanager
def browsing() -> Iterator[Browsers]:
    """Browsers to be used in one thread; skips where Chromium is not installed."""
    program = shutil.which("chromium") or "/usr/bin/chromium"
    if not Path(program).exists():
        pytest.skip("Chromium is not installed")
    with (
        tempfile.TemporaryDirectory(prefix="numduel-browser-", ignore_cleanup_errors=True) as home,
        sync_playwright() as playwright,
    ):
        expect.set_options(timeout=PATIENT * 1000)
        browsers = Browsers(playwright, program, home)
        try:
            yield browsers
        finally:
            asyncio._set_running_loop(browsers._loop)
            if browsers._running:
                browsers._running.close()


def invite(host: Visitor, guest: Visitor, start: str = "/?game=subtract-a-prime") -> str:
    """Open a room for a friend, who sits down; the room's path."""
    host.go(start)
    host.page.click("#friend")
    host.see("#turn", "Waiting for your friend")
    link = host.page.input_value("#link")
    assert link == host.page.url
    guest.page.goto(link)
    assert found_by_axe(guest.page) == [], "an invitation"
    guest.page.click("#sit button")
    expect(guest.page.locator("#moves")).to_be_attached()
    expect(host.page.locator("#moves")).to_be_attached()
    return host.path


def mark(*visitors: Visitor) -> None:
    """Leave a mark that a reload would wipe out."""
    for visitor in visitors:
        visitor.page.evaluate("window.stayed = true")


def assert_stayed(*visitors: Visitor) -> None:
    """No page was loaded again since the mark, and nothing was wrong with any."""
    for visitor in visitors:
        assert visitor.page.evaluate("window.stayed === true"), "the page was loaded again"
        visitor.check()
