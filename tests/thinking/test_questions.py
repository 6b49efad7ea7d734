"""Questions: their answers are what the library says, with plain values."""

import json
from collections.abc import Callable
from itertools import islice, product
from random import Random
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter
from typing_extensions import is_typeddict

from numduel import Board, errors, solve
from numduel.analysis import analyse
from numduel.analysis import as_json as analysis_json
from numduel.games import keys, load
from numduel.match import read_notation
from numduel.players import make_player, player_words
from numduel.running.puzzle_sheet import make_sheet
from numduel.solver import Search
from numduel.study.duels import FIRST_DAY, daily_duel, play_duel
from numduel.study.duels import as_json as duel_json
from numduel.study.lessons import lesson_of
from numduel.study.maps import make_map
from numduel.study.puzzles import as_json as puzzle_json
from numduel.study.puzzles import make_puzzle, rising_puzzle
from numduel.thinking.questions import QUESTIONS, learning, looking_back, position
from numduel.web.api import shapes
from numduel.wording.why import argument, hint, why
from raised import raised

BOARDS = [
    *(f"{key}:{load(key).default_start}" for key in keys()),
    "divisor-duel:60,divisors=even~misere",
    "subtract-a-prime:20+divisor-duel:60",
    "power-play:12+digit-subtraction-duel:25~misere",
    f"digit-subtraction-duel:{'7' * 400}",
    f"subtract-a-prime:{10**60 + 8}",
    "subtract-a-prime:1",
]
SEMIPRIME = (10**30 + 57) * (10**31 + 33)
"""Too large to factor."""


def ask(question: Callable[..., Any], **values: Any) -> Any:
    answer = question(**values)
    assert json.loads(json.dumps(answer)) == answer, "an answer has to survive JSON"
    TypeAdapter(shapes.told(get_type_hints(question)["return"])).validate_json(json.dumps(answer))
    return answer


def test_every_question_has_an_answer_of_its_own_type() -> None:
    types = [get_type_hints(question)["return"] for question in QUESTIONS.values()]
    assert all(map(is_typeddict, types))
    assert len(set(types)) == len(types)
    said = ask(learning.sheet, seed="a", kind="several", rating=None, count=2, again="here")
    assert said["page"] == make_sheet("a", "several", None, 2, "here")
    raised(errors.UnknownGame, learning.sheet, "a", "chess", None, 2, "here")
    made = ask(learning.puzzle_set, seed="a", kind="divisor-duel", rating=600, count=5)["puzzles"]
    search = Search()
    for one in made:
        board = Board.parse(one["board"])
        right = [move for move in board.moves() if search.lost(board.play(move))]
        assert one["right"] == list(map(board.write_move, right))
    raised(errors.NothingToStudy, learning.puzzle_set, "a", None, None, 5, ["subtract-1-3-4:9"])


@pytest.mark.parametrize("text", BOARDS)
def test_moves_and_verdicts_are_those_of_the_board(text: str) -> None:
    board = Board.parse(text)
    listed = list(islice(board.moves(), 31))
    answer = ask(position.moves, board=text.upper(), most=30)
    assert answer["complete"] == (len(listed) < 31)
    count = answer["count"]
    assert count == len(listed) if answer["complete"] else count is None or count > 30
    left = [board.play(move) for move in listed[:30]]
    for told, move, after in zip(answer["moves"], listed, left, strict=False):
        assert told == {
            "move": board.write_move(move), "place": move.place + 1, "amount": str(move.amount),
            "left": str(after.numbers[move.place].value), "ends": after.is_over,
        }  # fmt: skip
    assert len(answer["moves"]) == len(left)
    verdict = solve(board)
    answer = ask(position.verdict, board=text, most=3)
    winning, complete = verdict.first_moves(3)
    assert answer["winning_moves"] == [board.write_move(move) for move in winning]
    assert (answer["outcome"], answer["complete"]) == (verdict.outcome, complete)
    assert (answer["method"], answer["grundy"]) == (verdict.method, verdict.grundy)
    assert (answer["why"], answer["argument"]) == (why(verdict), argument(verdict))


