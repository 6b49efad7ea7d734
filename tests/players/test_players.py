"""Players: what they choose is legal and as strong as the table says; and the runner asks them."""

import re
from collections import Counter
from functools import partial
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.strength import wins_kept

from match.test_board import boards
from numduel import Board, Move, errors, solve
from numduel.match import Event, Moved, Over, Setup
from numduel.players import (
    COMPUTERS,
    LADDER,
    PERSON,
    Player,
    make_computer,
    make_player,
    next_rung,
    player_words,
)
from numduel.players.levels import winning_at_once
from numduel.running import Runner
from numduel.solver import Search
from numduel.wording import players as said
from raised import raised
from rules.plain_rules import HARD
from terminal import Terminal, piped

LEVELS = [f"level:{level}" for level in range(1, 6)]


def player(word: str, seed: int = 3) -> Player:
    return make_computer(word, Random(seed))


def runner(board: str | Board, *words: str, first: int = 0) -> tuple[Runner, list[Event]]:
    events: list[Event] = []
    players = (make_player(words[0], Random(1)), make_player(words[1], Random(2)))
    setup = Setup(board if isinstance(board, Board) else Board.parse(board), first=first)
    return Runner(setup, players, events.append, (words[0], words[1])), events


def winner(board: str | Board, *words: str) -> int:
    """Who wins a match that two computers play to its end by themselves."""
    table, events = runner(board, *words)
    table.begin()
    over = events[-1]
    assert isinstance(over, Over)
    assert (table.referee.over, table.record.players) == (over, words)
    return over.winner


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


def test_the_computer_moves_as_soon_as_it_is_its_turn() -> None:
    table, events = runner("divisor-duel:60", "person", "largest", first=1)
    table.begin()
    assert [event.player for event in events if isinstance(event, Moved)] == [1]
    assert table.referee.turn.player == 0
    raised(errors.NotAllowed, table.undo, match="nothing to take back")
    table.enter("15")
    assert len(table.record.turns) == 3
    table.undo()
    assert len(table.record.turns) == 1
    assert str(table.referee.board) == "divisor-duel:30"


def test_a_number_too_large_to_factor_is_played_on_by_small_divisors() -> None:
    board = Board.parse(f"divisor-duel:{HARD}+subtract-a-prime:9")
    for word in ("perfect", "largest", "random", "level:1", "level:5"):
        table, _ = runner(f"divisor-duel:{10**99 + 8}", "person", word)
        table.begin()
        table.enter("3")
        assert len(table.record.turns) >= 2
        assert word == "largest" or board.is_legal(player(word).choose(board))
    table, _ = runner(f"divisor-duel:{HARD}", "person", "largest", first=1)
    raised(errors.TooLarge, table.begin, match="too large to factor")
    assert table.record.winner is None, "the record stands"


@pytest.mark.parametrize("ending", ["", "~misere"])
def test_perfect_wins_every_won_start_as_plain_search_sees_it(ending: str) -> None:
    search = Search(misere=bool(ending))
    for key in ("subtract-a-prime", "prime-subtractor", "divisor-duel", "digit-subtraction-duel"):
        for n in range(1 + (key == "divisor-duel"), 80):
            board = Board.parse(f"{key}:{n}{ending}")
            if not search.lost(board) and not board.is_over:
                for opponent in ("random", "largest", "perfect"):
                    assert winner(board, "perfect", opponent) == 0, board


@settings(max_examples=30, deadline=None)
@given(boards(3, 40))
def test_perfect_wins_won_boards_of_several_numbers(board: Board) -> None:
    try:
        won = not board.is_over and solve(board).outcome == "win"
        assert not won or winner(board, "perfect", "random") == 0
    except errors.TooLarge:
        return


def test_perfect_and_level_5_keep_wins_of_large_numbers() -> None:
    keys = ("subtract-a-prime", "divisor-duel", "digit-subtraction-duel")
    for key, word in product(keys, ("perfect", "level:5")):
        board = Board.parse(f"{key}:{10**99 + 1234}")
        assert solve(board).outcome == "win"
        assert solve(board.play(player(word).choose(board))).outcome == "loss"


