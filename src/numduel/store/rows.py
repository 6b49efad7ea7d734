"""Rows are looked at before they are believed: a disk or an editor may have spoiled them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import TableClause

from numduel.errors import StoreError

_EMPTY = {
    "penalty", "winner", "ending", "overshot", "best_of", "wins_1", "wins_2", "asked",
    "offered", "seconds", "left_1", "left_2", "since", "day", "class_code", "held", "invite",
    "map_game", "pupil_1", "pupil_2",
}  # fmt: skip
"""Columns in which there may be nothing."""

_WHOLE = {
    "id", "match_id", "penalty", "best_of", "wins_1", "wins_2", "version", "round",
    "bad_inputs", "seconds", "position", "done_1", "done_2", "rating", "changes", "joined",
    "number", "pupil_1", "pupil_2", "pupil", "question", "shown", "value",
}  # fmt: skip
_ZERO_OR_ONE = {
    "first", "winner", "asked", "offered", "takeback", "solved", "hints", "takebacks", "ended",
    "unveiled", "trap",
}  # fmt: skip
_NUMBERS = {"left_1", "left_2", "since", "used"}
_MOMENTS = {"began", "opened", "changed", "answered"}
_LARGEST = 2**53
_LAST_YEAR = 9000
"""Time is counted on from moments, and has an end."""


def check_row(row: Mapping[Any, Any], table: TableClause) -> None:
    """Raises `StoreError` for a row that no numduel has written."""
    for column in table.columns:
        if not _is_fine(column.name, row[column.name]):
            raise StoreError(problem="damaged")


def _is_fine(name: str, value: object) -> bool:
    if value is None:
        return name in _EMPTY
    if name in _ZERO_OR_ONE:
        return isinstance(value, int) and value in (0, 1)
    if name in _WHOLE:
        return isinstance(value, int) and abs(value) < _LARGEST
    if name in _NUMBERS:
        return isinstance(value, int | float) and math.isfinite(value) and abs(value) < _LARGEST
    return isinstance(value, str) and (name not in _MOMENTS or _is_moment(value))


def _is_moment(text: str) -> bool:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return False
    return moment.tzinfo is not None and 1 < moment.year < _LAST_YEAR
