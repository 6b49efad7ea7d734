"""Finding what belongs to a game: the file of its name in a package, or an installed one."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import TypeVar

from numduel.errors import InvalidGame

Kind = TypeVar("Kind")


def class_for(package: str, key: str, base: type[Kind], group: str = "") -> type[Kind] | None:
    """The subclass of `base` that the package's file named like the key defines, if any.

    With a group, that of an installed package by its entry points comes next.
    Raises `InvalidGame` for one that is broken.
    """
    name = f"{package}.{key.replace('-', '_')}"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return _installed_class(group, key, base) if group else None
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == name:
            return value
    return None


@lru_cache(maxsize=8)
def installed(group: str) -> dict[str, str]:
    """What installed packages bring under this group of entry points: key to "module:name"."""
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=group)}


def load_installed(group: str, key: str) -> object | None:
    """What an installed package brings for this key; None where none does."""
    if key not in installed(group):
        return None
    module, _, name = installed(group)[key].partition(":")
    try:
        found: object = getattr(importlib.import_module(module), name)
    except Exception as error:
        raise InvalidGame(key=key, problem=f"{type(error).__name__}: {error}") from error
    return found


def _installed_class(group: str, key: str, base: type[Kind]) -> type[Kind] | None:
    found = load_installed(group, key)
    if found is None or (isinstance(found, type) and issubclass(found, base)):
        return found
    raise InvalidGame(key=key, problem=f"{group}: it is not a subclass of {base.__name__}")
