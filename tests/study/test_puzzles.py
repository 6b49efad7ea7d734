"""Puzzles: one winning move, the same everywhere, rated; and the daily one."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import pytest

from numduel import Board
from numduel.errors import NothingToStudy
from numduel.solver import Search
from numduel.study.depth import TooDeep, remoteness
from numduel.study.draw import Draw
from numduel.study.puzzles import KINDS, NEAR, SEVERAL, as_json, daily_puzzle, make_puzzle
from numduel.study.statistics import daily_streak, streak
from numduel.wording import problem

SOAK = bool(os.environ.get("NUMDUEL_SOAK"))


@pytest.mark.parametrize("kind", KINDS)
def test_puzzles_are_right(kind: str) -> None:
    for seed in range(12):
        puzzle = make_puzzle(f"test {seed}", kind)
        assert puzzle.game == kind
        search = Search()
        winning = list(search.winning_moves(puzzle.board))
        if puzzle.asks == "move":
            assert [puzzle.board.write_move(move) for move in winning] == [puzzle.solution]
            assert len(list(puzzle.board.moves())) > 1, "there is something to choose"
        else:
            assert puzzle.solution == ("2" if search.lost(puzzle.board) else "1")
        assert puzzle.is_solved_by(puzzle.solution)
        assert 300 < puzzle.rating < 2500


def test_power_play_asks_who_wins_and_other_games_for_the_move() -> None:
    for kind in KINDS[:-1]:
        asks = "winner" if kind == "power-play" else "move"
        assert {make_puzzle(str(seed), kind).asks for seed in range(10)} == {asks}
    assert {make_puzzle(str(seed), "several").asks for seed in range(20)} == {"move", "winner"}


def test_a_seed_gives_the_same_puzzle_in_another_process() -> None:
    code = (
        "from numduel.study.puzzles import *; from datetime import date; "
        "print(make_puzzle('x'), daily_puzzle(date(2026, 11, 15)))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{make_puzzle('x')} {daily_puzzle(date(2026, 11, 15))}\n"}


def test_the_daily_puzzle_does_not_change_from_version_to_version() -> None:
    """Written down once: whoever changes these changes everybody's puzzle of the day."""
    found = [daily_puzzle(date(2026, 11, 15) + timedelta(days)) for days in range(4)]
    assert [(str(puzzle.board), puzzle.solution) for puzzle in found] == [
        ("digit-subtraction-duel:693", "3"),
        ("digit-subtraction-duel:78", "8"),
        ("divisor-duel:21+subtract-a-prime:8", "1"),
        ("prime-subtractor:8,opening=any+divisor-duel:14", "1:5"),
    ]
    assert found[0].day == "2026-11-15"
    assert as_json(found[0])["solution"] == "3"
    assert len({str(daily_puzzle(date(2026, 1, 1) + timedelta(d)).board) for d in range(60)}) > 50


@pytest.mark.parametrize("rating", [600, 1000, 1400])
def test_a_rating_is_met(rating: int) -> None:
    for kind in ("subtract-a-prime", "divisor-duel", "digit-subtraction-duel"):
        assert abs(make_puzzle("rated", kind, rating).rating - rating) <= 2 * NEAR
    hardest = make_puzzle("rated", "power-play", 3000)
    assert hardest.rating >= make_puzzle("rated", "power-play", 500).rating


def test_a_game_that_makes_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.study.puzzles._TRIES", 0)
    with pytest.raises(NothingToStudy) as caught:
        make_puzzle("a", "power-play")
    assert problem(caught.value) == 'No position of "power-play" was found that makes a puzzle.'


def test_more_temptation_and_a_deeper_refutation_rate_higher() -> None:
    easy, hard = (
        make_puzzle("a", "subtract-a-prime", 600),
        make_puzzle("a", "subtract-a-prime", 1500),
    )
    assert len(list(hard.board.moves())) > len(list(easy.board.moves()))


def test_remoteness() -> None:
    assert remoteness(Board.parse("subtract-a-prime:1")) == 0
    assert remoteness(Board.parse("subtract-a-prime:7")) == 1
    assert remoteness(Board.parse("subtract-a-prime:9")) == 2
    assert remoteness(Board.parse("power-play:360")) == 6
    assert remoteness(Board.parse("power-play:4~misere")) == 2
    with pytest.raises(TooDeep):
        remoteness(Board.parse("subtract-a-prime:5000"))


def test_draws_are_even_and_fixed() -> None:
    draw = Draw("a")
    counts = [0] * 5
    for _ in range(5000):
        counts[draw.below(5)] += 1
    assert min(counts) > 900
    assert [Draw("numduel").between(1, 6) for _ in range(2)] == [Draw("numduel").between(1, 6)] * 2


def test_streaks() -> None:
    assert streak([]) == 0
    assert streak([True, False, True, True]) == 2
    today = datetime(2026, 11, 15, tzinfo=UTC).date()
    assert daily_streak([], today) == 0
    assert daily_streak(["2026-11-15", "2026-11-14", "2026-11-12"], today) == 2
    assert daily_streak(["2026-11-14", "2026-11-13"], today) == 2, "today is not over yet"
    assert daily_streak(["2026-11-12"], today) == 0


@pytest.mark.parametrize("kind", [*KINDS, None])
@pytest.mark.parametrize("rating", [None, 500, 900])
def test_no_puzzle_comes_twice_in_a_row_of_eight(kind: str | None, rating: int | None) -> None:
    answered: list[str] = []
    for run in range(8):
        answered.append(str(make_puzzle(f"row {run}", kind, rating, answered).board))
    assert len(set(answered)) == 8, answered


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_easy_puzzles_are_drawn_widely(kind: str) -> None:
    """Without a memory too: sixteen draws from a dozen alike give about nine different ones."""
    for rating in (500, 800) if SOAK or kind != SEVERAL else (500,):
        assert len({str(make_puzzle(f"{n}", kind, rating).board) for n in range(16)}) >= 6


def test_when_all_were_answered_the_one_of_long_ago_comes_again() -> None:
    answered: list[str] = []
    for run in range(40):
        answered.append(str(make_puzzle(f"{run}", "subtract-a-prime", 500, answered).board))
    there = len(set(answered))
    assert answered[there:] == answered[: 40 - there]
