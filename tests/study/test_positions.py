"""Positions: every answer by plain search or plain arithmetic, and every skill's own promise."""

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import islice

import pytest

from numduel import Board, solve
from numduel.errors import NothingToStudy, TooLarge
from numduel.games import Game, OwnRule, load
from numduel.solver import Search
from numduel.study.positions import (
    DIFFICULTIES,
    SKILLS,
    Position,
    as_json,
    candidate,
    draw_positions,
)
from numduel.theory.own_rule import FixedRule
from raised import raised
from terminal import piped, run

EACH = 12
SEARCHABLE = ("legality", "win-in-one", "several-numbers", "misere", "own-rule")


@pytest.fixture(scope="module")
def drawn() -> list[Position]:
    return list(islice(draw_positions("a seed"), EACH * len(SKILLS)))


def _of(drawn: list[Position], *skills: str) -> list[Position]:
    return [position for position in drawn if position.skill in skills]


def test_answers_are_those_of_plain_search(drawn: list[Position]) -> None:
    for position in _of(drawn, *SEARCHABLE):
        search = Search(position.board.misere)
        assert list(position.winning) == sorted(search.winning_moves(position.board)), position


def _traps(game: Game) -> Callable[[int], bool]:
    """Is a number a trap? By plain arithmetic, and for primes by a table that knows no theory."""
    if game.key == "digit-subtraction-duel":
        return lambda n: n % 10 == 0  # nobody can leave a last digit 0 from there
    if game.key == "divisor-duel":
        return lambda n: n % 2 == 1 or (n.bit_count() == 1 and n.bit_length() % 2 == 0)
    rule = game if isinstance(game, OwnRule) else load("subtract-prime")
    assert isinstance(rule, OwnRule)
    return partial(_repeats, rule.amounts) if rule.amounts else FixedRule(rule).lost


def _repeats(amounts: tuple[int, ...], n: int) -> bool:
    """Mark upwards until the same stretch comes again, then go on by its period."""
    lost: list[bool] = []
    seen: dict[tuple[bool, ...], int] = {}
    width = max(amounts)
    while True:
        at = len(lost)
        if at >= width:
            start = seen.setdefault(tuple(lost[-width:]), at)
            if start < at:
                return lost[n] if n < at else lost[start + (n - start) % (at - start)]
        lost.append(not any(a <= at and lost[at - a] for a in amounts))


def test_answers_out_of_sight_are_those_of_plain_arithmetic(drawn: list[Position]) -> None:
    seen = set()
    for position in _of(drawn, "closed-form", "large-numbers"):
        [(game, n)] = position.board.numbers
        assert all(map(position.board.is_legal, position.winning)), position
        if "prime" not in game.key or n < 10**6:
            seen.add(position.game)
            trap = _traps(game)
            left = [move for move in position.board.moves() if trap(n - move.amount)]
            assert list(position.winning) == left, position
    assert len(seen) == 5, "each of the games"


def test_every_skill_keeps_its_own_promise(drawn: list[Position]) -> None:
    for position in drawn:
        board, winning, skill = position.board, {*position.winning}, position.skill
        assert board.misere == (skill == "misere")
        match skill:
            case "legality":
                assert list(position.winning) == list(board.moves())
            case "win-in-one" if winning:
                assert any(board.play(move).is_over for move in winning)
            case "win-in-one":
                for after in map(board.play, board.moves()):
                    assert any(after.play(reply).is_over for reply in after.moves()), position
            case "closed-form" | "large-numbers":
                raised(TooLarge, Search(limit=1000).lost, board, match="Too large to solve")
                assert solve(board).method != "conjecture"
                digits = len(str(board.numbers[0].value))
                assert digits >= 13 if skill == "large-numbers" else digits < 10
            case "several-numbers":  # no number alone decides
                assert sum(Search().grundy(number) != 0 for number in board.numbers) >= 2
            case "misere":  # whoever plays as in normal play is wrong, every time
                normal = {*Search().winning_moves(Board(board.numbers))}
                assert not normal & winning
                assert normal or winning
        if skill != "legality":
            legal = sum(1 for _ in islice(board.moves(), 1000))
            assert len(winning) < legal >= (3 if skill in SEARCHABLE else 2)


