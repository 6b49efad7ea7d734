"""What is said about the computer's players: in menus, pickers, names, help and docs."""

from typing import Final, Literal

KINDS: Final = {
    "random": ("Dice", "plays at random"),
    "largest": ("Greedy", "always plays the largest move"),
    "beginner": ("Pip", "is new to this and makes many mistakes"),
    "level:1": ("Dot", "misses half of the chances to win"),
    "level:2": ("Milo", "misses a third of its chances to win"),
    "level:3": ("Iris", "misses one chance to win in seven"),
    "level:4": ("Otto", "seldom misses a win"),
    "level:5": ("Vera", "never misses a win where the board can be solved"),
    "perfect": ("Perfect", "never misses a win"),
}

ANYBODY: Final = "A player"  # whoever plays a computer without a name, as others see them

_SAYS: Final = {
    "random": ("Here I roll!", "Lucky me!", "Bad luck, that."),
    "largest": ("I'm hungry. Big bites!", "All mine!", "I ate too fast."),
    "beginner": ("Hello! I'm still learning.", "Wait, I won? How?", "Oh! You got me."),
    "level:1": ("Ready when you are!", "Ha, got you!", "Good one!"),
    "level:2": ("Let's have a good match.", "That was fun.", "Well played. Next time!"),
    "level:3": ("I have been practising.", "There it was.", "Nicely done. Again?"),
    "level:4": ("I have thought about this.", "As I expected.", "Most interesting. How?"),
    "level:5": ("Show me your best.", "Try me again.", "You left me nothing."),
    "perfect": ("I do not miss.", "That was settled.", "You found the way."),
}  # what each says at the start of a match, when it has won, and when it has lost


def says(word: str, when: Literal["start", "won", "lost"], luck: bool = False) -> str:
    """A short word in character; after a match of `luck`, where no choice mattered, the same."""
    if luck and when != "start":
        return "It was settled before we began!"
    return _SAYS[word][("start", "won", "lost").index(when)]


def computer_name(word: str) -> str:
    """What the player is called in a match: "Iris"; the word, for one without a name."""
    return KINDS[word][0] if word in KINDS else word


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
