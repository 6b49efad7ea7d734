"""A trial of a game that somebody wrote, for the tests of whoever did: it is a sample, no proof."""

from __future__ import annotations

from itertools import islice

from numduel.arguments import checked
from numduel.errors import InvalidGame
from numduel.games.game import Game

_NUMBERS = 40
"""Numbers from the least on that are tried, beside the usual start."""
_MOVES = 60


@checked
def try_out(kind: type[Game]) -> None:
    """Play the first moves of some numbers under every variant. Raises `InvalidGame`."""
    settings = [{name: value} for name, values in kind.variants.items() for value in values]
    for setting in settings or [{}]:
        game = kind(**setting)
        start = game.default_start
        if not (_is_number(game.least) and _is_number(start) and start >= game.least >= 0):
            raise _broken(game, f"its usual start {start!r} is below its least, {game.least!r}")
        for n in [*range(game.least, game.least + _NUMBERS), start]:
            _try_number(game, n)


def _try_number(game: Game, n: int) -> None:
    last = 0
    moves = list(islice(game.moves(n), _MOVES))
    if game.is_over(n) is not (not moves):
        raise _broken(game, f"at {n} it says wrongly whether a move is left")
    for amount in moves:
        if not _is_number(amount):
            raise _broken(game, f"at {n} its move {amount!r} is not a whole number")
        if amount <= last:
            raise _broken(game, f"at {n} its move {amount} follows {last}, and moves must rise")
        last = amount
        if game.fault(n, amount) is not None:
            raise _broken(game, f"at {n} it lists the move {amount} and calls it illegal")
        after, left = game.after(n, amount)
        if left >= n:
            raise rising(game, n, amount, left)
        if left < after.least:
            raise _broken(game, f"at {n} its move {amount} leaves {left}, below {after.least}")


def rising(game: Game, n: int, amount: int, left: int) -> InvalidGame:
    return _broken(game, f"at {n} its move {amount} leaves {left}, which is not smaller")


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _broken(game: Game, problem: str) -> InvalidGame:
    return InvalidGame(key=game.key, problem=problem)
