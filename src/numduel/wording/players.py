"""What is said of the computer's players, by their words: menus, pickers, names, help, docs."""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "random": ("random", "plays at random"),
    "largest": ("greedy", "always plays the largest move"),
    "beginner": ("Pip", "is new to this and overlooks most wins"),
    "level:1": ("Dot", "often slips"),
    "level:2": ("Milo", "slips quite often"),
    "level:3": ("Iris", "sometimes slips"),
    "level:4": ("Otto", "rarely slips"),
    "level:5": ("Vera", "never slips where the board can be solved"),
    "perfect": ("perfect", "wins whatever can be won"),
}


def computer_name(word: str) -> str:
    """What the player is called in a match: "Iris", or "Computer (perfect)"."""
    name = KINDS[word][0]
    return name if name[0].isupper() else f"Computer ({name})"


def how_it_plays(word: str) -> str:
    """What the player does, after "the computer, which": "sometimes slips"."""
    return KINDS[word][1]


def offered(word: str) -> str:
    """The player as a choice: "Iris sometimes slips"."""
    return f"{computer_name(word)} {how_it_plays(word)}"
