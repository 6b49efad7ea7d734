"""The puzzle of the day in a browser: what counts, what is kept there, and what is shared."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from numduel.study.puzzles import Puzzle, daily_puzzle
from web.browser import PHONE, Browsers, Visitor, expect
from web.server import Server


@pytest.fixture
def anna(server: Server, browsers: Browsers) -> Visitor:
    return browsers.visitor(server, PHONE)


def puzzle_of(anna: Visitor) -> Puzzle:
    """The puzzle that the page shows: midnight may have passed since the test began."""
    shown = anna.page.get_attribute("time", "datetime")
    assert shown is not None
    return daily_puzzle(date.fromisoformat(shown))


def wrong_moves(puzzle: Puzzle) -> list[str]:
    moves = [puzzle.board.write_move(move) for move in puzzle.board.moves()]
    return [move for move in moves if move != puzzle.solution]


def answer(anna: Visitor, text: str, scripts: bool = True) -> None:
    """Press the button of the move, or type it where there are many; wait for what is said."""
    button = anna.page.locator(f'main button[name="answer"][value="{text}"]')
    if not button.count():
        anna.page.fill("#answer", text)
        button = anna.page.locator("main form button.primary")
    with anna.page.expect_navigation():
        button.click()
    if scripts:  # the last that they do
        expect(anna.page.locator("button[data-copy]")).to_be_visible()


def kept(anna: Visitor) -> dict[str, bool]:
    found: dict[str, bool] = json.loads(
        anna.page.evaluate("localStorage.getItem('numduel.puzzles')")
    )
    return found


def keep(anna: Visitor, days: dict[str, bool]) -> None:
    anna.page.evaluate("text => localStorage.setItem('numduel.puzzles', text)", json.dumps(days))
    anna.page.reload()


def test_the_first_answer_counts_and_no_later_one(anna: Visitor) -> None:
    anna.go("/puzzle")
    anna.see(".streak", "Today's puzzle is waiting for your first answer.")
    puzzle = puzzle_of(anna)
    answer(anna, wrong_moves(puzzle)[0])
    assert kept(anna) == {puzzle.day: False}
    anna.see(".streak", "Your first answer today was wrong.")
    answer(anna, puzzle.solution)
    anna.see(".notice.good", "Solved!")
    assert kept(anna) == {puzzle.day: False}, "a later answer does not count"
    assert "Solved, but not on the first try." in anna.page.input_value("#share")
    anna.see(".streak", "0 of 1 day solved on the first try")
    anna.check()
    anna.leave()


def test_a_solved_day_stays_solved_and_another_does_not(anna: Visitor) -> None:
    """Whoever comes back sees what the answer was told. A wrong answer solves nothing."""
    anna.go("/puzzle")
    puzzle = puzzle_of(anna)
    answer(anna, wrong_moves(puzzle)[0])
    anna.go("/puzzle")
    anna.see("main", "Exactly one move wins.")
    expect(anna.page.locator("main form[method=post]")).to_be_visible()
    expect(anna.page.locator("#counts")).to_have_count(0)
    answer(anna, puzzle.solution)
    said = anna.page.inner_text("main")
    for _ in range(2):
        anna.go("/puzzle")
        anna.see(".notice.good", "Solved!")
        expect(anna.page.locator("main form[method=post]")).to_have_count(0)
        expect(anna.page.locator("button[data-copy]")).to_be_visible()
        assert anna.page.inner_text("main") == said
    assert kept(anna) == {puzzle.day: False}, "nothing more counts"
    anna.go(f"/puzzle?day={date.fromisoformat(puzzle.day or '') - timedelta(days=1)}")
    expect(anna.page.locator("main form[method=post]")).to_be_visible()
    anna.check()
    anna.leave()


def test_days_in_a_row_are_counted_and_told_to_friends(anna: Visitor) -> None:
    anna.go("/puzzle")
    puzzle = puzzle_of(anna)
    today = date.fromisoformat(puzzle.day or "")
    before = {1: True, 2: True, 3: False, 4: True}
    keep(anna, {str(today - timedelta(days)): right for days, right in before.items()})
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
    lines = anna.page.input_value("#share").splitlines()
    assert lines[1] == "Solved on the first try. 3 days in a row. Can you?"
    assert lines[2] == f"{anna.server.address}puzzle?day={today}"
    assert str(puzzle.board) not in " ".join(lines), "no board, and no answer"
    anna.leave()


def test_the_shared_text_is_the_same_whatever_the_answer(anna: Visitor) -> None:
    """Nothing of the answer is in it: two wrong moves make the same text."""
    anna.go("/puzzle")
    texts = []
    for wrong in wrong_moves(puzzle_of(anna))[:2]:
        answer(anna, wrong)
        texts.append(anna.page.input_value("#share"))
    assert texts[0] == texts[1]
    anna.leave()


def test_other_days_and_other_puzzles_do_not_count(anna: Visitor) -> None:
    day = datetime.now(UTC).date() - timedelta(days=3)
    anna.go(f"/puzzle?day={day}")
    answer(anna, daily_puzzle(day).solution)
    assert anna.page.evaluate("localStorage.getItem('numduel.puzzles')") is None
    assert anna.page.locator(".streak").count() == 0
    anna.page.click("text=A harder one")
    expect(anna.page.locator("h1")).to_have_text("Puzzle")
    anna.leave()


def test_what_is_kept_may_be_nonsense(anna: Visitor) -> None:
    anna.go("/puzzle")
    for nonsense in ("{", "7", "null", '{"2026-01-01": "x"}'):
        script = "text => localStorage.setItem('numduel.puzzles', text)"
        anna.page.evaluate(script, nonsense)
        anna.page.reload()
        anna.see(".in-a-row", "No streak yet")
    anna.check()
    anna.leave()


def test_the_phone_s_own_way_to_share_is_offered_where_there_is_one(anna: Visitor) -> None:
    """Chromium has none here, so one is put in its place."""
    anna.go("/puzzle")
    answer(anna, puzzle_of(anna).solution)
    assert not anna.page.locator("button[data-share]").is_visible()
    anna.context.add_init_script("navigator.share = async what => { window.shared = what.text }")
    anna.go("/puzzle")
    anna.page.click("button[data-share]")
    assert anna.page.evaluate("window.shared") == anna.page.input_value("#share")
    anna.leave()


def test_the_puzzle_of_the_day_without_scripts(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE, java_script_enabled=False)
    anna.go("/puzzle")
    puzzle = puzzle_of(anna)
    answer(anna, wrong_moves(puzzle)[0], scripts=False)
    anna.see(".notice.bad", "does not win.")
    answer(anna, puzzle.solution, scripts=False)
    anna.see(".notice.good", "Solved!")
    assert "Solved! Can you?" in anna.page.input_value("#share")
    anna.see(".streak", "This browser counts your days in a row if scripts are on.")
    assert not anna.page.locator("button[data-copy]").is_visible()
    anna.check()
    anna.leave()
