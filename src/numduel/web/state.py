"""What the application keeps, for whoever answers a request."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from numduel.classes import Classes
from numduel.rooms import Lobby
from numduel.thinking.thinkers import Thinkers


def lobby_of(request: HTTPConnection) -> Lobby:
    """The rooms."""
    lobby: Lobby = request.app.state.lobby
    return lobby


def classes_of(request: HTTPConnection) -> Classes:
    """The classes that play in the rooms."""
    classes: Classes = request.app.state.classes
    return classes


def thinkers_of(request: HTTPConnection) -> Thinkers:
    """The processes that answer hard questions."""
    return lobby_of(request).thinkers
