"""Players and the runner: what they choose is legal, and people are asked when it is their turn."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from match.test_board import boards
from numduel import Board, errors
from numduel.match import Event, Moved, Over, Setup
from numduel.players import Player, make_player, player_words
from numduel.running import Runner


def player(word: str, seed: int = 3) -> Player:
    made = make_player(word, Random(seed))
    assert made is not None
    return made


@given(boards(3, 10**6), st.sampled_from(["random", "largest"]), st.integers(0, 99))
def test_what_they_choose_is_legal(board: Board, word: str, seed: int) -> None:
    if not board.is_over:
        assert board.is_legal(player(word, seed).choose(board))


def test_random_moves_of_large_numbers() -> None:
    for key in ("subtract-a-prime", "prime-subtractor", "digit-subtraction-duel"):
        board = Board.parse(f"{key}:{10**99 + 123456789}")
        chosen = {player("random", seed).choose(board) for seed in range(8)}
        assert all(map(board.is_legal, chosen))
        assert len(chosen) > 2
    hard = 30 * (10**59 + 381) * (10**60 + 7)  # what it can name of its divisors
    for text in (f"divisor-duel:{hard}", "subtract-a-prime:" + "9" * 4000):
        board = Board.parse(text)
        assert all(board.is_legal(player("random", seed).choose(board)) for seed in range(3))


def test_random_is_even_over_all_numbers_of_the_board() -> None:
    board, random = Board.parse("subtract-a-prime:11+divisor-duel:12"), player("random")
    counts = Counter(random.choose(board) for _ in range(4500))
    assert len(counts) == 9
    assert all(400 < count < 600 for count in counts.values())


def test_largest_is_the_largest() -> None:
    for text, move in (
        ("subtract-a-prime:20", "19"),
        ("divisor-duel:60,divisors=odd", "15"),
        ("subtract-a-prime:20+divisor-duel:60", "2:30"),
        ("subtract-a-prime:1+divisor-duel:4", "2:2"),
    ):
        board = Board.parse(text)
        assert board.write_move(player("largest").choose(board)) == move


def test_words() -> None:
    levels = [f"level:{level}" for level in range(1, 6)]
    assert player_words() == ["person", "random", "largest", "beginner", *levels, "perfect"]
    assert make_player("person", Random()) is None


def runner(board: str, *words: str, first: int = 0) -> tuple[Runner, list[Event]]:
    events: list[Event] = []
    players = (make_player(words[0], Random(1)), make_player(words[1], Random(2)))
    setup = Setup(Board.parse(board), first=first)
    return Runner(setup, players, events.append, (words[0], words[1])), events


def test_two_computers_play_to_the_end_by_themselves() -> None:
    table, events = runner("divisor-duel:60", "random", "largest")
    table.begin()
    assert isinstance(events[-1], Over)
    assert table.over == events[-1]
    assert table.record.players == ("random", "largest")


def test_the_computer_moves_as_soon_as_it_is_its_turn() -> None:
    table, events = runner("divisor-duel:60", "person", "largest", first=1)
    table.begin()
    assert [event.player for event in events if isinstance(event, Moved)] == [1]
    assert table.turn.player == 0
    with pytest.raises(errors.NotAllowed, match="nothing to take back"):
        table.undo()
    table.enter("15")
    assert len(table.record.turns) == 3
    table.undo()
    assert len(table.record.turns) == 1
    assert str(table.board) == "divisor-duel:30"


@pytest.mark.parametrize("word", ["perfect", "largest", "random", "level:1", "level:5"])
def test_a_number_too_large_to_factor_is_played_on_by_small_divisors(word: str) -> None:
    table, _ = runner(f"divisor-duel:{10**99 + 8}", "person", word)
    table.begin()
    table.enter("3")
    assert len(table.record.turns) >= 2
    board = Board.parse(f"divisor-duel:{(10**40 + 121) * (10**41 + 109)}+subtract-a-prime:9")
    if word != "largest":
        assert board.is_legal(player(word).choose(board))


def test_a_computer_that_cannot_factor_stops_with_an_error_and_the_record_stands() -> None:
    hard = (10**40 + 121) * (10**41 + 109)
    table, _ = runner(f"divisor-duel:{hard}", "person", "largest", first=1)
    with pytest.raises(errors.TooLarge, match="too large to factor"):
        table.begin()
    assert table.record.winner is None
