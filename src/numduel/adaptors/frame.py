"""A number as a picture of coloured dots, for what records an agent's matches as a film."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from numduel.drawing.svg import LIGHT

Frame = npt.NDArray[np.uint8]

_DIGITS = (
    "01110100011001110101110011000101110", "00100011000010000100001000010001110",
    "01110100010000100010001000100011111", "11111000100010000010000011000101110",
    "00010001100101010010111110001000010", "11111100001111000001000011000101110",
    "00110010001000011110100011000101110", "11111000010001000100010000100001000",
    "01110100011000101110100011000101110", "01110100011000101111000010001001100",
)  # fmt: skip
"""Seven rows of five dots a digit, row by row."""

_ROWS, _COLUMNS = 7, 5
_DOT = 8
"""Pixels of a dot's side."""
_LONGEST = 30
"""Digits of a number that is shown whole."""


def draw_number(number: int, places: int) -> Frame:
    """The number, right-aligned in so many places; of a long one, both ends."""
    shown = str(number).rjust(places)
    if len(shown) > _LONGEST:
        half = _LONGEST // 2 - 1
        shown = f"{shown[:half]}  {shown[-half:]}"
    dots = np.zeros((_ROWS + 4, (_COLUMNS + 1) * len(shown) + 3), dtype=np.bool_)
    for place, digit in enumerate(shown):
        if digit != " ":
            left = 2 + (_COLUMNS + 1) * place
            shape = np.array(list(_DIGITS[int(digit)])) == "1"
            dots[2 : 2 + _ROWS, left : left + _COLUMNS] = shape.reshape(_ROWS, _COLUMNS)
    frame = np.where(dots[:, :, None], _colour(LIGHT["ink"]), _colour(LIGHT["paper"]))
    return frame.repeat(_DOT, axis=0).repeat(_DOT, axis=1)


def _colour(written: str) -> Frame:
    return np.frombuffer(bytes.fromhex(written.removeprefix("#")), dtype=np.uint8)
