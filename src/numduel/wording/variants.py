"""Variants in plain words, for people who do not type their names."""

from __future__ import annotations

from numduel.games import Game

_LABELS = {"divisors": "Divisors that may be taken", "opening": "The starting total"}
_NAMES = {
    ("divisors", "all"): "all divisors",
    ("divisors", "even"): "even divisors only",
    ("divisors", "odd"): "odd divisors only",
    ("divisors", "prime"): "prime divisors only",
    ("opening", "below"): "may not be taken by the first move",
    ("opening", "any"): "after the opening",
}
_CHOICES = {("opening", "any"): "may be taken: the opening is over"}


def label(name: str) -> str:
    """What a variant is about: the label of a choice."""
    return _LABELS.get(name, name)


def titled(game: Game) -> str:
    """The game's title, with the values of its variants that are not the usual ones."""
    special = [
        _NAMES.get((name, value), f"{name}={value}")
        for name, value in game.settings.items()
        if value != game.variants[name][0]
    ]
    return f"{game.title} ({', '.join(special)})" if special else game.title


def choices(game: Game, name: str) -> list[tuple[str, str]]:
    """The values of a variant with their words, the usual one first."""
    return [
        (value, _CHOICES.get((name, value)) or _NAMES.get((name, value), value))
        for value in game.variants[name]
    ]
