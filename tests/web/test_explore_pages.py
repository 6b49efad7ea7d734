"""Explore, compared with the solver and its maps, from a real server."""

import csv
from urllib.parse import parse_qs, quote, urlsplit
from xml.etree import ElementTree

import httpx
import pytest

from numduel import Board
from numduel.games import load
from numduel.solver import solve
from numduel.study.maps import make_map
from numduel.web.pages.study.explore import EXAMPLES
from web.markup import Element, check, get


def explored(board: object) -> str:
    return f"/explore?board={quote(str(board))}"


def after(link: Element) -> str:
    return parse_qs(urlsplit(link.attributes["href"]).query)["board"][0]


@pytest.mark.parametrize(
    "text",
    [
        "prime-subtractor:7,opening=any",
        "divisor-duel:60~misere",
        "power-play:360",
        "digit-subtraction-duel:0",
        "digit-subtraction-duel:" + "9876543210" * 2,
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
        assert ("wins" in link.classes) == (solve(Board.parse(after(link))).outcome == "loss")
    shown = sum("wins" in link.classes for link in page.all("a", "move"))
    assert shown == len(winning) if complete else shown >= len(winning)
    assert verdict.holds in page.words
    if verdict.grundy is not None:
        assert f"Grundy value: {verdict.grundy}." in page.words


def test_explore_opens_with_an_example(web: httpx.Client) -> None:
    page = get(web, "/explore")
    first, _ = EXAMPLES[0]
    assert page.one("ul", "moves").words == get(web, explored(first)).one("ul", "moves").words
    assert {first for first, _ in EXAMPLES} <= {
        parse_qs(urlsplit(link.attributes["href"]).query).get("board", [""])[0]
        for link in page.all("a")
    }


def test_the_links_of_moves_are_the_boards_after_them(web: httpx.Client) -> None:
    board = Board.parse("prime-subtractor:23+power-play:30")
    page = get(web, explored(board))
    links = page.all("a", "move")
    assert [after(link) for link in links] == [str(board.play(move)) for move in board.moves()]
    values = [solve(Board((number,))).grundy for number in board.numbers]
    told = f"Grundy value: {' xor '.join(map(str, values))} = {solve(board).grundy}."
    assert told in page.words, "the value of a sum is shown as a sum"


@pytest.mark.parametrize(("text", "to"), [("subtract-a-prime:20", 100), ("divisor-duel:7", 200)])
def test_the_square_is_the_map(web: httpx.Client, text: str, to: int) -> None:
    game = Board.parse(text).numbers[0].game
    places = make_map(game, to, values=True).cells
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
    asked = {"game": "divisor-duel", "number": " 64 ", "divisors": "even", "misere": "1"}
    answer = web.get("/explore", params=asked)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/explore?board=divisor-duel:64,divisors=even~misere"
    for typed, value in (("10^12", 10**12), ("1 000", 1000), ("2^89 - 1", 2**89 - 1)):
        answer = web.get("/explore", params={"game": "divisor-duel", "number": typed})
        assert answer.headers["location"] == f"/explore?board=divisor-duel:{value}"
    page = check(web.get("/explore", params={"game": "divisor-duel", "number": "x"}).text)
    assert '"x" is not a number.' in page.text
    assert "board" not in page.one("p", "wrong").words, "nobody wrote one"


def test_what_is_too_large_is_told(web: httpx.Client) -> None:
    """A product of two primes of 45 digits and more, which nobody factors in passing."""
    page = get(web, explored(f"power-play:{(10**45 + 9) * (10**47 + 9)}"))
    assert "We could not work out who wins here." in page.text
    assert "too large to factor" in page.text
    assert len(page.one("ol", "hundred").all("li")) == 100
    for typed in ("10^9999", "divisor-duel:9^99999999999", "10^10^10", "5-7"):
        assert get(web, explored(typed), 422).one("p", "wrong").words, typed


def test_numbers_are_written_as_mathematicians_do_and_shown_whole(web: httpx.Client) -> None:
    for typed, board in (
        ("Divisor-Duel: 1,000,divisors=even~misere", "divisor-duel:1000,divisors=even~misere"),
        ("power-play:2*3*5+1+divisor-duel:6^2", "power-play:31+divisor-duel:36"),
    ):
        written = get(web, explored(typed)).all("input")
        assert board in [field.attributes.get("value") for field in written]
    for n in (10**12, 7**400):
        page = get(web, explored(f"digit-subtraction-duel:{n}"))
        assert page.one("textarea").text == str(n)
        assert f"The number, {len(str(n))} digits" in page.words


@pytest.mark.parametrize(("key", "n"), [("divisor-duel", 137), ("power-play", 2**89 - 1)])
def test_the_map_around_a_number_of_any_size(web: httpx.Client, key: str, n: int) -> None:
    page = get(web, explored(f"{key}:{n}"))
    cells = page.one("ol", "hundred").all("li")
    assert len(cells) == 100
    links = [link.attributes["href"] for link in page.one("ol", "hundred").all("a")]
    numbers = [int(link.rpartition(":")[2]) for link in links]
    assert numbers == list(range(numbers[0], numbers[0] + 100))
    assert numbers[0] % 10 == 1
    assert ["here" in cell.classes for cell in cells] == [one == n for one in numbers]
    game = Board.parse(f"{key}:{n}").numbers[0].game
    lost = [solve(Board.of(game, one)).outcome == "loss" for one in numbers[40:60]]
    assert ["lost" in cell.classes for cell in cells[40:60]] == lost


def test_a_map_is_downloaded_as_csv_and_svg(web: httpx.Client) -> None:
    page = get(web, f"{explored('subtract-a-prime:20')}&to=200&values=1")
    links = [link.attributes["href"] for link in page.all("a")]
    [kept, drawn] = [link for link in links if link.startswith("/explore/map.")]
    answer = web.get(kept)
    assert answer.headers["content-disposition"] == 'attachment; filename="subtract-a-prime.csv"'
    rows = list(csv.DictReader(answer.text.splitlines()))
    places = make_map(load("subtract-a-prime"), 200, values=True).cells
    assert [(int(r["number"]), r["outcome"] == "loss", int(r["grundy"])) for r in rows] == [
        (place.number, place.lost, place.value) for place in places
    ]
    picture = web.get(drawn)
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.headers["content-disposition"].startswith("attachment")
    title = ElementTree.fromstring(picture.text).findtext("{http://www.w3.org/2000/svg}title")
    assert title == "Subtract a Prime, 1 to 200: Grundy values"


def test_what_is_not_known_on_a_map_is_neither_a_trap_nor_none(web: httpx.Client) -> None:
    around = f"board=power-play:{10**60}"
    page = get(web, f"/explore?{around}")
    cells = page.one("ol", "hundred").all("li")
    kinds = {frozenset({"lost", "unknown"} & set(cell.classes)) for cell in cells}
    assert kinds == {frozenset(), frozenset({"lost"}), frozenset({"unknown"})}
    assert "not known" in page.one("ul", "key").words
    rows = web.get(f"/explore/map.csv?{around}&to=around").text.splitlines()
    read = {int(row["number"]): row["outcome"] for row in csv.DictReader(rows)}
    assert set(read.values()) == {"win", "loss", ""}
    for one, outcome in read.items():
        assert not outcome or solve(Board.of(load("power-play"), one)).outcome == outcome
    picture = web.get(f"/explore/map.svg?{around}&to=around")
    ElementTree.fromstring(picture.text)
    assert "not known" in picture.text
    for board in ("chess:8", "power-play:4%2Bpower-play:6"):
        assert web.get(f"/explore/map.csv?board={board}").status_code == 422
