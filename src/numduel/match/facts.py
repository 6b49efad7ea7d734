"""What programs are told: the fields of a thing with plain values, as JSON holds them."""

from collections.abc import Iterable
from typing import Any, Literal, TypeVar, cast

from numduel.board import Board

Facts = TypeVar("Facts")
PlayerNumber = Literal[1, 2]
NUMBERS: tuple[PlayerNumber, PlayerNumber] = (1, 2)
_PLAYERS = {"player", "winner", "first", "given_up"}


def facts(kind: type[Facts], thing: object, **other: object) -> Facts:
    """What a TypedDict names of the thing, in its order; `other` are values found elsewhere."""
    return cast("Facts", plain(kind.__annotations__, thing, **other))


def plain(names: Iterable[str], thing: object, **other: object) -> dict[str, Any]:
    """The same by these names: boards are text, rows are lists, players are counted from 1."""
    return {one: other[one] if one in other else _plain(one, getattr(thing, one)) for one in names}


def _plain(name: str, value: Any) -> Any:
    if name in _PLAYERS:
        return number_of(value)
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, Board) else value


def number_of(player: int | None) -> PlayerNumber | None:
    """The player counted from 1, as people do; None for nobody."""
    return None if player is None else NUMBERS[player]
