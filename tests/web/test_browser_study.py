"""Learning in a browser: tutorials, puzzles, a rule of one's own, a match looked back at."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest

from numduel.games import load
from numduel.running.puzzle_sheet import make_sheet
from numduel.study.lessons import Asks, lesson_of
from numduel.study.puzzles import KINDS, Puzzle, daily_puzzle
from web.browser import LAPTOP, PHONE, Browsers, Visitor, assert_stayed, expect, mark
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
    for tile in anna.page.locator(".colouring label").all():
        box = tile.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    for n in step.lost:
        anna.page.focus(f'input[value="{n}"]')
        anna.page.keyboard.press("Space")
    shade = "cell => getComputedStyle(cell).backgroundColor"
    ticked = anna.page.locator("li:has(input:checked)").first.evaluate(shade)
    assert ticked != anna.page.locator("li:has(input:not(:checked))").first.evaluate(shade)
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


def puzzle_of(anna: Visitor) -> Puzzle:
    """The puzzle that the page shows: midnight may have passed since the test began."""
    shown = anna.page.get_attribute("time", "datetime")
    assert shown is not None
    return daily_puzzle(date.fromisoformat(shown))


def answer(anna: Visitor, text: str) -> None:
    """Press the button of the move, or type it where there are many; wait for what is said."""
    button = anna.page.locator(f'main button[name="answer"][value="{text}"]')
    if not button.count():
        anna.page.fill("#answer", text)
        button = anna.page.locator("main form button.primary")
    with anna.page.expect_navigation():
        button.click()


def keep(anna: Visitor, text: str) -> None:
    anna.page.evaluate("localStorage.clear()")
    anna.page.evaluate("text => localStorage.setItem('numduel.puzzles', text)", text)
    anna.go("/puzzle")


def test_the_first_answer_counts_and_no_later_one(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.go("/puzzle")
    anna.see(".streak", "Today's puzzle is waiting for your first answer.")
    puzzle = puzzle_of(anna)
    moves = {puzzle.board.write_move(move) for move in puzzle.board.moves()}
    texts = set()
    for wrong in sorted(moves - {puzzle.solution})[:2]:
        answer(anna, wrong)
        texts.add(anna.page.input_value("#share"))
    assert len(texts) == 1, "nothing of the answer is in it"
    anna.see(".streak", "Your first answer today was wrong.")
    anna.go("/puzzle")
    expect(anna.page.locator("#counts")).to_have_count(0)
    answer(anna, puzzle.solution)
    anna.see(".notice.good", "Solved!")
    assert "Solved, but not on the first try." in anna.page.input_value("#share")
    anna.see(".streak", "0 of 1 day solved on the first try")
    kept = anna.page.evaluate("localStorage.getItem('numduel.puzzles')")
    assert json.loads(kept) == {puzzle.day: False}, "a later answer does not count"
    assert not anna.page.locator("button[data-share]").is_visible()
    # What is solved stays so for whoever comes back; another day's is not.
    said, form = anna.page.inner_text("main"), anna.page.locator("main form[method=post]")
    anna.go("/puzzle")
    anna.see(".notice.good", "Solved!")
    assert anna.page.inner_text("main") == said
    expect(form).to_have_count(0)
    anna.go(f"/puzzle?day={date.fromisoformat(puzzle.day or '') - timedelta(days=1)}")
    expect(form).to_be_visible()
    for nonsense in ("{", "7", '{"2026-01-01": "x"}'):
        keep(anna, nonsense)
        anna.see(".in-a-row", "No streak yet")


def test_days_in_a_row_are_counted_and_told_to_friends(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    # Chromium has no way to share here, so one is put in its place.
    anna.prepare("navigator.share = async what => { window.shared = what.text }")
    day = datetime.now(UTC).date() - timedelta(days=3)
    anna.go(f"/puzzle?day={day}")
    answer(anna, daily_puzzle(day).solution)
    kept = anna.page.evaluate("localStorage.getItem('numduel.puzzles')")
    assert kept is None, "another day's does not count"
    assert anna.page.locator(".streak").count() == 0
    anna.go("/puzzle")
    puzzle = puzzle_of(anna)
    today = date.fromisoformat(puzzle.day or "")
    before = {1: True, 2: True, 3: False, 4: True}
    days = {str(today - timedelta(days)): right for days, right in before.items()}
    keep(anna, json.dumps(days))
    anna.see(".in-a-row", "2 days in a row")
    answer(anna, puzzle.solution)
    anna.see(".in-a-row", "3 days in a row")
    anna.see(".streak", "4 of 5 days solved on the first try")
    told = anna.page.locator(".days li").all_inner_texts()
    assert [text.partition(": ")[2] for text in told[-5:]] == [
        "solved on the first try",
        "not solved on the first try",
        *["solved on the first try"] * 3,
    ]
    shared = anna.page.input_value("#share")
    assert shared.splitlines()[1:3] == [
        "Solved on the first try. 3 days in a row. Can you?",
        f"{anna.server.address}puzzle?day={today}",
    ]
    assert str(puzzle.board) not in shared, "no board, and no answer"
    anna.page.click("button[data-share]")
    assert anna.page.evaluate("window.shared") == shared


_PAGE = re.compile(rb"/Type\s*/Page\b")


@pytest.mark.parametrize(
    ("kind", "seeds"),
    [(None, "a"), *(pytest.param(kind, "abc", marks=pytest.mark.soak) for kind in [None, *KINDS])],
)
def test_twelve_puzzles_are_printed_on_one_page_and_their_answers_on_another(
    server: Server, browsers: Browsers, kind: str | None, seeds: str
) -> None:
    anna = browsers.visitor(server)
    for seed in seeds:
        anna.page.set_content(make_sheet(seed, kind, None, 12, "numduel puzzle --sheet x.html"))
        for paper in ("A4", "Letter"):
            printed = anna.page.pdf(format=paper)
            assert len(_PAGE.findall(printed)) == 2, (seed, paper)


def test_the_rule_follows_each_tap(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    page = anna.go("/make?rule=subtract-1-3-4&number=21")
    mark(anna)

    def tap(words: str) -> None:
        page.get_by_label(words, exact=True).click()

    tap("4")
    anna.see("#says", "Take away 1 or 3.")
    expect(page.locator("#make .hundred .lost")).to_have_count(25)  # every even number
    tap("halve")
    expect(page.locator("#make .hundred")).to_be_in_viewport(ratio=1)  # still above the tiles
    anna.see("#says", "Halve the number if it is even, or take away 1 or 3.")
    assert page.url.endswith("/make?rule=halve-or-subtract-1-3&number=21")
    tap("any amount")
    anna.see("#says", "Take away any amount.")
    expect(page.get_by_label("3", exact=True)).not_to_be_checked()
    tap("5")
    anna.see("#says", "Take away 5.")
    tap("5")
    anna.see("#made", "No rule yet")
    anna.see("#news", "Choose at least one thing that a turn may do.")
    tap("1")
    page.click("#more summary")
    page.fill("#from", "5")
    page.fill("#to", "30")
    page.press("#to", "Enter")
    anna.see("#says", "Take away 1 or 5 to 30.")
    assert_stayed(anna)
    page.fill("#rule", "subtract-primes")
    page.press("#rule", "Enter")
    anna.see("#rule-wrong", "Did you mean subtract-prime?")
    anna.see("#news", "Did you mean subtract-prime?")
    assert anna.focused == "rule"
    page.click("#more a")
    anna.see("#says", "Take away a prime.")
    anna.go("/make?rule=subtract-primes")
    expect(page.locator("#rule-wrong")).to_be_in_viewport(ratio=1)


def test_a_match_is_looked_back_at_and_copied(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server)
    anna.prepare("delete Navigator.prototype.share;")
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    word = "divisor-duel:60/15.15.2.14.7"
    page = anna.go(f"replay?match={word}")
    mark(anna)
    for key, left, hops in (("Right", "45", 1), ("Right", "30", 2), ("Left", "45", 1)):
        page.keyboard.press(f"Arrow{key}")
        anna.see(".number", left)
        expect(page.locator(".hop")).to_have_count(hops)
    # It plays by itself to its end, and then from the start; nothing is loaded again.
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Stop")
    anna.see("#happened", "Player 1 wins.")
    expect(page.locator("#play")).to_have_text("Play it")
    page.click("#play")
    anna.see("#where", "The start")
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Play it")
    assert_stayed(anna)
    for window in ((390, 664), LAPTOP):
        anna.resize(window)
        anna.go(f"analysis?match={word}")
        box = page.locator("img.path").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= window[0]
        expect(page.locator(".number-line .hop")).to_have_count(5)
    anna.go(f"replay?match=subtract-1-3-4:90/{'.'.join('1' * 60)}&turn=45")
    expect(page.locator(".turns [aria-current]")).to_be_in_viewport(ratio=1)
    anna.go(f"explore?board=divisor-duel:{2**89 - 1}")
    page.click("button[data-copy]")
    anna.see("#news", "Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == str(2**89 - 1)
