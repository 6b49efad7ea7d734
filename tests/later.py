"""Heavy modules, imported by the test that uses them first, not by every process that collects."""

from importlib import import_module
from typing import Any


class Later:
    """Stands for a module, or for a name in one, until somebody uses it."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def _found(self) -> Any:
        module = import_module(self._module)
        return getattr(module, self._name) if self._name else module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_mock_name":  # pytest looks, to see what it is
            raise AttributeError(name)
        return getattr(self._found(), name)

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._found()(*args, **named)
