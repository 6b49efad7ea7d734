"""The command line: one file for each command, and the screens that they use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

_BESIDE = {"rules": "games", "share": "show", "mcp": "engine"}
"""Commands that stand in the file of another."""


def find_command(name: str) -> click.Command:
    """The command: `command` in the file of its name, or NAME in the file of another."""
    if name in _BESIDE:
        command: click.Command = getattr(import_module(f"{__name__}.{_BESIDE[name]}"), name)
    else:
        command = import_module(f"{__name__}.{name}").command
    return command
