"""Puzzles: one winning move, the same everywhere, rated; and the daily one."""

from collections import Counter
from datetime import UTC, datetime
from fractions import Fraction
from itertools import accumulate, groupby, islice, product

import pytest

from numduel import Board
from numduel.errors import NothingToStudy
from numduel.solver import Search, no_choice_matters, solve
from numduel.study import Draw
from numduel.study.difficulty import TooDeep, match_rating, remoteness, winner_rating
from numduel.study.puzzles import (
    KINDS,
    NEAR,
    SEVERAL,
    as_json,
    make_puzzle,
    puzzles_in_turn,
    rising_puzzle,
)
from numduel.study.statistics import daily_streak, streak
from numduel.wording import problem
from raised import raised
from soaking import SOAK


@pytest.mark.parametrize("kind", KINDS)
def test_puzzles_are_right(kind: str) -> None:
    for seed in range(8):
        puzzle = make_puzzle(f"test {seed}", kind)
        assert puzzle.game == kind
        search = Search()
        winning = list(search.winning_moves(puzzle.board))
        assert puzzle.asks == ("winner" if kind == "power-play" else "move")
        if puzzle.asks == "move":
            assert [puzzle.board.write_move(move) for move in winning] == [puzzle.solution]
            assert len(list(puzzle.board.moves())) > 1, "there is something to choose"
        else:
            assert puzzle.solution == ("2" if search.lost(puzzle.board) else "1")
        assert puzzle.is_solved_by(puzzle.solution)
        assert 300 < puzzle.rating < 2100
    if kind == "power-play":
        assert puzzle.question == "Player 1 is to move. Who wins with best play, 1 or 2?"
        assert sum(puzzle.is_solved_by(answer) for answer in ("1 ", "2")) == 1


def test_what_makes_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    for rule in ("halve-or-subtract-1", "subtract-2-5"):  # with two moves, a coin toss would do
        raised(NothingToStudy, make_puzzle, "a", rule)
        more = islice(puzzles_in_turn("a", f"{rule}-7"), 9)
        assert all(len(list(puzzle.board.moves())) > 2 for puzzle in more)
    monkeypatch.setattr("numduel.study.puzzles._TRIES", 0)
    error = raised(NothingToStudy, make_puzzle, "a", "power-play")
    said = 'No position of "power-play" was found that makes a puzzle: one winning move among at'
    assert problem(error) == f"{said} least three."


def test_the_puzzle_of_a_seed_does_not_change_from_version_to_version() -> None:
    found = [make_puzzle("x"), rising_puzzle("x", 1), rising_puzzle("x", 9, "several")]
    assert [(str(puzzle.board), puzzle.solution) for puzzle in found] == [
        ("divisor-duel:304", "19"),
        ("prime-subtractor:6", "5"),
        ("divisor-duel:6+subtract-a-prime:6", "2:2"),
    ]
    assert as_json(found[0])["solution"] == found[0].solution


def test_a_rating_is_met_by_one_game_or_another() -> None:
    for rating in (600, 1200, 1600):
        for seed in range(8):
            puzzle = make_puzzle(str(seed), None, rating)
            assert abs(puzzle.rating - rating) <= NEAR
            assert puzzle.asks == "move"
    for kind in KINDS:
        easy = make_puzzle("rated", kind, 500).rating
        assert easy < make_puzzle("rated", kind, 1900).rating, "of any game"


def test_where_few_are_rated_so_the_nearer_ones_come() -> None:
    ratings = sorted(make_puzzle(str(n), "divisor-duel", 500).rating for n in range(40))
    assert ratings[0] == 872
    assert ratings[20] <= 1272 < ratings[-1], "of the nearest dozen, mostly the nearer half"


def test_a_puzzle_knows_how_far_one_has_to_look() -> None:
    """A rating against its definition: readers who really look ahead, move by move."""
    for text in ("subtract-a-prime:15", "subtract-a-prime:6", "divisor-duel:28"):
        board = Board.parse(text)
        wrong = Fraction(0)
        for ahead in range(8):
            seen = {move: ending(board.play(move), ahead - 1) for move in board.moves()}
            best = [move for move, wins in seen.items() if wins is True] or [
                move for move, wins in seen.items() if wins is None
            ]
            (right,) = Search().winning_moves(board)
            wrong += 1 - Fraction(right in best, len(best))
        replies = {move: len(list(board.play(move).moves())) for move in board.moves()}
        wrong += max(replies, key=lambda move: move.amount) != right
        wrong += min(replies, key=lambda move: move.amount) != right
        wrong += min(replies, key=replies.__getitem__) != right
        size = board.numbers[0].value.bit_length()
        expected = 300 + int(1500 * wrong / 11) + 10 * size
        assert match_rating([(board, [right])], {}) == expected, text


def ending(board: Board, ahead: int) -> bool | None:
    """Has whoever left this board won, as far as one sees? None: not to be told yet."""
    if ahead < 0:
        return None
    seen = [ending(board.play(move), ahead - 1) for move in board.moves()]
    return False if True in seen else None if None in seen else True


EASIER = [
    ("subtract-a-prime:7", "subtract-a-prime:15"),
    ("subtract-a-prime:181", "subtract-a-prime:15"),  # one takes 181
    ("subtract-a-prime:5", "subtract-a-prime:181"),
    ("power-play:4", "power-play:30"),
    ("power-play:64", "power-play:91"),
    ("divisor-duel:16", "divisor-duel:28"),
    ("divisor-duel:28", "divisor-duel:704"),
    ("subtract-a-prime:7", "divisor-duel:28"),
]


