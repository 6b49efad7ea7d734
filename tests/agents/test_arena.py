"""The arena: fair pairings, honest figures, and no player that stops it."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from random import Random

import pytest

from agents.bots import bot
from numduel import Board, Move, errors
from numduel.arena import End, Plan, ResultsFile, read_drawn_start, run, standings_of
from numduel.arena.standings import bradley_terry
from numduel.players import Limits, make_computer
from patience import PATIENT

SIXTY = Board.parse("divisor-duel:60")


def plan(*players: str, boards: tuple[Board, ...] = (SIXTY,), rounds: int = 10) -> Plan:
    return Plan(players, boards, rounds=rounds, seed=4)


def test_everybody_meets_everybody_in_both_seats() -> None:
    made = Plan(
        ("a", "b", "c"), (SIXTY,), (read_drawn_start("subtract-a-prime:30"),), rounds=2, seed=1
    )
    pairings = list(made)
    assert len(pairings) == len(made) == 2 * 2 * 6
    assert [pairing.number for pairing in pairings] == list(range(24))
    for board in {pairing.board for pairing in pairings}:
        seats = [(p.first, p.second) for p in pairings if p.board == board]
        repeated = 2 if board == SIXTY else 1
        assert sorted(seats) == sorted(
            repeated * [(a, b) for a in range(3) for b in range(3) if a != b]
        )
    drawn = {str(p.board) for p in pairings} - {str(SIXTY)}
    assert len(drawn) == 2
    assert all(len(text.partition(":")[2]) == 30 for text in drawn)
    assert list(made) == pairings


def test_drawn_starts_are_starts() -> None:
    for key in ("prime-subtractor", "divisor-duel", "power-play"):
        draw = read_drawn_start(f"{key}:12")
        for seed in range(20):
            board = draw.board(Random(seed))
            assert board.numbers[0].game.is_start(board.numbers[0].value)
            assert not board.is_over


def test_what_is_no_plan() -> None:
    for text in ("divisor-duel", "divisor-duel:", "divisor-duel:0", "divisor-duel:99999",
                 "chess:3", "divisor-duel:x"):  # fmt: skip
        with pytest.raises((errors.InvalidSetup, errors.UnknownGame)):
            read_drawn_start(text)
    for players in (("random",), ("random", "random"), ("person", "random"), ()):
        with pytest.raises(errors.InvalidSetup):
            plan(*players)
    for boards in ((), (Board.parse("divisor-duel:7"),)):
        with pytest.raises(errors.InvalidSetup):
            plan("random", "largest", boards=boards)


class Least:
    """Plays the smallest move, or the number itself, which is not legal in Divisor Duel."""

    def __init__(self, illegal: bool = False) -> None:
        self.illegal = illegal
        self.seen: list[Board] = []

    def choose(self, board: Board) -> Move:
        self.seen.append(board)
        return Move(0, board.numbers[0].value) if self.illegal else next(board.moves())


def test_objects_meet_words_and_one_another() -> None:
    least, largest = Least(), make_computer("largest", Random())
    made = plan("mine", "largest", "perfect", rounds=1)
    results = run(made, players={"mine": least})
    assert least.seen[0] == SIXTY
    assert not any(result.ending is End.FORFEITED for result in results)
    assert results == run(made, players={"mine": Least(), "largest": largest})
    assert standings_of(made, results).players[0].player == "perfect"
    made = plan("mine", "largest", rounds=2)  # an illegal move loses, and the arena goes on
    (best, mine) = standings_of(made, run(made, players={"mine": Least(illegal=True)})).players
    assert (best.player, best.wins) == ("largest", 4)
    assert [mine[name] for name in ("forfeits", "illegal", "faults")] == [4, 4, 0]


def test_own_players_that_cannot_play() -> None:
    made = plan("mine", "largest")
    for problem, refused in (
        ("player objects", lambda: plan("largest", Least())),  # type: ignore[arg-type]
        ("own players", lambda: run(made, jobs=2, players={"mine": Least()})),
        ("not in plan", lambda: run(made, players={"other": Least()})),
        ("no choose", lambda: run(made, players={"mine": object()})),  # type: ignore[dict-item]
    ):
        with pytest.raises(errors.InvalidSetup) as caught:
            refused()
        assert caught.value.problem == problem
    with pytest.raises(errors.InvalidSetup, match="no player called"):
        run(made)

    class Broken:
        def choose(self, board: Board) -> Move:
            raise ZeroDivisionError(board)

    with pytest.raises(ZeroDivisionError):
        run(made, players={"mine": Broken()})


def test_the_perfect_player_throws_nothing_away() -> None:
    boards = (SIXTY, Board.parse("subtract-a-prime:20~misere"), Board.parse("power-play:30"))
    made = plan("perfect", "level:2", "random", boards=boards)
    found = standings_of(made, run(made, Limits()))
    assert [standing.player for standing in found.players] == ["perfect", "level:2", "random"]
    best, _, worst = found.players
    assert best.rate("optimal_rate") == 1.0
    assert (best.rate("thrown_away_per_match"), best.matches) == (0.0, 80)
    assert (worst.rate("optimal_rate") or 1.0) < 0.6
    assert sum(standing.wins for standing in found.players) == 120
    assert sum(found.wins.values()) == 120
    assert [standing.luck[0] for standing in found.players] == [40, 40, 40]


def test_two_perfect_players_win_half_and_that_tells_nothing() -> None:
    made = plan("perfect", "level:5", rounds=3)
    one, other = standings_of(made, run(made, Limits())).players
    assert one.rate("win_rate") == other.rate("win_rate") == 0.5
    assert one["first_wins"] == one["first_matches"] == 3
    made = plan("perfect", "level:5", boards=(Board.parse("divisor-duel:4~misere"),), rounds=1)
    assert [result.winner for result in run(made)] == [1, 1], "who has no move wins"


@pytest.mark.parametrize("name", ["dies", "illegal"])
def test_a_bad_player_loses_and_the_arena_goes_on(name: str, tmp_path: Path) -> None:
    word = bot(tmp_path, name)
    made = plan("random", word, "largest", rounds=1)
    found = standings_of(made, run(made, Limits(seconds=PATIENT, tries=1)))
    assert sum(standing.matches for standing in found.players) == 12
    bad = next(standing for standing in found.players if standing.player == word)
    # It may win where the other side is stuck before it has a turn, but never from 60.
    assert (bad.wins, bad["forfeits"], bad["moves"]) == (0, 4, 0)
    rates = (bad.rate("illegal_rate"), bad.rate("fault_rate"))
    assert rates == ((1.0, 0.0) if name == "illegal" else (0.0, 1.0))
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
    results = run(Plan(("largest", "random"), (board,)), Limits())
    assert all(result.ending is End.FORFEITED for result in results)


def test_results_are_kept_and_gone_on_from(tmp_path: Path) -> None:
    made = plan("random", "level:3", rounds=15)
    path = tmp_path / "results.jsonl"
    whole = run(made, Limits(), file=ResultsFile(str(path), made))
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + len(made)
    path.write_text("".join(lines[:10]) + lines[10][:7])
    told: list[tuple[int, int]] = []
    again = run(made, Limits(), 1, ResultsFile(str(path), made), lambda *now: told.append(now))
    assert again == whole
    assert told[0] == (9, 9)
    assert told[-1] == (9, len(made))
    assert told == sorted(told)
    assert path.read_text() == "".join(lines), "the same file, whoever stopped in between"


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path, made = tmp_path / "results.jsonl", plan("random", "largest")
    for text in ("", "hello\n", "[1]\n", '{"numduel results": 1}\n', "\x00\n"):
        path.write_text(text)
        with pytest.raises(errors.FileError, match="results file"):
            ResultsFile(str(path), made).read()
        assert path.read_text() == text
    path.unlink()
    file = ResultsFile(str(path), made)
    assert file.read() == {}
    head = path.read_text()
    for line in BROKEN_LINES:
        path.write_text(f"{head}{line}\n")
        with pytest.raises(errors.FileError, match="results file") as caught:
            file.read()
        assert "line 2" in caught.value.problem


BROKEN_LINES = (
    "7",
    "[]",
    "{",
    '[0, 2, "no-move", [1], [1], ""]',
    '[999, 0, "no-move", [1], [1], ""]',
    '[0, 0, "won", [1], [1], ""]',
    '[0, 0, "no-move", [], [1], 1]',
)


def test_bradley_terry_finds_the_odds() -> None:
    wins = {("a", "b"): 3000, ("b", "a"): 1000}
    found = bradley_terry(("a", "b"), wins)
    assert found["a"] - found["b"] == pytest.approx(400 * math.log10(3), abs=0.5)
    assert sum(found.values()) == pytest.approx(0)
    never = bradley_terry(("a", "b"), {("a", "b"): 10})
    assert 100 < never["a"] < 2000
