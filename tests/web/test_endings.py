"""The end of a room's match: what each player is told, and the maps, against the solver."""

import re
from typing import cast

import pytest

from loops import on_loop
from numduel.board import Board
from numduel.match import read_notation
from numduel.rooms import Action, Play, Resign
from numduel.solver import solve
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.play.table import table_of
from rooms.lobbies import Thinking
from rooms.opened import ANN, BEN, NOW, after, friends, played
from web.markup import Element
from web.visitor import Visitor

TURNED = "Turn 1 was the turning point: {} played 2, but 3 would have kept the win. "
KEPT = "No win was thrown away: {} winning from the first turn on."


@pytest.mark.parametrize(
    ("moves", "action", "seconds", "told"),
    [
        (("15", "15"), Play("3"), 60, ["You were winning when your time ran out.",
         *["Ann was winning when their time ran out."] * 2]),
        (("15", "15"), Resign(), 1, ["You were winning when you resigned.",
         *["Ann was winning when they resigned."] * 2]),
        (("2",), Resign(), 1, [f"{TURNED.format('you')}Ben was winning when they resigned.",
         f"{TURNED.format('Ann')}You were winning when you resigned.",
         f"{TURNED.format('Ann')}Ben was winning when they resigned."]),
        (("15",), Resign(), 1, [KEPT.format("you were"), *[KEPT.format("Ann was")] * 2]),
    ],
)  # fmt: skip
@on_loop
async def test_each_is_told_where_the_match_was_decided(
    moves: tuple[str, ...], action: Action, seconds: int, told: list[str]
) -> None:
    """Ann wins Divisor Duel from 60 by leaving 45, and not by leaving 58."""
    over = after(played(friends(seconds=60), *moves), len(moves) % 2, action, NOW + seconds)
    thinking = cast("Thinkers", Thinking())
    tables = [await table_of(over, token, thinking) for token in (ANN, BEN, None)]
    assert [table.end and table.end.turning for table in tables] == told


def resigned(me: Visitor, board: str, move: str = "") -> list[Board]:
    """Play one move, if any, be answered, and resign; the boards of the match from the start."""
    begun = {"move": move} if move else {"first": "1"}
    me.post("/rooms", board=board, opponent="largest", **begun)
    assert me.status == 200
    me.press("resign-form")
    record = read_notation(me.value("notation"))
    turns = record.replay().turns
    assert len(turns) == (2 if move else 0)
    return [record.setup.board, *(turn.board for turn in turns)]


def compare(square: Element, boards: list[Board], place: int, first: int) -> list[int]:
    path = [board.numbers[place].value for board in boards]
    cells = square.all("li")
    numbers = range(max(first, boards[0].numbers[place].game.least), first + 100)
    assert len(cells) == len(numbers)
    for cell, number in zip(cells, numbers, strict=True):
        before = boards[0] if number == path[0] else boards[-1]
        alone = Board.of(before.numbers[place].game, number, boards[0].misere)
        lost = solve(alone).outcome == "loss"
        words = cell.words.replace(" ,", ",")
        assert words.startswith(str(number))
        assert ("lost" in cell.classes, ", a trap" in words) == (lost, lost), number
        assert ("played" in cell.classes) == (number in path), number
        if number in path:
            turn = path.index(number)
            said = f"reached in turn {turn}" if turn else "the start of this match"
            assert words.endswith(f", {said}"), number
    return [number for number in numbers if number in path]


def squares(me: Visitor) -> list[Element]:
    return me.by_id("map").all("ol")


def test_each_number_of_a_sum_has_its_map(me: Visitor) -> None:
    board = "subtract-a-prime:20+divisor-duel:60,divisors=even+prime-subtractor:40~misere"
    boards = resigned(me, board, "3:13")
    found = squares(me)
    assert [one.words for one in me.by_id("map").all() if re.fullmatch("h[2-6]", one.tag)] == [
        "The map of each number",
        "The map of Subtract a Prime, misère (number 1)",
        "The map of Divisor Duel (even divisors only), misère (number 2)",
        "The map of Prime Subtractor, misère (number 3)",
    ]
    assert "depends on all numbers together" in me.words("map")
    assert not me.has("map-rest")
    marked = [compare(square, boards, place, 1) for place, square in enumerate(found)]
    assert {27, 40} <= set(marked[2])
    assert [len(found), sum(map(len, marked))] == [3, 5], "three starts and two turns"
    board = f"divisor-duel:{10**20}+" + "+".join(f"power-play:{n}" for n in (6, 10, 14, 15, 21))
    boards = resigned(me, board, "2:2")
    found = squares(me)
    assert len(found) == 4, "at most, and a way to the rest"
    for place, square in enumerate(found, 1):
        compare(square, boards, place, 1)
    me.get(me.by_id("map-rest").one("a").attributes["href"])
    assert me.status == 200
    assert "21" in me.page.one("main").words


def test_a_match_that_stops_at_a_large_number_has_the_hundred_around_it(me: Visitor) -> None:
    for board, move in (("divisor-duel:1290", "2"), ("digit-subtraction-duel:10000", ""),
                        ("digit-subtraction-duel:7000~misere", "7"),
                        ("prime-subtractor:101", ""), ("prime-subtractor:97", "2")):  # fmt: skip
        boards = resigned(me, board, move)
        last = boards[-1].numbers[0].value
        first = (last - 1) // 100 * 100 + 1
        assert last in compare(squares(me)[0], boards, 0, first)
        assert me.words("map-heading").endswith(f", {first} to {first + 99}") == (first > 1)
    me.post("/rooms", board="divisor-duel:2018", opponent="perfect", move="1009")
    assert me.words("turn") == "You won"
    boards = [Board.parse("divisor-duel:2018"), Board.parse("divisor-duel:1009")]
    assert compare(squares(me)[0], boards, 0, 1001) == [1009]
    boards = resigned(me, "power-play:210", "2")
    assert compare(squares(me)[0], boards, 0, 1) == [15], "105 stands outside"
    for board in ("subtract-a-prime:20000", "subtract-a-prime:20000+divisor-duel:30030"):
        resigned(me, board)
        assert (me.words("turn"), me.has("map"), me.has("turning")) == ("You lost", False, True)
        assert "Explore this board" in me.words("over"), "beyond every map"