def test_moves_that_are_not_all_known() -> None:
    answer = ask(position.moves, board=f"divisor-duel:{6 * SEMIPRIME}+subtract-a-prime:5")
    assert not answer["complete"]
    assert answer["count"] is None
    small = [move["move"] for move in answer["moves"] if move["amount"] in "235"]
    assert small == ["1:2", "1:3", "2:2", "2:3", "2:5"]
    assert ask(position.moves, board=f"power-play:{SEMIPRIME}")["moves"] == []
    many = 2**1000 * 3**999 * 5**500 * 7**400 * 11**300 * 13**200
    assert ask(position.moves, board=f"divisor-duel:{many}", most=3)["count"] is None, "above 2^53"
    assert len(ask(position.moves, board="subtract-a-prime:1000000", most=10**9)["moves"]) == 1000
    assert ask(position.moves, board="subtract-a-prime:20", most=-5)["moves"] == []


def test_moves_and_hints_are_those_of_players_and_wording() -> None:
    board = Board.parse("subtract-a-prime:20+divisor-duel:60")
    for player in player_words():
        made = make_player(player, Random(5))
        if made:
            expected = {"move": board.write_move(made.choose(board))}
            assert ask(position.move, board=str(board), player=player, seed=5) == expected
    for player in ("person", "engine:/bin/true", "llm:m@http://localhost:1/v1", "level:6", ""):
        with pytest.raises(errors.InvalidSetup, match="no player called"):
            ask(position.move, board="divisor-duel:60", player=player, seed=1)
    with pytest.raises(errors.NotAllowed, match="match is over"):
        ask(position.move, board="divisor-duel:7", player="random", seed="x")
    for text, step in product(("divisor-duel:60", "divisor-duel:9"), (1, 2, 3)):
        told = ask(position.hint, board=text, step=step)
        assert told["text"] == hint(Board.parse(text), step)
        assert bool(told["why"]) is (step == 3)
        assert told["move"] == ("3" if step == 3 and text == "divisor-duel:60" else None)
    assert ask(position.hint, board="divisor-duel:60", step=99)["text"] == "Play 3."


def test_maps() -> None:
    boards = ("divisor-duel:60,divisors=even", "prime-subtractor:5~misere")
    for text, values in product(boards, (False, True)):
        board = Board.parse(text)
        made = make_map(board.numbers[0].game, 50, board.misere, values)
        answer = ask(position.map_of, board=text, to=50, values=values)
        assert answer["title"] == made.title
        assert answer["numbers"] == [cell.number for cell in made.cells]
        assert answer["lost"] == [cell.number for cell in made.cells if cell.lost]
        expected = [cell.value for cell in made.cells] if values and not board.misere else None
        assert answer["values"] == expected
    for text, to in (("divisor-duel:6+divisor-duel:8", 50), ("divisor-duel:6", 10**9)):
        raised(errors.NothingToStudy, ask, position.map_of, board=text, to=to)


def test_an_analysis_is_the_studys_and_a_replay_tells_how_things_stood() -> None:
    for word in ("divisor-duel:60/2.2.7", "power-play:30/pass.2/penalty=2", "divisor-duel:60/",
                 "subtract-a-prime:20+divisor-duel:60~misere/2:15.1:3/resigned=1"):  # fmt: skip
        answer = ask(looking_back.analysis, match=word, names="Ann <b>,Bob")
        analysis = analyse(read_notation(word))
        expected = {**analysis_json(analysis), "names": ["Ann <b>", "Bob"]}
        assert {key: answer[key] for key in expected} == expected
        assert [row["move"] for row in answer["rows"]] == [move.written for move in analysis.moves]
        assert [row["mistake"] for row in answer["rows"]] == [m.mistake for m in analysis.moves]
        assert answer["headline"].count("Ann <b>") == 1
        assert answer["conclusions"]
        assert answer["svg"].startswith("<svg")
        assert "<b>" not in answer["svg"]
    for names in ("Ann", "Ann,", "Ann,Ann", "Ann,Bob,Cem", "Ann,\x07"):
        with pytest.raises(errors.InvalidSetup):
            ask(looking_back.analysis, match="divisor-duel:60/2", names=names)
    rows = ask(looking_back.analysis, match="divisor-duel:60/2.2.7/first=2")["rows"]
    assert rows[0] == {
        "turn": 1, "player": 2, "name": "Player 2", "move": "2", "left": "58",
        "words": "2 -> 58", "said": "! mistake: 3 would have won", "mistake": True,
        "lost_left": False, "place": 1,
    }  # fmt: skip
    assert [row["lost_left"] for row in rows] == [False, False, True]
    huge = ask(looking_back.analysis, match=f"power-play:{2 * SEMIPRIME}/2")["rows"][0]
    assert huge["lost_left"] is None
    assert huge["left"] == str(SEMIPRIME)
    answer = ask(looking_back.replay, match="divisor-duel:60/2.2.7", turn=1)
    assert (answer["board"], answer["player"], answer["count"]) == ("divisor-duel:58", 2, 3)