def test_what_is_harder_for_a_person_is_rated_higher() -> None:
    for easy, hard in EASIER:
        assert rated(easy) < rated(hard), (easy, hard)
    assert rated("subtract-a-prime:181") < 800 < rated("power-play:4999")  # is 4999 a prime?
    # Without a factor to try: the end of the match is farther away, so fewer readers see it.
    near, far = (Board.parse(f"subtract-a-prime:{n}") for n in (7, 100))
    assert remoteness(near) < remoteness(far)
    assert winner_rating(near, {}) < winner_rating(far, {})
    # 4096 needs one prime, 4,687 = 43 * 109 more; two primes beyond 719 wear everybody out.
    ratings = [winner_rating(Board.parse(f"power-play:{n}"), {}) for n in (4096, 4687, 727 * 733)]
    assert ratings == sorted(set(ratings))


def rated(text: str) -> int:
    board = Board.parse(text)
    winning = list(islice(solve(board).winning_moves, 2))
    if no_choice_matters(board):
        return winner_rating(board, {})
    assert len(winning) == 1
    return match_rating([(board, winning)], {})


def test_remoteness() -> None:
    for text, moves in (("subtract-a-prime:1", 0), ("subtract-a-prime:7", 1),
                        ("subtract-a-prime:9", 2), ("power-play:360", 6),
                        ("power-play:4~misere", 2)):  # fmt: skip
        assert remoteness(Board.parse(text)) == moves
    raised(TooDeep, remoteness, Board.parse("subtract-a-prime:5000"))


def test_draws_are_even() -> None:
    draw = Draw("a")
    counts = Counter(draw.between(1, 5) for _ in range(5000))
    assert min(counts[n] for n in range(1, 6)) > 900


def test_streaks() -> None:
    assert streak([]) == 0
    assert streak([True, False, True, True]) == 2
    today = datetime(2026, 11, 15, tzinfo=UTC).date()
    assert daily_streak([], today) == 0
    assert daily_streak(["2026-11-15", "2026-11-14", "2026-11-12"], today) == 2
    assert daily_streak(["2026-11-14", "2026-11-13"], today) == 2, "today is not over yet"
    assert daily_streak(["2026-11-12"], today) == 0


@pytest.mark.soak(short=True)
def test_easy_puzzles_are_drawn_widely() -> None:
    """Without a memory too: sixteen draws from a dozen alike give about nine different ones."""
    for kind in KINDS if SOAK else ("divisor-duel", "power-play"):
        assert len({str(make_puzzle(f"{n}", kind, 500).board) for n in range(16)}) >= 6


@pytest.mark.soak(short=True)
def test_puzzles_in_turn_are_all_new() -> None:
    for kind, rating in product((*KINDS, None), (None, 900, 500) if SOAK else (None, 900)):
        found = list(islice(puzzles_in_turn("x", kind, rating), 8))
        assert found[0] == make_puzzle("x", kind, rating)
        assert len({str(puzzle.board) for puzzle in found}) == 8
        assert found[:3] == list(islice(puzzles_in_turn("x", kind, rating), 3))


@pytest.mark.parametrize("kind", [None, "subtract-a-prime", SEVERAL])
def test_a_series_rises_and_is_the_same_for_a_friend(kind: str | None) -> None:
    series = [rising_puzzle("mine", place, kind) for place in range(1, 19)]
    thirds = [sum(puzzle.rating for puzzle in series[at : at + 6]) / 6 for at in (0, 6, 12)]
    assert thirds[0] + 200 < thirds[1] < thirds[2] - 100, thirds
    assert series[3] == rising_puzzle("mine", 4, kind)
    assert series[:4] != [rising_puzzle("yours", place, kind) for place in range(1, 5)]


@pytest.mark.parametrize("kind", [None, *KINDS, "subtract-1-3-4", "subtract-square"])
def test_no_series_falls_by_much(kind: str | None) -> None:
    mixed = 0
    for seed in range(2 if kind == SEVERAL else 25):
        series = [rising_puzzle(f"{seed}", place, kind) for place in range(1, 16)]
        ratings = [puzzle.rating for puzzle in series]
        assert len({puzzle.board for puzzle in series}) == 15
        assert ratings[0] < ratings[-1], (seed, ratings)
        for rating, highest in zip(ratings, accumulate(ratings, max), strict=True):
            assert rating >= highest - NEAR, (seed, ratings)
        if kind is None:
            games = [puzzle.game for puzzle in series]
            assert max(len(list(same)) for _, same in groupby(games)) < 4, (seed, games)
            mixed += SEVERAL in games[6:]
            assert SEVERAL not in games[:3]
            assert ratings == sorted(ratings)
    assert kind or mixed > 20, "boards of several numbers come in the harder part"
    firsts = {rising_puzzle(f"{seed}", 1, kind).board for seed in range(9)}
    assert len(firsts) >= 3, "not the same puzzle again for whoever begins anew"


def test_puzzles_in_turn_end_and_those_answered_before_come_last() -> None:
    found = [str(puzzle.board) for puzzle in puzzles_in_turn("x", "subtract-a-prime", 500)]
    assert len(set(found)) == len(found) > 10
    again = [str(p.board) for p in puzzles_in_turn("y", "subtract-a-prime", 500, found[:5])]
    assert set(again) == set(found)
    assert again[-5:] == found[:5], "the one of long ago first"
    next_one = make_puzzle("z", "subtract-a-prime", 500, again)
    assert str(next_one.board) == again[0], "when all were answered, too"
