"""Thinking for a server: questions answered by processes that can be ended, in fair order."""

from numduel.thinking.thinkers import Thinkers
from numduel.thinking.waiting_line import ASKER

__all__ = ["ASKER", "Thinkers"]
