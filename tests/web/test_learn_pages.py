"""The pages to learn from, compared with the library, from a real server."""

import re
from datetime import UTC, datetime, timedelta
from inspect import cleandoc

import httpx
import pytest

from numduel.board import Board
from numduel.games import keys, load
from numduel.running.puzzle_sheet import make_sheet
from numduel.solver import Search, solve
from numduel.study.duels import FIRST_DAY, daily_duel
from numduel.study.lessons import Asks, lesson_of
from numduel.study.puzzles import KINDS, RATINGS, rising_puzzle
from numduel.wording.rules import rule_in_short
from numduel.wording.text import said_move
from numduel.wording.why import why
from web.markup import get, post
from web.visitor import Visitor

WORD = "divisor-duel:60/15.15.2.14.7"


def test_every_link_of_the_pages_leads_somewhere(web: httpx.Client) -> None:
    waiting = [
        "/learn",
        "/rules",
        "/explore",
        "/daily",
        "/puzzle?series=a",
        "/replay",
        f"/analysis?match={WORD}",
    ]
    seen = set[str]()
    while waiting:
        address = waiting.pop()
        kind = (
            re.sub(r"\d+", "0", address)
            if re.search("[?](board|day|rating|series)", address)
            else address
        )
        if kind in seen or not re.match(
            "/(learn|rules|explore|daily|puzzle|replay|analysis)", address
        ):
            continue
        seen.add(kind)
        if address.startswith("/explore/"):
            assert web.get(address).is_success, "a file to keep"
            continue
        page = get(web, address)
        waiting += [link.attributes["href"] for link in page.one("main").all("a")]
    assert len(seen) > 50
    for key in keys():
        assert f"/learn/{key}" in seen
        assert f"/rules/{key}" in seen


@pytest.mark.parametrize("key", [*KINDS[:-1], "subtract-1-3-4"])
def test_a_tutorial_takes_right_answers_and_explains_wrong_ones(
    web: httpx.Client, key: str
) -> None:
    for number, step in enumerate(lesson_of(load(key)), 1):
        address = f"/learn/{key}?step={number}"
        page = get(web, address)
        assert step.title in page.one("h1").text
        assert step.says in page.words
        found = [button.attributes.get("value") for button in page.all("button")]
        buttons = [value for value in found if value is not None]
        if step.asks is Asks.MATCH:
            form = page.one("main").one("form")
            assert form.attributes["action"] == "/rooms"
            assert form.all("input")[0].attributes["value"] == step.position
            continue
        if step.asks is Asks.TRAPS:
            boxes = [int(box.attributes["value"]) for box in page.all("input")]
            assert boxes == list(step.numbers)
            right = post(web, address, trap=[str(n) for n in step.lost])
            assert "Right!" in right.text
            cells = right.one("ol", "hundred").all("li", "lost")
            assert [int(cell.words.split(",")[0]) for cell in cells] == list(step.lost)
            after = post(web, address, trap=[str(n) for n in step.lost[1:]])
            assert f"Look at {step.lost[0]} again" in after.words
            kept = [box for box in after.all("input") if "checked" in box.attributes]
            assert [int(box.attributes["value"]) for box in kept] == list(step.lost[1:])
            assert "Look at 1 again" in post(web, address).words or step.lost[0] > 1
            continue
        moves = [step.board.write_move(move) for move in step.board.moves()]
        assert buttons == (["1", "2"] if step.asks is Asks.WINNER else moves)
        for answer in buttons:
            after = post(web, address, answer=answer)
            if step.asks is Asks.WINNER:
                right = answer == ("1" if solve(step.board).outcome == "win" else "2")
            else:
                left = step.board.play(step.board.parse_move(answer))
                right = solve(left).outcome == "loss"
            assert ("Right!" in after.text) == right, (address, answer)
            assert (step.learnt in after.words) == right


def test_a_tutorial_ends_with_a_card_that_leads_to_the_next(web: httpx.Client) -> None:
    taught = list(keys())
    for key, after in zip(taught, [*taught[1:], None], strict=True):
        steps = lesson_of(load(key))
        last = get(web, f"/learn/{key}?step={len(steps)}")
        end = f"/learn/{key}?step={len(steps) + 1}"
        assert end in [link.attributes["href"] for link in last.all("a")]
        card = get(web, end)
        assert load(key).title in card.one("h1").text
        assert steps[-1].learnt in card.words
        assert card.one("a", "primary").attributes["href"] == (
            f"/learn/{after}" if after else "/puzzle"
        )


