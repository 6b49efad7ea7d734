"""The task: what is asked about a position, and how an answer is scored.

Whatever changes a question, an answer, how answers are read or a score in one of its cases changes
`fingerprint`, and then the task needs a new name: figures are compared under one name only.
"""

import json
import tomllib
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from numduel.arguments import checked
from numduel.board import Board
from numduel.players.language import NONE, Kind, how_to_answer, read_answer, stands
from numduel.solver import solve
from numduel.study.positions import DIFFICULTIES, SKILLS, Position, as_json, draw_positions

TASK = "numduel-2"
FORMS, NUMBERS, UNREADABLE = map(
    tuple[str, ...],
    tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8")).values(),
)
"""The ways of writing an answer that the rule of `players/language.py` names, as cases."""

Verdict = Literal["right", "wrong", "illegal", "unreadable", "truncated", "failed"]
"""What an answer is worth: only a right one counts. Who did not answer at all, failed."""

CUT_OFF = ("length", "max_tokens")
"""How servers, and inspect, say that an answer was cut off at the most tokens."""
_EACH = 10


class Scored(NamedTuple):
    """An answer as it was read, and what it is worth."""

    reading: str
    """The move, `none`, `illegal` or `unreadable`; empty where there was no whole answer."""
    verdict: Verdict


@checked
def question(position: Position) -> str:
    """What a model is asked: one text, with nothing before it."""
    return "\n".join(
        (
            "Two players take turns at a number game.",
            position.rules,
            "No number ever falls below 0.",
            "",
            *stands(position.board),
            "The match begins now, and it is your turn. Which move wins, however well your"
            " opponent plays?",
            how_to_answer(position.board, none=True),
        )
    )


@checked
def score(board: Board, answer: str | None, finish: str | None = None) -> Scored:
    """Read an answer and say what it is worth, by the solver's verdict; None is no answer.

    `finish` is why it ended, as a server says it. One that was cut off is not read.
    """
    if answer is None or finish in CUT_OFF:
        return Scored("", "failed" if answer is None else "truncated")
    read = read_answer(answer, board, none_allowed=True)
    if read.kind is Kind.NONE:
        return Scored(NONE, "right" if solve(board).outcome == "loss" else "wrong")
    if read.kind is Kind.MOVE and read.move is not None:
        wins = solve(board.play(read.move)).outcome == "loss"
        return Scored(board.write_move(read.move), "right" if wins else "wrong")
    return Scored(read.kind.value, "illegal" if read.kind is Kind.ILLEGAL else "unreadable")


@checked
def right_answer(position: Position) -> str:
    """The first winning move, or `none`."""
    return next(map(position.board.write_move, position.winning), NONE)


@cache
def fingerprint() -> str:
    """A hash of the task: of questions, answers, readings and scores on 73 positions.

    Every form of `forms.toml` is read on some of them, with right answers, wrong ones and none.
    """
    made = sha256(TASK.encode())
    drawn = [*islice(draw_positions(TASK), _EACH * len(SKILLS))]
    drawn += [next(draw_positions(TASK, difficulty=difficulty)) for difficulty in DIFFICULTIES]
    forms = (*FORMS, *NUMBERS, *UNREADABLE)
    for number, position in enumerate(drawn):
        answers = [right_answer(position), NONE, "1", "2:3"]
        read = [score(position.board, f"[{answer}]") for answer in answers]
        for at in range(7):
            form = forms[(7 * number + at) % len(forms)]
            read += [score(position.board, form.format(answer)) for answer in answers[:2]]
        read += [score(position.board, "[1]", finish) for finish in (*CUT_OFF, "stop")]
        read.append(score(position.board, None))
        made.update(json.dumps([as_json(position), question(position), read]).encode())
    return made.hexdigest()[:16]
