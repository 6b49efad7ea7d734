"""Servers, as for rooms."""

from rooms.conftest import file, servers

__all__ = ["file", "servers"]
