"""What is said about the computer's players: in menus, pickers, names, help and docs."""

from __future__ import annotations

from typing import Final

KINDS: Final = {
    "random": ("Dice", "plays at random"),
    "largest": ("Greedy", "always plays the largest move"),
    "beginner": ("Pip", "is new to this and makes many mistakes"),
    "level:1": ("Dot", "misses half of the wins"),
    "level:2": ("Milo", "misses a third of the wins"),
    "level:3": ("Iris", "misses one win in seven"),
    "level:4": ("Otto", "seldom misses a win"),
    "level:5": ("Vera", "never misses a win where the board can be solved"),
    "perfect": ("Perfect", "never misses a win"),
}


def computer_name(word: str) -> str:
    """What the player is called in a match: "Iris"."""
    return KINDS[word][0]


def player_word(text: str) -> str:
    """The word for a name or word in any case: "level:5" for "Vera". Other text stays as it is."""
    named = {"friend": "person"} | {name.casefold(): word for word, (name, _) in KINDS.items()}
    return {**named, **{word: word for word in KINDS}}.get(text.strip().casefold(), text)


def how_it_plays(word: str) -> str:
    """What the player does, after its name: "seldom misses a win"."""
    return KINDS[word][1]


def offered(word: str) -> str:
    """The player as a choice: "Otto seldom misses a win"."""
    return f"{computer_name(word)} {how_it_plays(word)}"
