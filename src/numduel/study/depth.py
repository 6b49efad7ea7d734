"""How long a decided position lasts if the winner hurries and the loser delays."""

from __future__ import annotations

from numduel.board import Board

LIMIT = 60_000
"""Moves that one question may look at."""


class TooDeep(Exception):
    """The question would take too long."""


def remoteness(board: Board, known: dict[Board, tuple[bool, int]] | None = None) -> int:
    """The number of moves until the end, from the definition, by listing every position.

    The winner takes the shortest way to win, the loser the longest to lose
    (Conway, On Numbers and Games, ch. 14). Raises `TooDeep` beyond the limit.
    """
    known = {} if known is None else known
    after: dict[Board, list[Board]] = {}
    waiting, looked = [board], 0
    while waiting:
        current = waiting.pop()
        if current in after or current in known:
            continue
        after[current] = [current.play(move) for move in current.moves()]
        looked += len(after[current])
        if looked > LIMIT:
            raise TooDeep
        waiting += after[current]
    for current in sorted(after, key=lambda b: sum(number.value for number in b.numbers)):
        known[current] = _settled(current.misere, [known[child] for child in after[current]])
    return known[board][1]


def _settled(misere: bool, children: list[tuple[bool, int]]) -> tuple[bool, int]:
    """Is a position with these children lost, and how far is its end?"""
    if not children:
        return not misere, 0
    wins = [depth for lost, depth in children if lost]
    if wins:
        return False, 1 + min(wins)
    return True, 1 + max(depth for _, depth in children)