@pytest.mark.parametrize("kind", [None, KINDS[0], KINDS[-1]])
def test_a_series_goes_on_until_the_first_miss(web: httpx.Client, kind: str | None) -> None:
    about = f"&kind={kind}" if kind else ""
    for place in (1, 2):
        puzzle, address = (
            rising_puzzle("mine", place, kind),
            f"/puzzle?series=mine&at={place}{about}",
        )
        page = get(web, address)
        figures = [number.words for number in page.one("ul", "board").all("span", "number")]
        assert figures == [str(number.value) for number in puzzle.board.numbers]
        assert f"rated {puzzle.rating}" in page.words
        for line in rule_in_short(puzzle.board):
            assert line in page.words
        right = post(web, address, answer=puzzle.solution)
        assert "Solved!" in right.text
        link = f"/puzzle?series=mine&at={place + 1}{about}"
        assert right.one("main").one("a", "primary").attributes["href"] == link
        moves = map(puzzle.board.write_move, puzzle.board.moves())
        missed = post(web, address, answer=next(move for move in moves if move != puzzle.solution))
        assert "Solved!" not in missed.text
        for line in why(solve(puzzle.board)):
            assert line in missed.one("div", "notice").words
        assert "Try another" not in missed.words, "there is no field to try it in"
        solved = f"You solved {place - 1} in a row" if place > 1 else "Not this time"
        assert missed.one("h1").words == solved
        assert missed.one("main").one("a", "primary").words == "Start a new series"
        assert f"puzzle?series=mine{about}" in missed.one("textarea").text
        assert not [form for form in missed.all("form") if form.attributes["method"] == "post"]
    assert "no puzzles of that kind" in get(web, "/puzzle?kind=chess", 422).text
    answer = web.post("/puzzle?seed=a&rating=900&kind=divisor-duel", data={"answer": "<i>4"})
    assert answer.status_code == 422
    assert "&lt;i&gt;4" in answer.text


def test_a_daily_duel_is_played_to_its_end_without_scripts(me: Visitor) -> None:
    day = FIRST_DAY
    while True:  # a day of two numbers that is won by another move than the one that is named
        duel = daily_duel(day)
        named = solve(duel.board).named_move
        if len(duel.board.numbers) > 1 and [*Search().winning_moves(duel.board)][-1] != named:
            break
        day += timedelta(1)
    me.get(f"/daily?day={day}")
    assert re.search("from [0-9]+ and [0-9]+, play [0-9]+ from", me.words("example"))
    assert f"Daily duel {duel.number}" in me.page.one("h1").words
    assert f"rated {duel.rating}" in me.page.words
    me.press("typed", move="999")
    assert (me.status, me.value("move")) == (422, "999")
    assert me.words("move-wrong")
    board = duel.board
    wrong = next(move for move in board.moves() if not Search().lost(board.play(move)))
    me.press("moves", board.write_move(wrong))
    assert "throws the win away: Perfect plays" in me.words("said")
    assert me.words("turn") == "Try 2 of 3"
    right: list[str] = []
    while me.has("moves"):
        board = Board.parse(me.by_id("typed").attributes["data-board"])
        right.append(board.write_move([*Search().winning_moves(board)][-1]))
        me.press("moves", right[-1])
        assert not me.has("moves") or "keeps the win. Perfect played" in me.words("said")
    assert me.words("turn") == "Solved!"
    shared = me.by_id("share").text.split("\n")
    assert shared[0] == f"numduel {duel.number} 🟨 {'🟦' * len(right)}"
    assert shared[1].endswith(f"/daily?day={day}")
    assert me.words("speech") == "Perfect: “You found the way.”", "true after a miss too"
    assert f"Play {said_move(duel.board, duel.board.parse_move(right[0]))} to" in me.words("why")
    me.get(f"/daily?day={day}&played=" + ".".join([duel.board.write_move(wrong)] * 3))
    assert (me.words("turn"), me.has("moves")) == ("Perfect won", False)


