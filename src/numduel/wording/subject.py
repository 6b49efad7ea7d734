"""Whom a sentence is about: somebody by name, or "you"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subject:
    """A player in a sentence. As text, as it stands at the beginning: "You", "Alice"."""

    name: str
    is_you: bool = False

    def __str__(self) -> str:
        return "You" if self.is_you else self.name

    @property
    def inside(self) -> str:
        """The same within a sentence: "you", "Alice"."""
        return "you" if self.is_you else self.name

    def form(self, you: str, other: str) -> str:
        """The form of a word that goes with it: `form("have", "has")`."""
        return you if self.is_you else other
