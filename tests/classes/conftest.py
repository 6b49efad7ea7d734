"""Servers, as for rooms."""

from rooms.conftest import servers

__all__ = ["servers"]