def test_other_days(web: httpx.Client) -> None:
    today = datetime.now(UTC).date()
    page = get(web, "/daily")
    shown = page.one("time").attributes["datetime"]
    squares = page.one("ol", "days").all("li")
    assert len({square.attributes["title"] for square in squares}) == 14
    assert all(square.attributes["title"] in square.words for square in squares)
    card = next(card for card in get(web, "/learn").all("li", "card") if "Daily" in card.words)
    assert card.one("a", "primary").attributes["href"] == "/daily"
    assert shown in (str(today), str(datetime.now(UTC).date()))
    tomorrow = get(web, f"/daily?day={today + timedelta(days=2)}", 422)
    assert "still to come" in tomorrow.text
    for day in ("2026-02-30", "2026-01-04", "<b>"):
        assert "no such day" in get(web, f"/daily?day={day}", 422).text
    assert "begins anew" in get(web, "/daily?played=1:999", 422).text
    posted = web.post("/daily", data={"day": "x", "played": "?.9", "move": "<b>"})
    assert posted.status_code == 422


def test_the_rules_are_whole_and_for_people_without_a_terminal(web: httpx.Client) -> None:
    for key in keys():
        page = get(web, f"/rules/{key}")
        words = page.one("main").words.lower()
        for paragraph in cleandoc(type(load(key)).__doc__ or "").split("\n\n"):
            assert " ".join(paragraph.split()).removeprefix("Example: ").lower() in words, key
        assert load(key).title in page.one("h1").text
        assert "--" not in page.text
        assert "numduel play" not in page.text


def ways_back(me: Visitor) -> list[str]:
    links = [one for one in me.page.all("a") if one.words == "Back to the tutorial"]
    return [one.attributes["href"] for one in links]


def test_a_tutorials_match_leads_back_to_the_tutorial_and_no_other_does(me: Visitor) -> None:
    for key in keys():
        asked = [step.asks for step in lesson_of(load(key))]
        address = f"/learn/{key}?step={asked.index(Asks.MATCH) + 1}"
        forms = me.get(address).all("form")
        [form] = [one for one in forms if one.attributes["action"] == "/rooms"]
        fields = [one.attributes for one in form.all("input")]
        me.send("/rooms", [(one["name"], one["value"]) for one in fields])
        assert ways_back(me) == [address], "while it is played"
        me.press("resign-form")
        assert (me.words("turn"), ways_back(me)) == ("You lost", [address]), "and after it"
    board = lesson_of(load("divisor-duel"))[-1].position
    for other, opponent in ((board, "perfect"), (board, "beginner"), ("divisor-duel:59", "perfect"),
                            (f"{board}+power-play:30", "perfect")):  # fmt: skip
        me.post("/rooms", board=other, opponent=opponent)
        assert ways_back(me) == [], "the tutorial's own board, but not from there"


def test_the_sheet_of_an_address(web: httpx.Client) -> None:
    forms = get(web, "/puzzle").all("form")
    [form] = [one for one in forms if one.attributes["action"] == "/puzzle/sheet"]
    assert [one.attributes["name"] for one in form.all("select")] == ["kind", "rating"]
    answer = web.get("/puzzle/sheet?kind=power-play&rating=600&count=5&seed=a")
    again = str(answer.url)
    assert answer.text == make_sheet("a", "power-play", 600, 5, again)
    (policy,) = answer.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"


def test_a_sheet_without_a_seed_is_given_one_and_a_seed_is_text(web: httpx.Client) -> None:
    for asked, shown in (
        ("kind=&rating=", "count=12"),
        ("count=99999&rating=tea", "count=48"),
        ("count=-1&rating=9", f"rating={RATINGS[0]}&count=12"),
        ("kind=several&count=3", "kind=several&count=3"),
    ):
        places = [web.get(f"/puzzle/sheet?{asked}").headers["location"] for _ in range(2)]
        assert all(
            re.fullmatch(f"/puzzle/sheet\\?{shown}&seed=[0-9a-f]{{8}}", place) for place in places
        )
        assert places[0] != places[1]
    answer = web.get("/puzzle/sheet", params={"seed": "<script>&\"'" + "x" * 60, "count": 1})
    assert "Sheet &lt;script&gt;&amp;" in answer.text
    assert "<script" not in answer.text
    assert "x" * 41 not in answer.text
    answer = web.get("/puzzle/sheet?kind=chess&seed=a")
    assert answer.status_code == 422
    assert "script-src 'self'" in answer.headers["content-security-policy"]
