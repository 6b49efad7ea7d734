"""What is kept of one match of an arena."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from numduel.analysis import Judgement, judge
from numduel.board import Board

Tally = Counter[str]
"""Counts of one player in one match, by the names in `Conduct`."""


class End(StrEnum):
    """How a match of an arena ended."""

    NO_MOVE = "no-move"
    FORFEITED = "forfeited"
    TURN_LIMIT = "turn-limit"
    """After as many turns as a match of a model may have: the verdict on the board decides."""
    BUDGET = "budget"
    """A model had used what it may use in a match: the verdict on the board decides."""


class Conduct(NamedTuple):
    """How one player played one match."""

    moves: int = 0
    choices: int = 0
    """Turns with a win, and with a move that would throw it away."""
    kept: int = 0
    """Of these, the moves that kept the win."""
    unjudged: int = 0
    """Turns on boards that could not be solved."""
    unasked: int = 0
    """Moves played for a model without asking: there was no other."""
    illegal: int = 0
    """Answers that name a move which cannot be played."""
    unreadable: int = 0
    """Answers that name no move, or more than one."""
    faults: int = 0
    """Failures to answer at all: too late, ended, an error."""
    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    """What a model has used."""


class Result(NamedTuple):
    """The match with this number: who won, and how both played, who began first."""

    number: int
    winner: int | None
    """0 when the player who began won, 1 when the other did; None where nobody can tell who
    was winning when the match was ended."""
    ending: End
    conduct: tuple[Conduct, Conduct]
    problem: str = ""
    """What was wrong, in words, where the match was forfeited."""
    transcript: dict[str, Any] | None = None
    """The whole match, where it was asked for; not part of a line of results."""

    def fields(self) -> list[Any]:
        return [self.number, self.winner, self.ending, *map(list, self.conduct), self.problem]

    @classmethod
    def of(cls, fields: Any) -> Result:
        """The result that `fields` gave. Raises `ValueError` or `TypeError` for anything else."""
        number, winner, ending, one, other, problem = fields
        for *counts, seconds in (one, other):
            if len(counts) + 1 != len(Conduct._fields) or type(seconds) not in (int, float):
                raise ValueError(fields)
            if not all(type(count) is int for count in (number, *counts)):
                raise ValueError(fields)
        if winner not in (0, 1, None) or not isinstance(problem, str):
            raise ValueError(fields)
        conduct = (Conduct(*one), Conduct(*other))
        return cls(number, winner, End(ending), conduct, problem)


def count_move(tally: Tally, board: Board, after: Board) -> Judgement:
    judgement = _judged(board, after)
    tally["moves"] += 1
    tally["choices"] += judgement.had_choice
    tally["kept"] += judgement is Judgement.KEPT
    tally["unjudged"] += judgement is Judgement.UNKNOWN
    return judgement


_judged = lru_cache(maxsize=100_000)(judge)
