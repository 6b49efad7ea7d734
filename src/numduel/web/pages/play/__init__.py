"""Play: the first page, rooms, and how a match ends."""

from numduel.web.pages.play import home, room

__all__ = ["home", "room"]
