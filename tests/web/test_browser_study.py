"""Learning in a browser: tutorials, puzzles, a rule of one's own, a match looked back at."""

import json
import re
from datetime import date, timedelta

import pytest

from numduel.board import Board
from numduel.games import load
from numduel.running.puzzle_sheet import make_sheet
from numduel.solver import Search
from numduel.study.duels import daily_duel
from numduel.study.lessons import Asks, lesson_of
from numduel.study.puzzles import KINDS, rising_puzzle
from web.browser import LAPTOP, PHONE, Browsers, Visitor, assert_stayed, expect, mark
from web.server import Server

SEARCH = Search()
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
    anna.page.click("text=Go on")
    expect(anna.page.locator("[aria-current=step]")).to_contain_text("Step 2")
    anna.go("/learn")
    assert anna.page.inner_text(".ticks[data-lesson=power-play]") == ""
    anna.page.evaluate("localStorage.setItem('numduel.lessons', '{\"divisor-duel\": 7}')")
    anna.page.reload()
    assert anna.page.inner_text(f".ticks[data-lesson={KEY}]") == "", "nonsense is no tick"


def play(anna: Visitor, move: str) -> None:
    """Press the button of the move; wait for what is said."""
    before = anna.page.inner_text("#said")
    anna.page.click(f'#moves button[value="{move}"]')
    expect(anna.page.locator("#said")).not_to_have_text(before)


def board_now(anna: Visitor) -> Board:
    return Board.parse(anna.page.get_attribute("#typed", "data-board") or "")


def test_a_daily_duel_is_played_once_and_stays_as_it_ended(
    server: Server, browsers: Browsers
) -> None:
    anna = browsers.visitor(server, PHONE)
    # Chromium has no way to share here, so one is put in its place.
    anna.prepare("navigator.share = async what => { window.shared = what.text }")
    anna.go("/daily")
    today = date.fromisoformat(anna.page.get_attribute("#duel", "data-day") or "")
    duel = daily_duel(today)
    anna.see("#in-a-row", "Today's duel is waiting")
    board = board_now(anna)
    assert board == duel.board
    wrong = next(move for move in board.moves() if not SEARCH.lost(board.play(move)))
    play(anna, board.write_move(wrong))
    anna.see("#turn", "Try 2 of 3")
    anna.go("/daily")
    anna.see("#turn", "Try 2 of 3")
    turns = 0
    while anna.page.locator("#moves").count():
        now = board_now(anna)
        play(anna, now.write_move(next(iter(SEARCH.winning_moves(now)))))
        turns += 1
    anna.see("#turn", "Solved!")
    anna.see("#in-a-row", "1 day solved")
    expect(anna.page.locator(".confetti")).to_be_visible()
    fits = "field => field.scrollHeight <= field.clientHeight"
    assert anna.page.locator("#share").evaluate(fits)
    shared = anna.page.input_value("#share")
    assert shared == f"numduel {duel.number} 🟨 {'🟦' * turns}\n{server.address}daily?day={today}"
    anna.page.click("button[data-share]")
    assert anna.page.evaluate("window.shared") == shared
    # What is solved stays so for whoever comes back; another day is not.
    said = anna.page.inner_text("#duel")
    anna.go("/daily")
    anna.see("#turn", "Solved!")
    assert anna.page.inner_text("#duel") == said
    expect(anna.page.locator(".confetti")).to_be_hidden()
    anna.go("/")
    expect(anna.page.locator("#daily a.button")).to_have_text(f"Daily duel {duel.number} ✓ solved")
    anna.go(f"/daily?day={today - timedelta(days=1)}")
    expect(anna.page.locator("#moves")).to_be_visible()
    # Days in a row, here and at home.
    days = {str(today - timedelta(back)): {"solved": "yes", "over": "yes"} for back in (1, 2)}
    days |= {str(today - timedelta(3)): {"solved": "no", "over": "yes"}}
    anna.page.evaluate("text => localStorage.setItem('numduel.days', text)", json.dumps(days))
    anna.go("/")
    anna.see("#in-a-row", "Today's duel is waiting. 2 days in a row")
    expect(anna.page.locator("#daily a.button")).to_have_text(f"Daily duel {duel.number}")
    told = anna.page.locator(".days li > .visually-hidden").all_inner_texts()
    assert [text.partition(": ")[2] for text in told[-4:]] == [
        "not solved",
        "solved",
        "solved",
        "not played",
    ]
    days[str(today - timedelta(2))]["late"] = "yes"
    anna.page.evaluate("text => localStorage.setItem('numduel.days', text)", json.dumps(days))
    anna.page.reload()
    anna.see(
        "#in-a-row", "Today's duel is waiting. 1 day solved"
    )  # whoever plays a day later does not mend the row
    for nonsense in ("{", "7", '{"2026-01-01": "x"}'):
        anna.page.evaluate("text => localStorage.setItem('numduel.days', text)", nonsense)
        anna.go("/daily")
        anna.see("#in-a-row", "Today's duel is waiting")


def test_a_series_ends_in_sight_and_its_best_stays(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, (390, 664))
    page = anna.page
    anna.go("/puzzle?series=a&at=7")
    puzzle = rising_puzzle("a", 7)
    moves = map(puzzle.board.write_move, puzzle.board.moves())
    wrong = next(move for move in moves if move != puzzle.solution)
    if page.locator("#answer").count():
        page.fill("#answer", wrong)
        page.keyboard.press("Enter")
    else:
        page.click(f'main button[value="{wrong}"]')
    anna.see("h1", "You solved 6 in a row")
    anna.see("#best", "Your best: 6.")
    for seen in ("h1", "text=Start a new series", ".notice.bad"):
        expect(page.locator(seen)).to_be_in_viewport(ratio=1)
    for path in ("/puzzle", "/puzzle?rating=600", "/"):
        anna.go(path)
        anna.see("#best", "Your best series: 6.")


def test_home_goes_on_with_the_next_rung_of_each_game(server: Server, browsers: Browsers) -> None:
    anna = browsers.visitor(server, PHONE)
    anna.go("/?game=subtract-a-prime")
    while not anna.page.locator("#over").count():
        now = board_now(anna)
        best = now.write_move(next(iter(SEARCH.winning_moves(now))))
        ply = anna.page.get_attribute("#table", "data-ply")
        anna.page.click(f'#moves button[value="{best}"]')
        mine = f'#table[data-mine=yes]:not([data-ply="{ply}"]), #over'
        expect(anna.page.locator(mine).first).to_be_visible()
    anna.go("/")
    anna.see("#card-subtract-a-prime", "You beat Pip. Next: Dot.")
    anna.see("#said", "You play against Dot")
    anna.see("#board", "Subtract a Prime")
    anna.page.click("#card-divisor-duel")
    anna.see("#said", "You play against Pip")
    anna.page.click("#card-subtract-a-prime")
    anna.see("#said", "You play against Dot")
    number = anna.page.inner_text("#board .number")
    anna.page.click("#another")
    expect(anna.page.locator("#board .number")).not_to_have_text(number)


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
    page.fill("#rule", "subtract 1, 5 to 30")
    page.press("#rule", "Enter")
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
    expect(page.locator("#play")).to_have_text("Play the match")
    page.click("#play")
    anna.see("#where", "The start")
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Play the match")
    assert_stayed(anna)
    for window in ((390, 664), LAPTOP):
        anna.resize(window)
        anna.go(f"analysis?match={word}")
        box = page.locator("img.path" if window == LAPTOP else ".number-line").bounding_box()
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
