"""Explore in a browser: the whole number is copied, and a map is saved."""

from __future__ import annotations

from pathlib import Path

from web.browser import PHONE, Browsers, expect
from web.server import Server


def test_the_whole_number_is_copied(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE, permissions=["clipboard-read", "clipboard-write"])
    anna.stop_time()
    anna.go("/explore")
    anna.page.fill("#number", "2^89-1")
    anna.page.click("form:has(#number) button.primary")
    anna.see("h2#map", f"around {2**89 - 1}")
    anna.page.click("button[data-copy]")
    expect(anna.page.locator("button[data-copy]")).to_have_text("Copied")
    assert anna.page.evaluate("navigator.clipboard.readText()") == str(2**89 - 1)
    anna.see("#news", "Copied.")
    anna.check()
    anna.leave()


def test_a_map_is_saved_without_scripts(server: Server, browsers: Browsers, tmp_path: Path) -> None:
    anna = browsers.visitor(server, PHONE, java_script_enabled=False)
    anna.go("/explore?board=divisor-duel:10^12")
    for kind in ("CSV", "SVG"):
        with anna.page.expect_download() as coming:
            anna.page.click(f"main a:has-text('{kind}')")
        assert coming.value.suggested_filename == f"divisor-duel.{kind.lower()}"
        coming.value.save_as(tmp_path / kind)
        assert (tmp_path / kind).stat().st_size > 1000
    anna.leave()
