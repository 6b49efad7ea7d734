"""Who a sentence is about: somebody by name, or "you"."""

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

    @property
    def whose(self) -> str:
        """What is theirs, at the beginning of a sentence: "Your", "Alice's"."""
        return "Your" if self.is_you else f"{self.name}'s"

    def told(self, what: str) -> str:
        """What somebody is asked to do: "Alice, enter a digit", or "Enter a digit"."""
        return f"{what[0].upper()}{what[1:]}" if self.is_you else f"{self.name}, {what}"

    def form(self, you: str, other: str) -> str:
        """The form of a word that goes with it: `form("have", "has")`."""
        return you if self.is_you else other
