"""The menu: four questions, each with a default answer, and the match begins; or other doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from random import Random

import click

from numduel.board import Board
from numduel.cli.console import (
    EndOfInput,
    Left,
    Refused,
    Taken,
    Words,
    ask,
    ask_until,
    note,
    one_of,
)
from numduel.cli.games import known_games
from numduel.cli.layout import say
from numduel.cli.matches import open_history, read_first, read_names, read_start
from numduel.cli.parameters import read_board
from numduel.cli.patience import Stopped, thinking
from numduel.cli.table import Table, telling_how_to_go_on
from numduel.errors import NumduelError, StoreError
from numduel.games import Game
from numduel.games.own import is_rule, own_rule
from numduel.games.own.text import in_grammar
from numduel.match import DEFAULT_NAMES, Series, Setup
from numduel.match.setup import check_names
from numduel.players import LADDER, PERSON, installed_words, make_player
from numduel.program import typed
from numduel.wording import problem, quoted, summary
from numduel.wording.players import computer_name, how_it_plays
from numduel.wording.rule_in_short import rule_in_short

OPPONENTS = {"Friend": PERSON, **{computer_name(word): word for word in (*LADDER, "perfect")}}
BACK = "back"
MAKE = "make"
RESUME = "resume"
EXAMPLE = "subtract-1-3-4"
HELP = "Enter takes the answer in brackets; back goes to the games, quit leaves."
RULE = f"Your rule, like halve-or-subtract-1 [{EXAMPLE}]: "

DOORS = {
    RESUME: "continue your last match",
    "learn": "learn the idea of a game, step by step",
    "puzzle": "solve a puzzle",
    "map": "see the pattern behind a game",
    "rules": "read the rules of a game",
    "stats": "see how you are doing",
    "browser": "play in the browser",
}
"""Where else the first question leads: the word, mostly of a command, and what it does."""
OF_A_GAME = ("learn", "map", "rules")


class _Back(Exception):
    """The person wants to go back to the first question."""


def run_menu() -> int:
    """Ask, play, and offer another match until the person leaves; gives the exit code."""
    try:
        while True:
            table = _lay_table()
            say()
            if table is None:
                continue
            wins = [0, 0]
            while _play_and_ask_again(table):
                if table.last is not None and table.last.winner is not None:
                    wins[table.last.winner] += 1
                table.setup = table.setup.beginning_with(1 - table.setup.first)
                names = table.wording.names
                score = f"{names[0]} {wins[0]}, {names[1]} {wins[1]}"
                who = table.wording.who[table.setup.first]
                begins = f"{who.inside} {who.form('begin', 'begins')}"
                say(f"\nScore: {score}. Now {begins}.", bold=True)
            say()
    except (Left, EndOfInput):
        return 0


def _play_and_ask_again(table: Table) -> bool:
    """True for another match with the other player beginning, False for the menu."""
    _play(table)
    question = "Enter to play again, analyse to look back, menu for another game, or quit: "
    look_back = partial(_analyse, table)
    return ask_until(
        partial(ask, question, ("again", "analyse", "retry", "menu", "quit")),
        one_of({"": True, "again": True, "menu": False, BACK: False}),
        {"analyse": look_back, "analyze": look_back, "retry": partial(_retry, table)},
    )


def _analyse(table: Table) -> None:
    from numduel.analysis import analyse
    from numduel.cli.analyse import show_analysis

    if table.last is None:
        return
    try:
        with thinking(stoppable=True):
            analysis = analyse(table.last)
    except Stopped:
        return
    say()
    show_analysis(table.last, analysis)
    if analysis.turning_point is not None:
        say("Type retry to play on from there against the perfect player.")
    say()


def _retry(table: Table) -> None:
    from numduel.analysis import analyse
    from numduel.cli.analyse import lay_retry

    if table.last is not None:
        again = lay_retry(table.last, analyse(table.last))
        say()
        _play(again)


def _play(table: Table) -> None:
    try:
        with telling_how_to_go_on(table):
            table.play()
    except EndOfInput:
        raise SystemExit(1) from None
    say()


def _lay_table() -> Table | None:
    """What was chosen to play; None if somebody went elsewhere."""
    games = {game.title: game for game in known_games()}
    keys = {game.key: game for game in games.values()}
    say("numduel: two players, one number, a rule for making it smaller.\n", bold=True)
    _list({title: summary(game) for title, game in games.items()})
    doors = _open_doors()
    for word in doors:
        say(f"  {word:8}  {DOORS[word]}")
    say(f"  {MAKE:8}  make your own: say what a turn may do")
    say("  quit      leave\n")

    def read(answer: str) -> Game | Board:
        if game := _picked(answer, games) or keys.get(answer.casefold()):
            return game
        if ":" in answer or is_rule(in_grammar(answer)):
            return _read_rule(answer)
        raise Refused(
            f"{quoted(answer)} is not a game here. Enter 1 to {len(games)}, or one of the words."
        )

    def read_any(answer: str) -> Game | Board | str:
        word = RESUME if answer.casefold() == "continue" else answer.casefold()
        return word if word in (*DOORS, MAKE) else read(answer)

    try:
        chosen = _ask("Game [1]: ", "1", read_any, (*keys, *doors, MAKE))
        if chosen == MAKE:
            chosen = _ask(RULE, EXAMPLE, _read_rule)
            board = chosen if isinstance(chosen, Board) else Board.of(chosen, chosen.default_start)
            say(" ".join(rule_in_short(board)))
        if not isinstance(chosen, str):
            return _lay_table_for(chosen)
        about = _ask("About which game [1]: ", "1", read, keys) if chosen in OF_A_GAME else None
    except _Back:
        return None
    _lead_on(chosen, about.numbers[0].game if isinstance(about, Board) else about)
    return None


def _lay_table_for(chosen: Game | Board) -> Table:
    """Ask for all that is still open: against whom, from where, who begins, names, how often."""
    opponent = _choose_opponent()
    if isinstance(chosen, Game):
        usual = str(chosen.default_start)
        start = _ask(f"Starting number [{usual}]: ", usual, partial(read_start, chosen))
        chosen = Board.of(chosen, start)
    question = "Who begins, player 1 (you), 2 or random [1]: "
    allowed = ("1", "2", "random")
    read_seat = partial(read_first, names=DEFAULT_NAMES, random=Random(), allowed=allowed)
    first = _ask(question, "1", read_seat, allowed)
    names, best_of = DEFAULT_NAMES, 1
    if opponent == PERSON:
        usual = ", ".join(DEFAULT_NAMES)
        names = _ask(f"Your names, with a comma between [{usual}]: ", usual, _read_names)
        best_of = _ask("One match, or best of how many [1]: ", "1", _read_length)
    return Table(Setup(chosen, names, first), (PERSON, opponent), best_of=best_of, saves=True)


def _open_doors() -> list[str]:
    try:
        with open_history() as store:
            unfinished = store.matches(limit=1, unfinished=True)
    except StoreError:
        unfinished = []
    return [word for word in DOORS if word != RESUME or unfinished]


def _lead_on(word: str, game: Game | None) -> None:
    arguments = ["serve", "--open"] if word == "browser" else [word]
    arguments += [game.key] if game else []
    say()
    try:
        command = click.get_current_context().find_root().command
        command.main(arguments, prog_name=typed(), standalone_mode=False)
    except NumduelError as error:
        note(problem(error))
    except click.ClickException as error:
        note(error.format_message())
    say()
    ask_until(partial(ask, "Press Enter for the menu: "), str, {})


def _read_rule(answer: str) -> Game | Board:
    """A rule in any words, perhaps with its start; or any board."""
    return read_board(answer) if ":" in answer else own_rule(in_grammar(answer))


def _read_names(answer: str) -> tuple[str, str]:
    names = read_names(answer)
    check_names(names)
    return names


def _read_length(answer: str) -> int:
    if not (answer.isascii() and answer.isdigit()):
        raise Refused(f"{quoted(answer)} is not a number of matches. Enter 1, 3 or 5, say.")
    return Series(int(answer)).length


def _choose_opponent() -> str:
    own = {word: how_it_plays(word) for word in OPPONENTS.values() if word != PERSON}
    how = {PERSON: "plays at this keyboard", **own}
    opponents = OPPONENTS | {word: word for word in installed_words() if word not in OPPONENTS}
    say()
    _list({n: how.get(word, "comes with an installed package") for n, word in opponents.items()})

    def read(answer: str) -> str:
        word = _picked(answer, opponents)
        if word is None:
            raise Refused(f"{quoted(answer)} is not an opponent. Enter 1 to {len(opponents)}.")
        make_player(word, Random())  # an installed one may be broken
        return word

    return _ask("Opponent [Pip]: ", "Pip", read, opponents)


def _list(choices: Mapping[str, str]) -> None:
    width = max(map(len, choices))
    for place, (name, said) in enumerate(choices.items(), 1):
        say(f"  {place}  {name:{width}}  {said}")
    say()


def _picked(answer: str, choices: Mapping[str, Taken]) -> Taken | None:
    for place, (name, choice) in enumerate(choices.items(), 1):
        if answer.casefold() in (str(place), name.casefold()):
            return choice
    return None


def _ask(
    prompt: str, usual: str, read: Callable[[str], Taken], offers: Iterable[str] = ()
) -> Taken:
    """Ask until `read` takes the answer; Enter is the default answer."""

    def go_back() -> None:
        raise _Back

    helps = partial(note, HELP)
    words: Words = {BACK: go_back, "?": helps, "help": helps}
    question = partial(ask, prompt, (*offers, BACK, "help", "quit"))
    return ask_until(question, lambda answer: read(answer or usual), words)
