"""Answered puzzles."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class PuzzleAnswer(NamedTuple):
    """One answer to a puzzle: when, which, of which game and rating, right or wrong.

    `day` is the date of a daily puzzle, as 2026-11-15; None for any other.
    """

    answered: datetime
    puzzle: str
    game: str
    rating: int
    solved: bool
    day: str | None = None
