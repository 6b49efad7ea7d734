"""The arena: fair pairings, honest figures with intervals, and no player that stops it."""

import sys
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import log10
from pathlib import Path
from random import Random

import pytest

from agents.bots import bot
from numduel import Board, Move, errors
from numduel.arena import End, Plan, read_drawn_start, run, standings_of
from numduel.arena.standings import bradley_terry
from numduel.players import Limits, make_computer
from patience import PATIENT
from raised import raised

SIXTY = Board.parse("divisor-duel:60")


def plan(*players: str, boards: tuple[Board, ...] = (SIXTY,), rounds: int = 10) -> Plan:
    return Plan(players, boards, rounds=rounds, seed=4)


def test_everybody_meets_everybody_in_both_seats() -> None:
    draws = (read_drawn_start("subtract-a-prime:30"),)
    made = Plan(("a", "b", "c"), (SIXTY,), draws, rounds=2, seed=1)
    pairings = list(made)
    assert pairings == list(made)
    assert [pairing.number for pairing in pairings] == list(range(len(made))) == list(range(24))
    met = Counter((p.board, p.first, p.second) for p in pairings)
    boards = {pairing.board for pairing in pairings}
    drawn = {len(str(board.numbers[0].value)) for board in boards - {SIXTY}}
    assert (len(boards), drawn) == (3, {30})
    assert met == {
        (board, *seats): 2 if board == SIXTY else 1
        for board in boards
        for seats in permutations(range(3), 2)
    }
    for key in ("prime-subtractor", "divisor-duel", "power-play"):
        draw = read_drawn_start(f"{key}:12")
        for seed in range(20):
            board = draw.board(Random(seed))
            assert board.numbers[0].game.is_start(board.numbers[0].value)
            assert not board.is_over


def test_what_is_no_plan() -> None:
    for text in ("divisor-duel", "divisor-duel:0", "divisor-duel:99999", "divisor-duel:x"):
        raised(errors.InvalidSetup, read_drawn_start, text)
    raised(errors.InvalidSetup, plan, "random", "random")
    raised(errors.InvalidSetup, plan, "random", "largest", boards=(Board.parse("divisor-duel:7"),))


class Own:
    """Chooses by a function."""

    def __init__(self, choose: Callable[[Board], Move]) -> None:
        self.choose = choose


def test_objects_meet_words_and_one_another() -> None:
    least = Own(lambda board: next(board.moves()))
    made = plan("mine", "largest", "perfect", rounds=1)
    results = run(made, players={"mine": least})
    assert not any(result.ending is End.FORFEITED for result in results)
    largest = make_computer("largest", Random())
    assert results == run(made, players={"mine": least, "largest": largest})
    assert standings_of(made, results).players[0].player == "perfect"
    made = plan("mine", "largest", rounds=2)  # an illegal move loses, and the arena goes on
    all_of_it = Own(lambda board: Move(0, board.numbers[0].value))
    (best, mine) = standings_of(made, run(made, players={"mine": all_of_it})).players
    assert (best.player, best.wins) == ("largest", 4)
    assert [mine[name] for name in ("forfeits", "illegal", "faults")] == [4, 4, 0]
    for problem, refused in (
        ("player objects", lambda: plan("largest", least)),  # type: ignore[arg-type]
        ("own players", lambda: run(made, jobs=2, players={"mine": least})),
        ("not in plan", lambda: run(made, players={"other": least})),
        ("no choose", lambda: run(made, players={"mine": object()})),  # type: ignore[dict-item]
    ):
        assert raised(errors.InvalidSetup, refused).problem == problem
    raised(errors.InvalidSetup, run, made, match="no player called")
    raised(ZeroDivisionError, run, made, players={"mine": Own(lambda board: Move(0, 1 // 0))})


def test_the_perfect_player_throws_nothing_away() -> None:
    made = plan("perfect", "level:5", rounds=3)  # two of them win half, and that tells nothing
    one, other = standings_of(made, run(made)).players
    assert one.rate("win_rate") == other.rate("win_rate") == 0.5
    assert one["first_wins"] == one["first_matches"] == 3
    made = plan("perfect", "level:5", boards=(Board.parse("divisor-duel:4~misere"),), rounds=1)
    assert [result.winner for result in run(made)] == [1, 1], "who has no move wins"
    boards = (SIXTY, Board.parse("subtract-a-prime:20~misere"), Board.parse("power-play:30"))
    made = plan("perfect", "level:2", "random", boards=boards)
    found = standings_of(made, run(made))
    assert [standing.player for standing in found.players] == ["perfect", "level:2", "random"]
    best, _, worst = found.players
    assert best.rate("optimal_rate") == 1.0
    assert (best.rate("thrown_away_per_match"), best.matches) == (0.0, 80)
    assert (worst.rate("optimal_rate") or 1.0) < 0.6
    assert sum(standing.wins for standing in found.players) == 120
    assert sum(found.wins.values()) == 120
    assert [standing.luck[0] for standing in found.players] == [40, 40, 40]


def test_a_bad_player_loses_and_the_arena_goes_on(tmp_path: Path) -> None:
    for name, rates in (("dies", (0.0, 1.0)), ("illegal", (1.0, 0.0))):
        word = bot(tmp_path, name)
        made = plan("random", word, "largest", rounds=1)
        found = standings_of(made, run(made, Limits(seconds=PATIENT, tries=1)))
        assert sum(standing.matches for standing in found.players) == 12
        bad = next(standing for standing in found.players if standing.player == word)
        # It may win where the other side is stuck before it has a turn, but never from 60.
        assert (bad.wins, bad["forfeits"], bad["moves"]) == (0, 4, 0)
        assert (bad.rate("illegal_rate"), bad.rate("fault_rate")) == rates
        assert bad.problem


def test_programs_of_other_processes_are_ended(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    script = tmp_path / "stays.py"
    script.write_text(
        f"import os, time\nopen({str(noted)!r}, 'a').write(f'{{os.getpid()}} ')\n"
        "print('=\\n\\n= 2\\n\\n? no\\n', flush=True)\ntime.sleep(60)\n"
    )
    made = plan(f"engine:{sys.executable} {script}", "largest", rounds=1)
    run(made, Limits(seconds=PATIENT, tries=1), jobs=2)
    started = noted.read_text().split()
    assert started
    assert not [process for process in started if Path(f"/proc/{process}").exists()]


def test_a_board_that_is_too_large_for_a_player_is_a_fault() -> None:
    board = Board.parse(f"divisor-duel:{(10**59 + 381) * (10**60 + 7)}")
    results = run(Plan(("largest", "random"), (board,)))
    assert all(result.ending is End.FORFEITED for result in results)


def test_bradley_terry_finds_the_odds() -> None:
    wins = {("a", "b"): 3000, ("b", "a"): 1000}
    found = bradley_terry(("a", "b"), wins)
    assert found["a"] - found["b"] == pytest.approx(400 * log10(3), abs=0.5)
    assert sum(found.values()) == pytest.approx(0)
    never = bradley_terry(("a", "b"), {("a", "b"): 10})
    assert 100 < never["a"] < 2000


def test_repeated_matches_do_not_narrow_an_interval() -> None:
    found, boards = [], (SIXTY, Board.parse("divisor-duel:84"))
    for rounds in (1, 20):
        made = plan("largest", "perfect", boards=boards, rounds=rounds)
        players = standings_of(made, run(made)).players
        found.append([(s.interval("win_rate"), s.interval("optimal_rate")) for s in players])
    assert found[0] == found[1]
