"""Heavy modules, imported by the test that uses them first, not by every process that collects."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Later:
    """Stands for a module, or for a name in one, until somebody uses it."""

    def __init__(self, module: str, name: str = "") -> None:
        self.__dict__.update(_module=module, _name=name)

    def _found(self) -> Any:
        module = import_module(self._module)
        return getattr(module, self._name) if self._name else module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found(), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._found(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._found(), name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._found()(*args, **named)
