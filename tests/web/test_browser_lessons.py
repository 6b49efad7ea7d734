"""Tutorials in a browser: ticks that stay there, and numbers to colour."""

from __future__ import annotations

from numduel.games import load
from numduel.study.lessons import Asks, lesson_of
from web.browser import PHONE, Browsers, expect
from web.server import Server

KEY = "divisor-duel"
STEPS = lesson_of(load(KEY))
COLOURING = 1 + [step.asks for step in STEPS].index(Asks.TRAPS)


def test_a_tutorial_and_its_ticks_which_stay_here(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.go(f"/learn/{KEY}")
    assert anna.page.locator(".steps .done").count() == 0
    anna.page.click('main button[value="2"]')
    expect(anna.page.locator(".notice.bad")).to_be_visible()
    assert anna.page.locator(".steps .done").count() == 0, "a wrong answer is no step done"
    anna.page.click('main button[value="3"]')
    expect(anna.page.locator(".steps .done")).to_have_count(1)
    anna.page.click("text=Next step")
    expect(anna.page.locator("[aria-current=step]")).to_have_text("Step 2: Odd numbers")
    expect(anna.page.locator(".steps .done")).to_have_text(["Step 1: No divisor left, done"])
    # Numbers are coloured by keyboard.
    step = STEPS[COLOURING - 1]
    anna.go(f"/learn/{KEY}?step={COLOURING}")
    gold = anna.page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--gold')"
    )
    for n in step.lost:
        anna.page.focus(f'input[value="{n}"]')
        anna.page.keyboard.press("Space")
    cell = anna.page.locator(f'li:has(input[value="{step.lost[0]}"])')
    shade = cell.evaluate("cell => getComputedStyle(cell).backgroundColor")
    red, green, blue = (int(gold.strip()[at : at + 2], 16) for at in (1, 3, 5))
    assert shade == f"rgb({red}, {green}, {blue})"
    anna.page.keyboard.press("Enter")
    anna.see(".notice.good", "Right!")
    expect(anna.page.locator(".hundred .lost")).to_have_count(len(step.lost))
    anna.go(f"/learn/{KEY}?step={len(STEPS) + 1}")
    anna.see(".ticks", f"3 of {len(STEPS)} steps done")
    anna.go("/learn")
    anna.see(f".ticks[data-lesson={KEY}]", f"3 of {len(STEPS)} steps done")
    assert anna.page.inner_text(".ticks[data-lesson=power-play]") == ""
    anna.page.evaluate("localStorage.setItem('numduel.lessons', '{\"divisor-duel\": 7}')")
    anna.page.reload()
    assert anna.page.inner_text(f".ticks[data-lesson={KEY}]") == "", "nonsense is no tick"