def test_puzzles() -> None:
    made, about = make_puzzle("x", "divisor-duel"), {"seed": "x", "kind": "divisor-duel"}
    rated = make_puzzle("x", "divisor-duel", 900)
    rising, placed = rising_puzzle("x", 7), {"seed": "x", "place": 7}
    harder = {**about, "rating": 900}
    for values, puzzle in ((placed, rising), (about, made), (harder, rated)):
        answer = ask(learning.puzzle, **values)
        assert {**answer, "solution": puzzle.solution} == puzzle_json(puzzle)
        assert "solution" not in answer
    assert ask(learning.puzzle, seed="x", kind="several")["game"] == "several"
    right = ask(learning.answer, seed="x", kind="divisor-duel", text=made.solution)
    reasons = {"why": why(solve(made.board)), "refutation": None}
    assert right == {"solved": True, "solution": made.solution, **reasons}
    wrong = next(m for m in made.board.moves() if made.board.write_move(m) != made.solution)
    told = ask(learning.answer, seed="x", kind="divisor-duel", text=str(wrong.amount))
    assert not told["solved"]
    solution = make_puzzle("x", "power-play").solution
    for text in ("1 ", "2"):
        told = ask(learning.answer, seed="x", kind="power-play", text=text)
        assert (told["solved"], told["solution"]) == (text.strip() == solution, solution)
    with pytest.raises(errors.Unanswerable, match=r"not an answer\. Enter 1 or 2"):
        ask(learning.answer, seed="x", kind="power-play", text="3")
    for kind in ("nope", "divisor-duel:8+power-play"):
        raised(errors.UnknownGame, ask, learning.puzzle, seed="x", kind=kind)


def test_a_duel_is_told_as_far_as_it_was_played() -> None:
    duel = daily_duel(FIRST_DAY)
    moves = [duel.board.write_move(move) for move in duel.board.moves()]
    wrong = next(move for move in moves if not play_duel(duel, [move]).tries[0][0].kept)
    for played in ([], [wrong], [wrong] * 3):
        told = ask(learning.duel, day=str(FIRST_DAY), played=".".join(played))
        assert duel_json(play_duel(duel, played)).items() <= told.items()
        assert bool(told["said"]) is bool(played)
        assert told["why"] == (why(solve(duel.board)) if len(played) == 3 else [])
    for day in (None, "tomorrow", "2026-01-04"):
        raised(errors.NothingToStudy, ask, learning.duel, day=day)
    raised(errors.IllegalMove, ask, learning.duel, day=str(FIRST_DAY), played="1")


def test_a_lesson_is_told_without_what_it_teaches() -> None:
    for key in keys():
        steps = lesson_of(load(key))
        told = ask(learning.lesson, game=key)["steps"]
        for number, (one, step) in enumerate(zip(told, steps, strict=True), 1):
            assert (one["number"], one["title"], one["says"]) == (number, step.title, step.says)
            assert (one["board"], one["asks"]) == (step.position, step.asks)
            assert "learnt" not in one
        assert ask(learning.step, game=key, step=len(steps), text="")["solved"] is False


def test_answers_that_are_none_are_explained() -> None:
    with pytest.raises(errors.Unanswerable, match=r"5 does not divide 6") as caught:
        ask(learning.step, game="divisor-duel", step=1, text="5")
    assert caught.value.kind == errors.IllegalMove.__name__
    with pytest.raises(errors.Unanswerable, match="not an answer"):
        ask(learning.step, game="divisor-duel", step=2, text="me")
    raised(errors.NothingToStudy, ask, learning.step, game="divisor-duel", step=7, text="1")
    for question in (position.moves, position.verdict, position.hint, position.map_of):
        raised(errors.InvalidBoard, ask, question, board="divisor-duel:sixty")
    with pytest.raises(errors.InvalidNotation):
        ask(looking_back.analysis, match="/etc/passwd")
