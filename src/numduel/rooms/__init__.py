"""Rooms: two seats and watchers, matches one after another. A front end calls the `Lobby`."""

from numduel.rooms.actions import Action, AnswerTakeback, AskTakeback, Play, Rematch, Resign
from numduel.rooms.live import Live, Watching
from numduel.rooms.lobby import NO_SEAT, Lobby
from numduel.rooms.room import Bounds, Room, Terms
from numduel.rooms.tokens import is_code, is_token, new_token
from numduel.store.news import GONE

__all__ = [
    "GONE", "NO_SEAT", "Action", "AnswerTakeback", "AskTakeback", "Bounds", "Live", "Lobby", "Play",
    "Rematch", "Resign", "Room", "Terms", "Watching", "is_code", "is_token", "new_token",
]  # fmt: skip
