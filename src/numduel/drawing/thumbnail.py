"""A small map of a game: fifty squares without figures, the traps in gold."""

from __future__ import annotations

from collections.abc import Iterable

from numduel.drawing.svg import DARK, LIGHT

COLUMNS, ROWS = 10, 5
SIZE = 8


def draw_thumbnail(lost: Iterable[int]) -> str:
    """The numbers from 1 to 50. It says nothing to screen readers: there are words beside it."""
    traps = "".join(
        f"M{(n - 1) % COLUMNS * SIZE} {(n - 1) // COLUMNS * SIZE}h7v7h-7z"
        for n in sorted(lost)
        if 1 <= n <= COLUMNS * ROWS
    )
    rows = "".join(f"M0 {row * SIZE + 3.5}h{COLUMNS * SIZE}" for row in range(ROWS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {COLUMNS * SIZE - 1} '
        f'{ROWS * SIZE - 1}"><style>{_style(LIGHT)}@media(prefers-color-scheme:dark)'
        f'{{{_style(DARK)}}}</style><path class="w" d="{rows}"/><path class="l" d="{traps}"/></svg>'
    )


def _style(colours: dict[str, str]) -> str:
    return (
        f".w{{stroke:{colours['won_edge']};stroke-width:7;stroke-dasharray:7 1}}"
        f".l{{fill:{colours['gold']};stroke:{colours['gold_edge']}}}"
    )
