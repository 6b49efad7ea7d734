"""The games: one small file each, with the rules and nothing else.

An installed package adds a game by an entry point in the group `numduel.games`, named by the game's
key: `countdown = "my_package:Countdown"`. A game names its own theory, wording and lesson. An own
rule needs no file: its key says it all, like `subtract-1-3-4` (`numduel.games.own`).
"""

import importlib
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from typing import TypeVar, cast

from numduel.arguments import check
from numduel.errors import InvalidGame, InvalidRule, UnknownGame
from numduel.games.game import Fault, Game, Reduction, try_out
from numduel.games.own import OwnRule, own_rule
from numduel.games.own_text import is_rule

__all__ = ["Fault", "Game", "OwnRule", "Reduction", "all_games", "keys", "load", "try_out"]

Base = TypeVar("Base")
_BUILT_IN = {  # the games that come with numduel, in the order of the rulebooks
    "subtract-a-prime": "numduel.games.subtract_a_prime:SubtractAPrime",
    "prime-subtractor": "numduel.games.prime_subtractor:PrimeSubtractor",
    "divisor-duel": "numduel.games.divisor_duel:DivisorDuel",
    "power-play": "numduel.games.power_play:PowerPlay",
    "digit-subtraction-duel": "numduel.games.digit_subtraction_duel:DigitSubtractionDuel",
}
_GROUP = "numduel.games"
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SURELY = 0.9  # a key this similar to a game's is that game misspelt, not a rule


def load(key: str, **settings: str) -> Game:
    """The game called `key`, with the given values of its variants.

    >>> load("divisor-duel").default_start
    60

    Raises `UnknownGame`, `InvalidRule`, `InvalidSetup`, or `InvalidGame` for a broken package.
    """
    for name, value in {"key": key, **settings}.items():
        check(name, value, str)
    if key in _BUILT_IN or not is_rule(key) or key in installed(_GROUP):
        return _find(key)(**settings)
    try:
        return own_rule(key).having(**settings)
    except InvalidRule as error:
        from difflib import get_close_matches

        if get_close_matches(key, keys(), 1, _SURELY):
            raise UnknownGame(key=key, known=keys()) from error
        raise


def keys() -> list[str]:
    """The keys of all games, the built-in ones first."""
    return [*_BUILT_IN, *sorted(set(installed(_GROUP)) - set(_BUILT_IN))]


def all_games() -> Iterator[Game]:
    """Every game that can be loaded; an installed one that is broken is left out."""
    for key in keys():
        with suppress(InvalidGame):
            yield load(key)


@cache
def _find(key: str) -> type[Game]:
    """The class of a game; what an entry point names is refused when it is no game of that key."""
    place = _BUILT_IN.get(key) or installed(_GROUP).get(key)
    if place is None:
        raise UnknownGame(key=key, known=keys())
    if not _KEY.fullmatch(key):
        raise InvalidGame(key=key, problem="a key is lower-case words joined by hyphens")
    found = class_named(key, place, Game)
    missing = [name for name in ("key", "title", "default_start") if not hasattr(found, name)]
    if missing:
        raise InvalidGame(key=key, problem=f"it does not say its {', '.join(missing)}")
    if found.key != key:
        raise InvalidGame(key=key, problem=f"its own key is {found.key}")
    return found


@lru_cache(maxsize=2)
def installed(group: str) -> dict[str, str]:
    """What installed packages bring under this group of entry points: key to "module:name"."""
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=group)}


def load_named(key: str, place: str) -> object:
    """What is at the place "module:name". Raises `InvalidGame` where it cannot be imported."""
    module, _, name = place.partition(":")
    try:
        return cast("object", getattr(importlib.import_module(module), name))
    except Exception as error:
        raise InvalidGame(key=key, problem=f"{type(error).__name__}: {error}") from error


def class_named(key: str, place: str, base: type[Base]) -> type[Base]:
    """The same for a subclass of `base`. Raises `InvalidGame` where it is none."""
    found = load_named(key, place)
    if isinstance(found, type) and issubclass(found, base):
        return found
    raise InvalidGame(key=key, problem=f"it is not a subclass of {base.__name__}: {place}")
