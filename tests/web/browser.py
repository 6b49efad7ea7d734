"""Real browsers, for tests: Debian's Chromium, steered by Playwright.

    with browsing() as browsers, browsers.awake():
        anna, ben = browsers.visitor(server), browsers.visitor(server, apart=True)
        anna.go("")                     # home
        anna.page.click("text=Play a friend")
        ben.go(anna.path)
        anna.check()                    # nothing failed, nothing came from elsewhere

Each visitor has a context of its own: no cookie of another, a window of its own.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Response,
    Route,
    expect,
    sync_playwright,
)

from patience import PATIENT, until
from web.server import Server

FLAGS = [
    "--no-sandbox",  # tests run as root in places
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LAPTOP, PHONE, ZOOMED = (1280, 800), (360, 740), (320, 640)
"""Windows; the last is what is left of a laptop's at 400% zoom."""

_FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
"""What tells Chromium where to keep things: somewhere private, and only for a test."""

_FOCUSED = "(e => e.id || `${e.localName} ${e.value || e.innerText}`)(document.activeElement)"
_MY_TURN = """after => {
  const { ply, mine, over } = document.getElementById("table")?.dataset ?? {};
  if (!(Number(ply) > after) || (mine !== "yes" && over !== "yes")) return null;
  return { turns: over === "yes" ? 0 : Number(ply) };
}"""
_STATUS = "the server responded with a status of"
"""Chromium complains of every answer of 400 and more; `refused` holds those."""


class Visitor:
    """Somebody with a browser: a page, and what went on behind it."""

    def __init__(self, browser: Browser, server: Server, window: tuple[int, int], **how: Any):
        width, height = window
        self.server = server
        self.context = browser.new_context(
            base_url=server.address, viewport={"width": width, "height": height}, **how
        )
        self.context.set_default_timeout(PATIENT * 1000)
        self.complaints: list[str] = []
        """What the console says, and what scripts did not catch."""
        self.refused: list[tuple[int, str]] = []
        """Answers of 400 and more: status and path."""
        self.asked: list[str] = []
        """Every address that was asked for."""
        self.context.on("console", self._complained)
        self.context.on("weberror", lambda failed: self.complaints.append(str(failed.error)))
        self.context.on("request", self._asked)
        self.context.on("response", self._answered)
        self.page: Page = self.context.new_page()
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))

    def _complained(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and _STATUS not in message.text:
            self.complaints.append(message.text)

    def _asked(self, request: Request) -> None:
        self.asked.append(request.url)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.refused.append((response.status, urlsplit(response.url).path))

    @property
    def path(self) -> str:
        """Where the page is, without the server."""
        return urlsplit(self.page.url).path

    @property
    def focused(self) -> str:
        """What has the focus: its id, or what it is and says."""
        return str(self.page.evaluate(_FOCUSED))

    def go(self, path: str) -> Page:
        """Open this path."""
        self.page.goto(path.lstrip("/"))
        return self.page

    def see(self, selector: str, text: str | re.Pattern[str]) -> None:
        """Wait until the element holds the text."""
        expect(self.page.locator(selector)).to_contain_text(text)

    def see_turns(self, count: int) -> None:
        """Wait until the page shows so many turns of a match, and no number counts down."""
        expect(self.page.locator("#table")).to_have_attribute("data-ply", str(count))
        expect(self.page.locator(".counting")).to_have_count(0)

    def wait_for_turn(self, after: int) -> int:
        """Wait until it is this visitor's turn again; how many were taken, or 0 at the end."""
        return int(self.page.wait_for_function(_MY_TURN, arg=after).json_value()["turns"])

    def see_focus(self, wanted: str) -> None:
        """Wait until this has the focus."""
        self.page.wait_for_function(f"wanted => {_FOCUSED} === wanted", arg=wanted)

    def stop_time(self) -> None:
        """No timer of a page goes off any more: what is shown for a moment stays."""
        self.context.clock.install(time=0)
        self.context.clock.pause_at(1)

    def go_on(self) -> None:
        """Let time pass again."""
        self.context.clock.resume()

    def move(self, move: str) -> None:
        """Press the button of a move, once there is one."""
        self.page.click(f'#moves button[value="{move}"]')

    def check(self) -> None:
        """Nothing was complained of, and nothing was asked for elsewhere."""
        assert self.complaints == []
        here = (self.server.address, self.server.live_address)
        elsewhere = [url for url in self.asked if not url.startswith((*here, "data:image/"))]
        assert elsewhere == [], "asked for elsewhere"

    def leave(self) -> None:
        """Close the window, and forget everything."""
        self.context.close()


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
    """At most two Chromium processes, started when they are asked for."""

    def __init__(self, playwright: Playwright, program: str, home: str) -> None:
        self._playwright, self._program, self._home = playwright, program, home
        self._running: list[Browser] = []
        self._loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Let Playwright work; at other times, tests may run loops of their own in this thread."""
        asyncio._set_running_loop(self._loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)

    def _start(self) -> None:
        started = self._playwright.chromium.launch(
            executable_path=self._program,
            args=FLAGS,
            timeout=PATIENT * 1000,
            env={**os.environ, **dict.fromkeys(_FOLDERS, self._home)},
        )
        self._running.append(started)

    def visitor(
        self, server: Server, window: tuple[int, int] = LAPTOP, apart: bool = False, **how: Any
    ) -> Visitor:
        """Somebody new; in another process than most if they are to be `apart`."""
        while len(self._running) <= apart:
            self._start()
        return Visitor(self._running[apart], server, window, **how)

    def close(self) -> None:
        """Close every window and end every process."""
        for browser in self._running:
            for context in browser.contexts:
                context.close()
            browser.close()


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
            browsers.close()


def invite(host: Visitor, guest: Visitor, start: str = "/?game=subtract-a-prime") -> str:
    """Open a room for a friend, who sits down; the room's path."""
    host.go(start)
    host.page.click("#friend")
    host.see("#turn", "Waiting for your friend")
    link = host.page.input_value("#link")
    assert link == host.page.url
    guest.page.goto(link)
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


__all__ = [
    "LAPTOP",
    "PHONE",
    "ZOOMED",
    "Browsers",
    "Held",
    "Visitor",
    "assert_stayed",
    "browsing",
    "expect",
    "invite",
    "mark",
]
