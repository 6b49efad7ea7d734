"""What language models are told, and how their answers are read."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, Move, NumduelError, errors
from numduel.adaptors.language import View, ask, parse, parse_move, prompt
from numduel.games import keys, load


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("[7]", 7),
        ("I subtract 7.", 7),
        ("**7**", 7),
        ("My move: 7!\n\nAgain: [7]", 7),
        ("7, since 7 is prime", 7),
        ("\u201c12\u201d", 12),
        ("007", 7),
        ("(7)", 7),
        ("I play 10000000000000000000000000000000000000007.", 10**40 + 7),
    ],
)
def test_one_number_is_read(text: str, number: int) -> None:
    assert parse(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "seven", "7 or 8", "60 - 15 = 45", "-7", "7.5", "1e3", "1,000", "[7] [8]", "x7", "7th",
     "٧", "9" * 5000],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NumduelError):
        parse(text)


@given(st.text(), st.integers(0, 10**30))
def test_reading_never_breaks(text: str, number: int) -> None:
    assert parse(f"I play {number}.") == number
    with suppress(NumduelError):
        assert str(parse(text)) in text, "what is read stands there"


def test_moves_on_several_numbers() -> None:
    board = Board.parse("subtract-a-prime:20+divisor-duel:60")
    assert parse_move("I play [2:15].", board) == Move(1, 15)
    assert parse_move("19", board) == Move(0, 19)
    for text in ("1:2 or 2:2", "2", "3:2", "no"):
        with pytest.raises(NumduelError):
            parse_move(text, board)


@pytest.mark.parametrize("key", keys())
def test_every_game_is_told(key: str) -> None:
    game = load(key)
    board = Board.of(game, game.default_start, misere=True)
    move = next(iter(board.moves()))
    view = View(board.play(move), board, (move,))
    text = prompt(view)
    assert game.title in text
    assert "misère" in text
    assert f"The opponent played {move.amount}" in text
    assert "Legal moves: " in text
    assert "Legal moves" not in prompt(view, legal=False)
    assert "played" not in prompt(view, history=False)
    assert f"is now {view.board.numbers[0].value}." in text


def test_history_tells_whose_move_it_was() -> None:
    board = Board.parse("divisor-duel:60")
    moves = (Move(0, 15), Move(0, 15))
    text = prompt(View(Board.parse("divisor-duel:30"), board, moves))
    assert "You played 15, which left 45.\n- The opponent played 15, which left 30." in text


def test_long_lists_are_shortened() -> None:
    text = prompt(View.of(Board.parse("subtract-a-prime:1000003")))
    assert len(text) < 2500
    assert ", ..., " in text
    assert " 999983, 1000003." in text


def test_the_loop_tells_what_was_wrong() -> None:
    asked: list[str] = []
    answers = iter(["7 or 8", "I take 7.", "[15]"])

    def complete(text: str) -> str:
        asked.append(text)
        return next(answers)

    assert ask(View.of(Board.parse("divisor-duel:60")), complete) == Move(0, 15)
    assert "not accepted" not in asked[0]
    assert '"7 or 8" names more than one number.' in asked[1]
    assert "7 does not divide 60." in asked[2]
    with pytest.raises(errors.IllegalMove):
        ask(View.of(Board.parse("divisor-duel:60")), lambda _: "7", tries=2)


def test_whoever_lets_the_time_run_out_is_not_asked_again() -> None:
    asked: list[str] = []

    def complete(text: str) -> str:
        asked.append(text)
        raise errors.PlayerFailed(player="slow", problem="time", seconds=1)

    with pytest.raises(errors.PlayerFailed):
        ask(View.of(Board.parse("divisor-duel:60")), complete)
    assert len(asked) == 1
