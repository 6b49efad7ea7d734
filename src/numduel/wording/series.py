"""A series in words."""

from __future__ import annotations

from numduel.match import Series


def series_words(series: Series) -> str:
    """Which match of a series is to be played: "Match 2 in a best of 3."."""
    return f"Match {series.played + 1} in a best of {series.length}."
