"""Explore, compared with the solver and its maps, from a real server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest

from numduel import Board
from numduel.solver import solve
from numduel.study.maps import make_map
from web.markup import check, get
from web.server import running

HARD = f"subtract-a-prime:{'1' * 3500}"
"""A verdict that takes a minute."""


def explored(board: object) -> str:
    return f"/explore?board={quote(str(board))}"


@pytest.mark.parametrize(
    "text",
    [
        "subtract-a-prime:20",
        "subtract-a-prime:9",
        "prime-subtractor:23",
        "prime-subtractor:7,opening=any",
        "divisor-duel:60~misere",
        "divisor-duel:64,divisors=even",
        "power-play:360",
        "digit-subtraction-duel:0",
        "digit-subtraction-duel:" + "9876543210" * 400,
        "subtract-a-prime:" + "7" * 120,
        "subtract-a-prime:20+divisor-duel:60,divisors=even~misere",
    ],
)
def test_explore_says_what_the_solver_says(web: httpx.Client, text: str) -> None:
    board = Board.parse(text)
    verdict = solve(board)
    page = get(web, explored(text))
    told = "wins" if verdict.outcome == "win" else "loses"
    assert f"The player to move {told}." in page.text
    winning, complete = verdict.first_moves(10)
    for link in page.all("a", "move"):
        left = Board.parse(parse_qs(urlsplit(link.attributes["href"]).query)["board"][0])
        assert ("wins" in link.classes) == (solve(left).outcome == "loss"), str(left)[:80]
    shown = sum("wins" in link.classes for link in page.all("a", "move"))
    assert shown == len(winning) if complete else shown >= len(winning)
    assert verdict.holds in page.words
    if verdict.grundy is not None:
        assert f"Grundy value: {verdict.grundy}." in page.words


def test_the_links_of_moves_are_the_boards_after_them(web: httpx.Client) -> None:
    board = Board.parse("prime-subtractor:23+power-play:30")
    links = get(web, explored(board)).all("a", "move")
    after = [parse_qs(urlsplit(link.attributes["href"]).query)["board"][0] for link in links]
    assert after == [str(board.play(move)) for move in board.moves()]
    assert "÷5" in links[-1].words


@pytest.mark.parametrize(("text", "to"), [("subtract-a-prime:20", 100), ("divisor-duel:7", 200)])
def test_the_square_is_the_map(web: httpx.Client, text: str, to: int) -> None:
    game = Board.parse(text).numbers[0].game
    places = make_map(game, to, values=True).places
    page = get(web, f"{explored(text)}&to={to}")
    cells = page.one("ol", "hundred").all("li")
    assert [int(cell.words.split(",")[0]) for cell in cells] == [p.number for p in places]
    (here,) = [cell.words for cell in cells if "here" in cell.classes]
    assert here.startswith(text.partition(":")[2])
    assert here.endswith("the number now")
    lost = [cell.words for cell in cells if "lost" in cell.classes]
    assert [words.split(",")[0] for words in lost] == [str(p.number) for p in places if p.lost]
    assert all(", a trap" in words for words in lost), "told in words too"
    values = get(web, f"{explored(text)}&to={to}&values=1").one("ol", "hundred").all("li")
    assert [int(cell.words.split()[0]) for cell in values] == [p.value for p in places]


def test_the_pickers_lead_to_the_board(web: httpx.Client) -> None:
    asked = {
        "game": "divisor-duel",
        "number": " 64 ",
        "divisors": "even",
        "opening": "any",
        "misere": "1",
    }
    answer = web.get("/explore", params=asked)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/explore?board=divisor-duel:64,divisors=even~misere"
    page = check(web.get("/explore", params={"game": "divisor-duel", "number": "x"}).text)
    assert '"x" is not a number.' in page.text
    assert "board" not in page.one("p", "wrong").words, "nobody wrote one"


def test_what_takes_too_long_is_told_and_the_rest_is_shown(tmp_path: Path) -> None:
    with (
        running(str(tmp_path / "rooms"), seconds=0.5) as server,
        httpx.Client(base_url=server.address, timeout=30) as web,
    ):
        page = get(web, explored(HARD), 503)
    assert "Who wins here could not be told." in page.text
    assert "was stopped" in page.text
    assert len(page.one("ol", "hundred").all("li")) == 100


def test_what_is_too_large_is_told(web: httpx.Client) -> None:
    """A product of two primes of 45 digits and more, which nobody factors in passing."""
    page = get(web, explored(f"power-play:{(10**45 + 9) * (10**47 + 9)}"))
    assert "Who wins here could not be told." in page.text
    assert "too large to factor" in page.text
    assert len(page.one("ol", "hundred").all("li")) == 100
