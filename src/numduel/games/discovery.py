"""What packages bring and what a game names, imported when somebody asks for it."""

import importlib
from functools import lru_cache
from typing import TypeVar

from numduel.errors import InvalidGame

Base = TypeVar("Base")


@lru_cache(maxsize=2)
def installed(group: str) -> dict[str, str]:
    """What installed packages bring under this group of entry points: key to "module:name"."""
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=group)}


def load_named(key: str, place: str) -> object:
    """What is at the place "module:name". Raises `InvalidGame` where it cannot be imported."""
    module, _, name = place.partition(":")
    try:
        found: object = getattr(importlib.import_module(module), name)
    except Exception as error:
        raise InvalidGame(key=key, problem=f"{type(error).__name__}: {error}") from error
    return found


def class_named(key: str, place: str, base: type[Base]) -> type[Base]:
    """The same for a subclass of `base`. Raises `InvalidGame` where it is none."""
    found = load_named(key, place)
    if isinstance(found, type) and issubclass(found, base):
        return found
    raise InvalidGame(key=key, problem=f"it is not a subclass of {base.__name__}: {place}")
