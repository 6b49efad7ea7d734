"""The games, found by key: one file each in this folder, an installed package's, or an own rule.

An installed package adds a game by an entry point in the group `numduel.games`,
named by the game's key: `countdown = "my_package:Countdown"`. Its theory, wording
and lesson follow in the groups `numduel.theories`, `numduel.wordings` and
`numduel.lessons`. An own rule needs no file: its key
says it all, like `subtract-1-3-4` (`numduel.games.own`).
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

from numduel.errors import InvalidGame, InvalidRule, UnknownGame
from numduel.games.discovery import class_for, installed, load_installed
from numduel.games.game import Fault, Game, Reduction
from numduel.games.own import OwnRule, is_rule, own_rule

__all__ = ["Fault", "Game", "OwnRule", "Reduction", "all_games", "keys", "load"]

_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_ORDER = ("subtract-a-prime", "prime-subtractor", "divisor-duel", "power-play")
"""The order of the rulebooks; games not named here follow by key."""


def load(key: str, **settings: str) -> Game:
    """The game called `key`, with the given values of its variants.

    >>> load("divisor-duel").default_start
    60

    Raises `UnknownGame`, `InvalidRule`, `InvalidSetup`, or `InvalidGame` for a broken package.
    """
    if key in _files() or not is_rule(key) or key in installed(_GROUP):
        return _known(key, **settings)
    try:
        return own_rule(key).having(**settings)
    except InvalidRule as error:
        from difflib import get_close_matches

        if get_close_matches(key, keys(), 1, _SURELY):
            raise UnknownGame(key=key, known=keys()) from error
        raise


@cache
def _known(key: str, **settings: str) -> Game:
    return _find(key)(**settings)


def keys() -> list[str]:
    """The keys of all games, the built-in ones first."""
    here = [key for key in _files() if _class_in(key)]
    return here + sorted(set(installed(_GROUP)) - set(here))


def all_games() -> Iterator[Game]:
    """Every game that can be loaded; an installed one that is broken is left out."""
    for key in keys():
        with suppress(InvalidGame):
            yield load(key)


_GROUP = "numduel.games"
"""The entry points of installed games."""
_SURELY = 0.9
"""A key this similar to a game's is that game misspelt, not a rule."""


@cache
def _files() -> list[str]:
    """The files of this folder, each as the key of the game that may be in it."""
    found = sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))
    return sorted(found, key=lambda key: (*_ORDER, key).index(key))


@cache
def _class_in(key: str) -> type[Game] | None:
    """The game in the file of this name: one of `_files`, since every answer is kept."""
    found = class_for(__name__, key, Game)
    return found if found is not None and getattr(found, "key", None) == key else None


@cache
def _find(key: str) -> type[Game]:
    found = _class_in(key) if key in _files() else None
    if found is not None:
        return found
    if key not in installed(_GROUP):
        raise UnknownGame(key=key, known=keys())
    if not _KEY.fullmatch(key):
        raise InvalidGame(key=key, problem="a key is lower-case words joined by hyphens")
    return _checked(key, load_installed(_GROUP, key))


def _checked(key: str, found: object) -> type[Game]:
    """What an entry point names, refused when it is not a game of that key, or a broken one."""
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise InvalidGame(key=key, problem="it is not a subclass of numduel.games.Game")
    missing = [name for name in ("key", "title", "default_start") if not hasattr(found, name)]
    if missing:
        raise InvalidGame(key=key, problem=f"it does not say its {', '.join(missing)}")
    if found.key != key:
        raise InvalidGame(key=key, problem=f"its own key is {found.key}")
    from numduel.games.trial import try_out

    try_out(found)
    return found
