"""A game's rules and its variants in plain words; the rule in short, for whoever is to move."""

from collections.abc import Sequence

from numduel.arguments import checked
from numduel.board import Board
from numduel.games import Game
from numduel.program import typed
from numduel.wording.neutral import Rule, wording_of

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
    lines.append(f"Play it:    {typed(f'play {game.key}')}")
    lines.append(f"It starts:  from {game.default_start}, or from another number: --start N")
    for name, values in game.variants.items():
        named = f"--set {name}=VALUE with VALUE {', '.join(values)} (default: {values[0]})"
        lines.append(f"Variant:    {named}")
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


def rule_in_short(board: Board) -> list[str]:
    """What a turn does and how it ends; on a board of several numbers, then each game's turn.

    >>> rule_in_short(Board.parse("subtract-a-prime:20"))
    ["Take away a prime. If you can't, because 0 or 1 is left, you lose."]
    """
    games = list(dict.fromkeys(number.game for number in board.numbers))
    if len(board.numbers) == 1:
        rule = rule_of(games[0])
        return [f"{rule.does} {_end(rule, board.misere)}"]
    turns = [rule_of(game).does for game in games]
    if len(games) == 1:
        return [_choice(board.misere), *turns]
    named = [f"{game.title}: {does}" for game, does in zip(games, turns, strict=True)]
    return [_choice(board.misere, " and play its game"), *named]


def rules_in_short(boards: Sequence[Board]) -> list[tuple[str, str]]:
    """Each game on these boards with its rule, and the rule of boards of several numbers."""
    several = [board for board in boards if len(board.numbers) > 1]
    single = [board for board in boards if len(board.numbers) == 1]
    parts = {n.game.title: rule_of(n.game).does for board in several for n in board.numbers}
    whole = {board.numbers[0].game.title: rule_in_short(board)[0] for board in single}
    rules = list((parts | whole).items())
    if several:
        rules.append(("Several numbers", _choice(several[0].misere, " and play its game")))
    return rules


def unusual_rule(board: Board) -> list[str]:
    """The rule, where it is misère or a variant that is not the usual one."""
    games = dict.fromkeys(number.game for number in board.numbers)
    set_otherwise = ["=".join(item) for game in games for item in unusual(game).items()]
    names = ["Misère"] * board.misere + set_otherwise
    return [f"{', '.join(names)}:", *rule_in_short(board)] if names else []


def _choice(misere: bool, then: str = "") -> str:
    end = f"If you can't move on any of them, you {'win' if misere else 'lose'}."
    return f"On your turn, choose one of the numbers{then}. {end}"


def rule_of(game: Game) -> Rule:
    return wording_of(game)(("", "")).rule(game)


def _end(rule: Rule, misere: bool) -> str:
    if rule.goal is not None:
        return f"Whoever reaches {rule.goal} {'loses' if misere else 'wins'}."
    stuck = f", because {rule.stuck}" if rule.stuck else " move"
    return f"If you can't{stuck}, you {'win' if misere else 'lose'}."
