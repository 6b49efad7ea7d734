"""The task: what is asked about a position, and how an answer is scored.

Whatever changes a question, an answer or a score changes `fingerprint`, and then the task
needs a new name: figures are compared under one name only.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Literal, NamedTuple

from numduel.arguments import checked
from numduel.board import Board
from numduel.players.reading import Kind, read_answer
from numduel.solver import solve
from numduel.study.positions import SKILLS, Position, as_json, draw_positions

TASK = "numduel-1"

Verdict = Literal["right", "wrong", "illegal", "unreadable", "failed"]
"""What an answer is worth: only a right one counts. Who did not answer at all, failed."""

_TRIED = ("[none]", "[1]", "[0]", "I do not know.", "<think>[2]</think>\nIt is \\boxed{2}.")
"""Answers that the fingerprint looks at, besides the right ones."""


class Scored(NamedTuple):
    """An answer as it was read, and what it is worth."""

    reading: str
    """The move, `none`, `illegal` or `unreadable`; empty where there was no answer."""
    verdict: Verdict


@checked
def question(position: Position) -> str:
    """What a model is asked: one text, with nothing before it."""
    board = position.board
    several = len(board.numbers) > 1
    stands = [
        f"Number {place} ({game.title}) is {value}." if several else f"The number is {value}."
        for place, (game, value) in enumerate(board.numbers, 1)
    ]
    form = "[place:number]" if several else "[number]"
    return "\n".join(
        (
            "Two players take turns at a number game.",
            position.rules,
            "",
            *stands,
            "The match begins now, and it is your turn. Which move wins, however well your"
            " opponent plays?",
            f"Answer with one winning move in square brackets, as {form}: the number that you take"
            " away or divide by. If no move wins, answer [none].",
            "You may think aloud before it: only the last brackets count. Without brackets, your"
            " last line has to be the answer and nothing else.",
        )
    )


@checked
def score(board: Board, answer: str | None) -> Scored:
    """Read an answer and say what it is worth, by the solver's verdict; None is no answer."""
    if answer is None:
        return Scored("", "failed")
    read = read_answer(answer, board, none_allowed=True)
    if read.kind is Kind.NONE:
        return Scored("none", "right" if solve(board).outcome == "loss" else "wrong")
    if read.kind is Kind.MOVE and read.move is not None:
        wins = solve(board.play(read.move)).outcome == "loss"
        return Scored(board.write_move(read.move), "right" if wins else "wrong")
    return Scored(read.kind.value, "illegal" if read.kind is Kind.ILLEGAL else "unreadable")


@cache
def fingerprint() -> str:
    """A hash of the task: of questions, answers and scores on a few positions of every skill."""
    made = sha256(TASK.encode())
    for position in islice(draw_positions(TASK), 3 * len(SKILLS)):
        board = position.board
        answers = [*_TRIED, *(f"[{board.write_move(move)}]" for move in position.winning[:3])]
        scored = [score(board, answer) for answer in answers]
        made.update(json.dumps([as_json(position), question(position), scored]).encode())
    return made.hexdigest()[:16]
