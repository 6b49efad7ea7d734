"""Finding what belongs to a game: the file of its name in a package."""

from __future__ import annotations

import importlib
from typing import TypeVar

Kind = TypeVar("Kind")


def class_for(package: str, key: str, base: type[Kind]) -> type[Kind] | None:
    """The subclass of `base` that the package's file named like the key defines, if any."""
    name = f"{package}.{key.replace('-', '_')}"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, base) and value.__module__ == name:
            return value
    return None
