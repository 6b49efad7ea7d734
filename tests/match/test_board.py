"""The board: text, equality, moves on several numbers, variants, misère."""

from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, Move, errors, load, solve
from numduel.board import MAX_NUMBERS, Number
from numduel.games import Game, keys
from raised import raised


@st.composite
def games(draw: st.DrawFn) -> Game:
    game = load(draw(st.sampled_from(keys())))
    settings = {name: draw(st.sampled_from(values)) for name, values in game.variants.items()}
    return game.having(**settings)


@st.composite
def boards(draw: st.DrawFn, most: int = 4, largest: int = 10**30) -> Board:
    count = draw(st.integers(1, most))
    numbers = []
    for _ in range(count):
        game = draw(games())
        numbers.append(Number(game, draw(st.integers(game.least, largest))))
    return Board(tuple(numbers), draw(st.booleans()))


@given(boards())
def test_text_round_trips(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert str(Board.parse(str(board))) == str(board)
    assert Board.parse(f"  {str(board).replace('+', ' + ')} ") == board


def test_canonical_text() -> None:
    for text in [
        "divisor-duel:60,divisors=even+subtract-a-prime:20~misere",
        "power-play:1",
        "digit-subtraction-duel:0",
        "prime-subtractor:10,opening=any",
    ]:
        assert str(Board.parse(text)) == text
        assert repr(Board.parse(text)) == f"Board.parse({text!r})"
    assert str(Board.parse("divisor-duel:060,divisors=all")) == "divisor-duel:60"


BAD = {
    "empty": ["", "+", ":60+"],
    "no number": [" "],
    "not a number": [":", ":x", ":-1", ":\u0667"],
    "too small": [":0", ":60+power-play:0"],
    "ending": [":60~", ":60~misere~misere", ":60~misère"],
    "variant without value": [":60,divisors"],
    "variant twice": [":60,divisors=odd,divisors=odd"],
    "too many numbers": [":60" + "+divisor-duel:60" * MAX_NUMBERS],
    errors.InvalidSetup: [":60,divisors=blue", ":60,opening=any", ":60,self=all", ":60,cls=all"],
    errors.UnknownGame: ["chess:8", "game:8", "../errors:8", "Divisor-Duel:60"],
    errors.TooManyDigits: [":" + "9" * 4001],
}
"""What is wrong with each of these; what begins with a sign or a blank begins with a game."""


def test_what_is_not_a_board_says_why() -> None:
    for problem, texts in BAD.items():
        for text in texts:
            board = f"divisor-duel{text}" if text.startswith((":", " ")) else text
            error = raised(errors.NumduelError, Board.parse, board)
            assert problem in (type(error), getattr(error, "problem", None)), board


def test_a_board_does_not_change() -> None:
    board = Board.parse("divisor-duel:60")
    with pytest.raises(AttributeError):
        board.misere = True
    with pytest.raises(AttributeError):
        del board.numbers
    assert board.play(Move(0, 15)) is not board
    assert str(board) == "divisor-duel:60"
    assert board != "divisor-duel:60"


@given(boards(3, 300), st.integers(0, 10**6))
def test_a_turn_plays_one_number(board: Board, draw: int) -> None:
    moves = list(board.moves())
    assert board.is_over == (not moves)
    assert moves == sorted(moves)
    if not moves:
        return
    move = moves[draw % len(moves)]
    after = board.play(move)
    assert after.misere == board.misere
    for place, (old, new) in enumerate(zip(board.numbers, after.numbers, strict=True)):
        if place == move.place:
            assert new.value < old.value
        else:
            assert new == old
    assert board.parse_move(board.write_move(move)) == move


def test_places_are_counted_from_one_in_text() -> None:
    board = Board.parse("subtract-a-prime:20+divisor-duel:60")
    assert board.parse_move("2:15") == Move(1, 15)
    assert board.parse_move(" 2 : 15 ") == Move(1, 15)
    assert board.write_move(Move(1, 15)) == "2:15"
    assert board.parse_move("15") == Move(1, 15), "only the second number takes 15"
    assert board.parse_move("1:4") == Move(0, 4), "read, though not legal"
    for text, places in (("2", [0, 1]), ("7000", [])):
        assert raised(errors.AmbiguousMove, board.parse_move, text).places == places
    for text in ("0:2", "3:2", "99999:2"):
        raised(errors.InvalidMove, board.parse_move, text)


def test_illegal_moves_are_refused_and_named() -> None:
    board = Board.parse("subtract-a-prime:20")
    for move in (Move(0, 4), Move(1, 2), Move(-1, 2)):
        assert not board.is_legal(move)
        error = raised(errors.IllegalMove, board.play, move)
        assert (error.board, error.move) == (board, move)


def test_a_variant_is_set_where_a_number_has_it() -> None:
    board = Board.parse("subtract-a-prime:20+divisor-duel:60+divisor-duel:8~misere")
    assert str(board.having(divisors="odd")) == (
        "subtract-a-prime:20+divisor-duel:60,divisors=odd+divisor-duel:8,divisors=odd~misere"
    )
    raised(errors.InvalidSetup, board.having, opening="any", match="variant")
    raised(errors.InvalidSetup, board.having, divisors="blue", match="variant")
    even = load("divisor-duel", divisors="even")
    assert load("divisor-duel").having(divisors="even") is even
    assert even != load("divisor-duel")
    assert repr(even) == "load('divisor-duel', divisors='even')"


def test_a_board_is_made_of_numbers_that_its_game_has() -> None:
    error = raised(errors.InvalidBoard, Board.of, "divisor-duel", -4)
    assert (error.problem, error.least) == ("too small", 1)
    wrong: list[Any] = ["60", 6.5, None]
    for number in wrong:
        raised(TypeError, Board.of, "divisor-duel", number)
    assert str(Board.of("subtract-a-prime", 0)) == "subtract-a-prime:0"


def test_a_notebook_shows_boards_and_verdicts() -> None:
    several = "subtract-a-prime:20+divisor-duel:60~misere"
    for text in (several, "divisor-duel:7", f"digit-subtraction-duel:1{'0' * 60}"):
        board = Board.parse(text)
        shown = fromstring(board._repr_svg_())
        words = [part.text for part in shown.iter("{http://www.w3.org/2000/svg}text")]
        assert [number.game.title for number in board.numbers] == words[:-1:3]
        assert words[-1] == f"The last to move {'loses' if board.misere else 'wins'}."
        assert (words[2] == "no move left") == board.is_over
    assert words[1].startswith("1000")
    assert len(words[1]) < 40
    html = solve("divisor-duel:60")._repr_html_()
    assert html.startswith("<svg")
    assert "<p>divisor-duel:60: the player to move wins.</p>" in html
