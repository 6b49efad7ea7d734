"""Answers to puzzles, calls and daily duels in the history, and what is said of their number."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from numduel.board import Board
from numduel.cli.matches import from_history, open_history
from numduel.errors import StoreError
from numduel.study.difficulty import winner_rating
from numduel.study.statistics import daily_streak, streak
from numduel.wording import problem

if TYPE_CHECKING:
    from numduel.store import PuzzleAnswer


def kept_answers() -> list[PuzzleAnswer]:
    return from_history(lambda store: store.answers())


def count_answer(puzzle: str, game: str, rating: int, solved: bool, day: str | None = None) -> str:
    """Keep an answer, and say what they add up to by now: puzzles, or those of the day."""
    from numduel.store import PuzzleAnswer

    answer = PuzzleAnswer(datetime.now(UTC), puzzle, game, rating, solved, day)
    try:
        with open_history() as store:
            store.add_answer(answer)
            answers = store.answers()
    except StoreError as error:
        return f"The answer is not counted. {problem(error)}"
    return told_of_days(answers) if day else told_of_puzzles(answers)


def count_call(board: Board, right: bool) -> str:
    """A call of who will win is a puzzle of its game: it has its own tally."""
    game = board.numbers[0].game.key
    problem = count_answer(str(board), game, winner_rating(board, {}), right)
    calls = [answer.solved for answer in kept_answers() if answer.game == game]
    return f"Right so far: {sum(calls)} of {len(calls)}." if calls else problem


def told_of_puzzles(answers: list[PuzzleAnswer]) -> str:
    solved = [answer.solved for answer in answers if answer.day is None]
    first = f"Solved on the first try: {sum(solved)} of {len(solved)}."
    return f"{first} In a row: {streak(solved)}."


def told_of_days(answers: list[PuzzleAnswer]) -> str:
    days = {answer.day: answer.solved for answer in answers if answer.day}
    solved = [day for day, right in days.items() if right and day]
    row = daily_streak(solved, datetime.now(UTC).date())
    return f"Daily duels solved: {len(solved)} of {len(days)}. Days in a row: {row}."
