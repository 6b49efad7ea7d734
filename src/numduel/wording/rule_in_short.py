"""The whole rule in one or two sentences, for whoever is about to move."""

from collections.abc import Sequence

from numduel.board import Board
from numduel.games import Game
from numduel.wording import wording_of
from numduel.wording.neutral import Rule
from numduel.wording.rules import unusual


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
    parts = {n.game.title: rule_of(n.game).does for board in several for n in board.numbers}
    whole = {
        board.numbers[0].game.title: rule_in_short(board)[0]
        for board in boards
        if len(board.numbers) == 1
    }
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
    end = f"If you can't move on any of them, you {_falls(misere)}."
    return f"On your turn, choose one of the numbers{then}. {end}"


def rule_of(game: Game) -> Rule:
    return wording_of(game)(("", "")).rule(game)


def _end(rule: Rule, misere: bool) -> str:
    if rule.goal is not None:
        return f"Whoever reaches {rule.goal} {'loses' if misere else 'wins'}."
    if rule.stuck:
        return f"If you can't, because {rule.stuck}, you {_falls(misere)}."
    return f"If you can't move, you {_falls(misere)}."


def _falls(misere: bool) -> str:
    return "win" if misere else "lose"
