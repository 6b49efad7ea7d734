"""What is said of the computer's players, by their words: menus, pickers, names, help, docs."""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "random": ("random", "plays at random"),
    "largest": ("greedy", "always plays the largest move"),
    "level:1": ("level 1", "often slips"),
    "level:2": ("level 2", "slips quite often"),
    "level:3": ("level 3", "sometimes slips"),
    "level:4": ("level 4", "rarely slips"),
    "level:5": ("level 5", "never slips where the board can be solved"),
    "perfect": ("perfect", "wins whatever can be won"),
}


def computer_name(word: str) -> str:
    """What the player is called in a match: "Computer (level 3)"."""
    return f"Computer ({KINDS[word][0]})"


def how_it_plays(word: str) -> str:
    """What the player does, after "the computer, which": "sometimes slips"."""
    return KINDS[word][1]


def offered(word: str) -> str:
    """The player as a choice: "Computer, level 3: sometimes slips"."""
    kind, how = KINDS[word]
    return f"Computer, {kind}: {how}"
