"""How the computer's players play, in a few words: for menus, pickers and help."""

from __future__ import annotations

from typing import Final

HOW: Final = {
    "random": "plays at random",
    "largest": "always plays the largest move",
    "level:1": "often slips",
    "level:2": "slips quite often",
    "level:3": "sometimes slips",
    "level:4": "rarely slips",
    "level:5": "never slips where the board can be solved",
    "perfect": "wins whatever can be won",
}
"""After the words "the computer, which". In small numbers, levels 1 to 5 throw away about
one in 2, 3, 6 and 30 of the wins that they have, and none: see tests/players/test_levels.py
"""