def test_a_beginner_sees_one_move_ahead() -> None:
    board = Board.parse("divisor-duel:10")
    seen = [player("level:1", seed).choose(board) == Move(0, 5) for seed in range(200)]
    assert 120 < sum(seen) < 190, "more often than by chance, and not always"
    for text, move in (
        ("divisor-duel:10", Move(0, 5)),
        ("divisor-duel:9", None),
        ("subtract-a-prime:19~misere", None),
        ("subtract-a-prime:19+divisor-duel:4", None),
        ("subtract-a-prime:1+divisor-duel:4", Move(1, 2)),
    ):
        assert winning_at_once(Board.parse(text)) == move
    # Each of these boards can be won by one move; the first rung overlooks most of that.
    for text in ("subtract-a-prime:18", "prime-subtractor:12"):
        board = Board.parse(text)
        assert winning_at_once(board) is not None
        chosen = [player("beginner", seed).choose(board) for seed in range(200)]
        assert sum(board.play(move).is_over for move in chosen) < 60


def test_when_lost_the_move_with_the_fewest_winning_replies_is_played() -> None:
    board = Board.parse("subtract-a-prime:49")
    search = Search()
    assert search.lost(board)
    replies = {}
    for move in board.moves():
        after = board.play(move)
        replies[move] = sum(search.lost(after.play(reply)) for reply in after.moves())
    for word in ("perfect", *LEVELS):
        assert replies[player(word).choose(board)] == min(replies.values())


def test_a_seed_repeats_and_another_differs() -> None:
    def choices(seed: int) -> list[Move]:
        level = player("level:2", seed)
        return [level.choose(Board.parse(f"subtract-a-prime:{n}")) for n in range(30, 80)]

    assert choices(5) == choices(5)
    assert choices(5) != choices(6)


def test_perfect_refuses_rather_than_guess_and_a_level_plays_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("numduel.solver.ways.Search", partial(Search, limit=1000))
    board = Board.parse("divisor-duel:5040+divisor-duel:720720~misere")
    raised(errors.TooLarge, player("perfect").choose, board, match="Too large to solve")
    assert board.is_legal(player("level:5").choose(board))


def test_players_are_as_strong_as_the_table_says() -> None:
    measured = {word: wins_kept(word, 300) for word in COMPUTERS}
    claimed = {word: computer.keeps for word, computer in COMPUTERS.items()}
    assert measured == pytest.approx(claimed, abs=0.03)
    assert measured["level:5"] == measured["perfect"] == 1
    for words in (LEVELS, LADDER):
        assert [claimed[word] for word in words] == sorted(claimed[word] for word in words)
    assert [next_rung(word) for word in LADDER] == [*LADDER[1:], None]
    assert LADDER[0] == "beginner"
    assert [next_rung(word) for word in ("person", "perfect", "random", "nobody")] == [None] * 4


def test_help_and_menu_say_the_same_of_every_player() -> None:
    assert player_words() == [PERSON, "random", "largest", "beginner", *LEVELS, "perfect"]
    assert make_player(PERSON, Random()) is None
    assert {*said.KINDS} == {*COMPUTERS} == {*player_words()} - {PERSON}
    assert len({said.computer_name(word) for word in COMPUTERS}) == len(COMPUTERS)
    assert len({said.how_it_plays(word) for word in COMPUTERS}) == len(COMPUTERS)
    assert said.offered("level:3") == "Iris misses one chance to win in seven"
    helped = piped(["play", "--help"])[0]
    for word in COMPUTERS:
        (line,) = (one for one in helped.splitlines() if re.match(rf"    (\w+, )?{word}\b", one))
        assert line.endswith(f"  {said.how_it_plays(word)}")
    with Terminal() as menu:
        menu.type("")
        menu.wait_for_prompt()
        assert "5  Iris     misses one chance to win in seven" in menu.screen
        assert "8  Perfect  never misses a win" in menu.screen


def test_a_computer_is_no_person_and_no_program() -> None:
    for word in ("person", "Random", "engine:true", "llm:m@http://localhost:1/", "level:6"):
        error = raised(errors.InvalidSetup, make_computer, word, Random(), match="no player called")
        assert error.known == [*COMPUTERS]
