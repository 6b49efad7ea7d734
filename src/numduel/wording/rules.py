"""A game's rules and its variants in plain words."""

from numduel.arguments import checked
from numduel.games import Game
from numduel.program import typed

_EXAMPLE = "Example: "

_POLICIES = {
    "overshoot": "As an option, a player who tries a prime above the total loses at once."
    " By default it is refused, and you choose again.",
    "penalty": "As an option, several inputs in a row that cannot be played lose the turn.",
}
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


@checked
def summary(game: Game) -> str:
    """The game in one line."""
    return game.description.partition("\n")[0]


def paragraphs(game: Game) -> tuple[list[str], list[str]]:
    """The game's rules after the summary, a line for each paragraph; and its examples."""
    lines = _paragraphs(game)[1:]
    examples = [line for line in lines if line.startswith(_EXAMPLE)]
    said = [example.removeprefix(_EXAMPLE) for example in examples]
    rules = [line for line in lines if line not in examples]
    return rules, [example[:1].upper() + example[1:] for example in said]


def _paragraphs(game: Game) -> list[str]:
    """The summary and the paragraphs after it, each in one line."""
    parts = game.description.split("\n\n")
    return list(filter(None, (" ".join(part.split()) for part in parts)))


def ways(game: Game) -> list[str]:
    """Other ways to play the game that the referee knows, in a sentence each."""
    return [said for policy, said in _POLICIES.items() if policy in game.policies]


@checked
def rules(game: Game) -> list[str]:
    """The game's rules on one screen: a line for each paragraph and for each option."""
    lines = [game.title, "=" * len(game.title), ""]
    for paragraph in _paragraphs(game):
        lines += [paragraph, ""]
    lines += [f"Play it:    {typed(f'play {game.key}')}", f"It starts:  from {game.default_start}"]
    lines[-1] += ", or from another number: --start N"
    for name, values in game.variants.items():
        lines.append(f"Variant:    --set {name}=VALUE with VALUE {', '.join(values)}")
        lines[-1] += f" (default: {values[0]})"
    if "overshoot" in game.policies:
        lines.append("Option:     --overshoot loses: a prime above the total loses at once")
    if "penalty" in game.policies:
        lines.append("Option:     --penalty K: K bad inputs in a row lose the turn")
    return [*lines, "Option:     --misere: whoever cannot move wins instead"]


def label(name: str) -> str:
    return _LABELS.get(name, name)


def unusual(game: Game) -> dict[str, str]:
    """The values of the game's variants that are not the defaults."""
    return {name: value for name, value in game.settings.items() if value != game.variants[name][0]}


def titled(game: Game) -> str:
    """The game's title, with the values of its variants that are not the defaults."""
    special = [_NAMES.get(item, "=".join(item)) for item in unusual(game).items()]
    return f"{game.title} ({', '.join(special)})" if special else game.title


def choices(game: Game, name: str) -> list[tuple[str, str]]:
    """The values of a variant with their words, the default first."""
    return [
        (value, _CHOICES.get((name, value)) or _NAMES.get((name, value), value))
        for value in game.variants[name]
    ]
