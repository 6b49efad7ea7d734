"""The puzzle of the day in a browser: what counts, what is kept there, and what is shared."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

from numduel.study.puzzles import Puzzle, daily_puzzle
from web.browser import PHONE, Browsers, Visitor, expect
from web.server import Server


def puzzle_of(anna: Visitor) -> Puzzle:
    """The puzzle that the page shows: midnight may have passed since the test began."""
    shown = anna.page.get_attribute("time", "datetime")
    assert shown is not None
    return daily_puzzle(date.fromisoformat(shown))


def wrong_moves(puzzle: Puzzle) -> list[str]:
    moves = [puzzle.board.write_move(move) for move in puzzle.board.moves()]
    return [move for move in moves if move != puzzle.solution]


def answer(anna: Visitor, text: str) -> None:
    """Press the button of the move, or type it where there are many; wait for what is said."""
    button = anna.page.locator(f'main button[name="answer"][value="{text}"]')
    if not button.count():
        anna.page.fill("#answer", text)
        button = anna.page.locator("main form button.primary")
    with anna.page.expect_navigation():
        button.click()
    # The last that scripts do.
    expect(anna.page.locator("button[data-copy]")).to_be_visible()


def keep(anna: Visitor, text: str) -> None:
    anna.page.evaluate("localStorage.clear()")
    anna.page.evaluate("text => localStorage.setItem('numduel.puzzles', text)", text)
    anna.go("/puzzle")


def test_the_first_answer_counts_and_no_later_one(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.go("/puzzle")
    anna.see(".streak", "Today's puzzle is waiting for your first answer.")
    puzzle = puzzle_of(anna)
    texts = []
    for wrong in wrong_moves(puzzle)[:2]:
        answer(anna, wrong)
        texts.append(anna.page.input_value("#share"))
    assert texts[0] == texts[1], "nothing of the answer is in it"
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
    expect(anna.page.locator("button[data-copy]")).to_be_visible()
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
