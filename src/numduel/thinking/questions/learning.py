"""Questions about puzzles and tutorials, and the replies to answers."""

from collections.abc import Sequence
from datetime import date
from itertools import islice

from typing_extensions import TypedDict

from numduel.board import Board
from numduel.errors import NothingToStudy
from numduel.games import load
from numduel.match.events import facts
from numduel.running.puzzle_sheet import make_sheet
from numduel.solver import solve
from numduel.study import duels, puzzles
from numduel.study.lessons import Asks, after_move, check_winner, lesson_of, refutation, reply
from numduel.wording.why import why

_PICKED = 1000  # the most winning moves that a picked position may have


class DuelSaid(duels.DuelFacts):
    """A daily duel, what was played of it, and what there is to say."""

    said: str
    """What is wrong with the last move; empty where nothing is."""
    why: list[str]
    """How it is won: once the duel is over."""


def duel(day: str | None = None, played: str = "") -> DuelSaid:
    """The daily duel of a day (UTC), and what these moves of yours come to: 5.8.5.7.9."""
    try:
        when = date.fromisoformat(day or "")
    except ValueError as error:
        raise NothingToStudy(problem="day", text=day or "") from error
    found = duels.daily_duel(when)
    play = duels.play_duel(found, filter(None, played.split(".")))
    last = play.last
    said = refutation(last.left) if last and not last.kept and not last.left.is_over else None
    reasons = why(solve(found.board), play.won_by) if play.over else []
    return {**duels.as_json(play), "said": said or "", "why": reasons}


def puzzle(
    seed: str, kind: str | None = None, rating: int | None = None, place: int | None = None
) -> puzzles.AskedPuzzle:
    """The puzzle of a seed, near a rating or at a place of its series, which rises; about any game,
    or one, or `several`.
    """
    return facts(puzzles.AskedPuzzle, _puzzle(seed, kind, rating, place))


class PuzzleSolution(TypedDict):
    """Was it right?"""

    solved: bool
    solution: str
    why: list[str]
    refutation: str | None
    """What is wrong with a move that does not win; null where no move is asked for."""


def answer(
    text: str,
    seed: str,
    kind: str | None = None,
    rating: int | None = None,
    place: int | None = None,
) -> PuzzleSolution:
    """Is the answer to the puzzle right? With the solution, and why it is so."""
    asked = _puzzle(seed, kind, rating, place)
    refuted = None
    if asked.asks == "winner":
        check_winner(text)
    else:
        refuted = refutation(after_move(asked.board, text))
    solved, reasons = asked.is_solved_by(text), why(solve(asked.board))
    return facts(PuzzleSolution, asked, solved=solved, why=reasons, refutation=refuted)


class PosedPuzzle(TypedDict):
    """A puzzle with all its right answers."""

    board: str
    asks: puzzles.Asks
    right: list[str]


class PuzzleSet(TypedDict):
    puzzles: list[PosedPuzzle]


def puzzle_set(
    seed: str, kind: str | None, rating: int | None, count: int, boards: Sequence[str] = ()
) -> PuzzleSet:
    """So many puzzles by game, rating and seed, or as many as there are; or of these very boards.

    Each board asks for a winning move: one that has none is refused.
    """
    _check_kind(kind)
    if boards:
        return {"puzzles": list(map(_picked, boards))}
    made = islice(puzzles.puzzles_in_turn(seed, kind, rating), count)
    return {"puzzles": [facts(PosedPuzzle, one, right=[one.solution]) for one in made]}


def _picked(text: str) -> PosedPuzzle:
    board = Board.parse(text)
    moves, complete = solve(board).first_moves(_PICKED)
    if not moves or not complete:
        raise NothingToStudy(problem="no winning move", board=text)
    return {"board": text, "asks": "move", "right": list(map(board.write_move, moves))}


class PuzzleSheet(TypedDict):
    page: str


def sheet(seed: str, kind: str | None, rating: int | None, count: int, again: str) -> PuzzleSheet:
    """A sheet of puzzles with their answers; `again` is the address that makes it again."""
    _check_kind(kind)
    return {"page": make_sheet(seed, kind, rating, count, again)}


def _check_kind(kind: str | None) -> None:
    if kind is not None and kind != puzzles.SEVERAL:
        load(kind)


def _puzzle(seed: str, kind: str | None, rating: int | None, place: int | None) -> puzzles.Puzzle:
    _check_kind(kind)
    if place is not None:
        return puzzles.rising_puzzle(seed, place, kind)
    return puzzles.make_puzzle(seed, kind, rating)


class LessonStep(TypedDict):
    """A step of a tutorial."""

    number: int
    title: str
    says: str
    board: str
    asks: Asks
    hint: str


class Lesson(TypedDict):
    """A game's tutorial."""

    game: str
    title: str
    steps: list[LessonStep]


def lesson(game: str) -> Lesson:
    """The steps of a game's tutorial. What a step teaches is said to whoever solves it."""
    found = load(game)
    steps = enumerate(lesson_of(found), 1)
    told = [facts(LessonStep, step, number=number) for number, step in steps]
    return {"game": found.key, "title": found.title, "steps": told}


class StepSaid(TypedDict):
    """The reply to the answer."""

    solved: bool
    said: str


def step(game: str, step: int, text: str) -> StepSaid:
    """Is the answer to a step of the tutorial right, and what is there to say about it?

    A step that asks for a match is solved by playing, not by an answer.
    """
    steps = lesson_of(load(game))
    if not 1 <= step <= len(steps):
        raise NothingToStudy(problem="no step", game=game, value=step, limit=len(steps))
    asked = steps[step - 1]
    if asked.asks is Asks.MATCH:
        return {"solved": False, "said": "Play this one to the end."}
    _, wrong = reply(asked, asked.board, text)
    return {"solved": wrong is None, "said": wrong or asked.learnt}
