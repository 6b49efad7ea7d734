"""Positions: every answer by plain search or plain arithmetic, and every skill's own promise."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice

import pytest

from numduel import Board, solve
from numduel.arithmetic import is_prime
from numduel.errors import NothingToStudy, TooLarge
from numduel.games import OwnRule, load
from numduel.solver import Search
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, as_json, draw_positions
from numduel.study.skills import candidate
from numduel.theory.own_rule import FixedRule
from terminal import piped

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


def _number(position: Position) -> int:
    return position.board.numbers[0].value


def _amounts(position: Position) -> list[int]:
    return [move.amount for move in position.winning]


def test_long_numbers_of_digit_subtraction_duel(drawn: list[Position]) -> None:
    """Whoever leaves a last digit 0 wins: nobody can leave one from there, and 0 ends in it."""
    found = [p for p in _of(drawn, "closed-form", "large-numbers") if "digit" in p.game]
    assert found
    for position in found:
        last = _number(position) % 10
        assert _amounts(position) == ([last] if last else []), position


def test_long_numbers_of_divisor_duel(drawn: list[Position]) -> None:
    """Lost are the odd numbers and 2, 8, 32, ...: the known theorem, by trial division."""

    def lost(n: int) -> bool:
        return n % 2 == 1 or (n.bit_count() == 1 and n.bit_length() % 2 == 0)

    found = [p for p in _of(drawn, "closed-form", "large-numbers") if p.game == "divisor-duel"]
    assert found
    for position in found:
        n = _number(position)
        assert lost(n) == (not position.winning), position
        for amount in _amounts(position):
            assert 1 < amount < n
            assert n % amount == 0
            assert lost(n - amount)
        if n < 10**9:
            small = [d for d in range(2, int(n**0.5) + 1) if n % d == 0]
            divisors = sorted({*small, *(n // d for d in small)})
            assert _amounts(position) == [d for d in divisors if lost(n - d)], position


def _lost_by_repetition(amounts: tuple[int, ...], n: int) -> bool:
    """Mark upwards until the same stretch comes again, then go on by its period."""
    lost: list[bool] = []
    seen: dict[tuple[bool, ...], int] = {}
    width = max(amounts)
    while True:
        at = len(lost)
        if at >= width:
            stretch = tuple(lost[-width:])
            if stretch in seen:
                start, period = seen[stretch], at - seen[stretch]
                return lost[n] if n < at else lost[start + (n - start) % period]
            seen[stretch] = at
        lost.append(not any(a <= at and lost[at - a] for a in amounts))


def test_long_numbers_of_own_rules(drawn: list[Position]) -> None:
    found = [p for p in _of(drawn, "closed-form", "large-numbers") if p.game == "own-rule"]
    assert found
    for position in found:
        game = position.board.numbers[0].game
        assert isinstance(game, OwnRule)
        n = _number(position)
        wins = [a for a in game.amounts if _lost_by_repetition(game.amounts, n - a)]
        assert _amounts(position) == wins, position


def test_long_numbers_of_the_prime_games(drawn: list[Position]) -> None:
    """Below a million by a table of the own rule, which knows no theory of primes."""
    rule = load("subtract-prime")
    assert isinstance(rule, OwnRule)
    table = FixedRule(rule)
    found = [p for p in _of(drawn, "closed-form") if "prime" in p.game]
    assert found
    for position in found:
        n = _number(position)
        assert all(is_prime(amount) for amount in _amounts(position))
        assert n not in _amounts(position) or position.game == "subtract-a-prime"
        left = [n - amount for amount in _amounts(position)]
        if n < 10**6:
            assert all(table.lost(m) for m in left)
            barred = position.game == "prime-subtractor"
            wins = [a for a in table.game.moves(n - barred) if table.lost(n - a)]
            assert _amounts(position) == wins


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
                with pytest.raises(TooLarge, match="Too large to solve"):
                    Search(limit=1000).lost(board)
                assert solve(board).method != "conjecture"
                digits = len(str(_number(position)))
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


def test_own_rules_are_many_and_drawn_anew(drawn: list[Position]) -> None:
    rules = [position.board.numbers[0].game.key for position in _of(drawn, "own-rule")]
    assert len(set(rules)) == EACH
    other = islice(draw_positions("another seed", ["own-rule"]), EACH)
    assert not {*rules} & {position.board.numbers[0].game.key for position in other}


def test_skills_take_turns_and_more_begin_with_the_same(drawn: list[Position]) -> None:
    """No position comes twice, and of every three of a skill one has no winning move."""
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


def test_difficulty_is_chosen() -> None:
    for difficulty in DIFFICULTIES:
        found = list(islice(draw_positions("1", difficulty=difficulty), 10))
        assert {position.difficulty for position in found} == {difficulty}
        assert len({position.skill for position in found}) >= 4


def test_ratings_rise_with_what_cannot_be_seen(drawn: list[Position]) -> None:
    """A win in one is easier than what nobody can look through, and larger is harder."""
    mean = {
        skill: sum(p.rating for p in _of(drawn, skill)) / EACH
        for skill in ("win-in-one", "own-rule", "closed-form", "large-numbers")
    }
    assert list(mean.values()) == sorted(mean.values())


def test_what_has_no_more_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err, code = piped(["positions", "--skill", "legality", "--difficulty", "hard"])
    assert (out, code) == ("", 2)
    assert "There are no more positions like that about legality." in err
    monkeypatch.setattr("numduel.study.positions._TRIES", 1)
    with pytest.raises(NothingToStudy):
        list(islice(draw_positions("1"), 100))


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
    out, err, code = piped(words, apart=True)
    assert (err, code) == ("", 0)
    assert out == "".join(json.dumps(as_json(position)) + "\n" for position in drawn[:14])


def test_the_command_says_it_in_lines_and_takes_skills() -> None:
    out, err, code = piped(["positions", "--count", "3", "--skill", "misere"])
    assert (err, code) == ("", 0)
    assert all("~misere  misere, " in line for line in out.splitlines())
    assert sum(line.endswith("wins: none") for line in out.splitlines()) == 1