def test_what_a_search_can_settle_needs_no_closed_form() -> None:
    """Multiples of 3 are lost where 1 or 2 is taken: 9 soon, 900 million far beyond a search."""
    for number, found in ((9, False), (900_000_000, True)):
        board = Board.parse(f"subtract-1-2:{number}")
        assert bool(candidate("closed-form", board, none=True)) == found


def test_skills_take_turns_and_more_begin_with_the_same(drawn: list[Position]) -> None:
    assert Counter(position.skill for position in drawn) == dict.fromkeys(SKILLS, EACH)
    for skill in SKILLS:
        empty = [not position.winning for position in _of(drawn, skill)]
        assert [sum(empty[at : at + 3]) for at in range(0, EACH, 3)] == [1] * (EACH // 3)
    assert len({position.board for position in drawn}) == len(drawn)
    few = list(islice(draw_positions("few", ["legality"]), 300))
    assert len({position.board for position in few}) == len(few)
    assert drawn[: 2 * len(SKILLS)] == list(islice(draw_positions("a seed"), 2 * len(SKILLS)))
    others = islice(draw_positions("b seed"), 3 * len(SKILLS))
    assert {p.board for p in others} != {p.board for p in drawn[: 3 * len(SKILLS)]}
    rules = [position.board.numbers[0].game.key for position in _of(drawn, "own-rule")]
    assert len(set(rules)) == EACH
    other = islice(draw_positions("another seed", ["own-rule"]), EACH)
    assert not {*rules} & {position.board.numbers[0].game.key for position in other}


def test_difficulty_is_chosen_and_rises_with_what_cannot_be_seen(drawn: list[Position]) -> None:
    for difficulty in DIFFICULTIES:
        found = list(islice(draw_positions("1", difficulty=difficulty), 10))
        assert {position.difficulty for position in found} == {difficulty}
        assert len({position.skill for position in found}) >= 4
    ways = ("win-in-one", "own-rule", "closed-form", "large-numbers")
    means = [sum(position.rating for position in _of(drawn, skill)) for skill in ways]
    assert means == sorted(means)


def test_what_has_no_more_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err, code = piped(["positions", "--skill", "legality", "--difficulty", "hard"])
    assert (out, code) == ("", 2)
    assert "There are no more positions like that about legality." in err
    monkeypatch.setattr("numduel.study.positions._TRIES", 1)
    raised(NothingToStudy, list, islice(draw_positions("1"), 100))


def test_fields_agree_with_the_board(drawn: list[Position]) -> None:
    for position in drawn:
        fields = as_json(position)
        board = Board.parse(fields["board"])
        assert board == position.board
        assert tuple(map(board.parse_move, fields["winning_moves"])) == position.winning
        if fields["legal_moves"] is not None:
            assert [*map(board.parse_move, fields["legal_moves"])] == list(board.moves())
            assert {*fields["winning_moves"]} <= {*fields["legal_moves"]}
        else:
            assert sum(1 for _ in islice(board.moves(), 61)) == 61
        assert fields["rules"].endswith(".")


def test_the_command_gives_the_same_bytes_in_any_process(drawn: list[Position]) -> None:
    words = ["positions", "--count", "14", "--seed", "a seed", "--format", "jsonl"]
    out = "".join(json.dumps(as_json(position)) + "\n" for position in drawn[:14])
    assert piped(words, apart=True) == (out, "", 0)
    out = run("positions", "--count", "3", "--skill", "misere")
    assert all("~misere  misere, " in line for line in out.splitlines())
    assert sum(line.endswith("wins: none") for line in out.splitlines()) == 1
