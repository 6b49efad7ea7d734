"""The menu: four questions, each with a usual answer, and the match begins; or other doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import TypeVar

import click

from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.cli.console import Console, EndOfInput
from numduel.cli.doors import ABOUT, ALSO, DOORS, OF_A_GAME, lead_on, open_doors
from numduel.cli.games import known_games, read_board
from numduel.cli.layout import say
from numduel.cli.match_run import telling_how_to_go_on
from numduel.cli.patience import Stopped, thinking
from numduel.cli.seats import read_first, read_names
from numduel.cli.table import LEAVE, Left, Table, check_start, start_problem
from numduel.errors import NumduelError
from numduel.games import Game
from numduel.games.own import is_rule, own_rule
from numduel.games.own.text import in_grammar
from numduel.match import DEFAULT_NAMES, Series, Setup
from numduel.match.setup import check_names
from numduel.players import LADDER, PERSON, Player, installed_words, make_player
from numduel.wording import problem, quoted, summary
from numduel.wording.players import computer_name, how_it_plays
from numduel.wording.rule_in_short import rule_in_short

OPPONENTS = {
    "Friend": PERSON,
    **{computer_name(word): word for word in LADDER},
    "Perfect": "perfect",
}

BACK = "back"
MAKE = "make"
EXAMPLE = "subtract-1-3-4"
HELP = "Enter takes the answer in brackets; back goes to the games, quit leaves."
RULE = f"Your rule, like halve-or-subtract-1 [{EXAMPLE}]: "

Chosen = TypeVar("Chosen")


class _Back(Exception):
    """The person wants to go back to the first question."""


def run_menu(console: Console | None = None) -> int:
    """Ask, play, and offer another match until the person leaves; gives the exit code."""
    console = console or Console()
    try:
        while True:
            laid = _lay_table(console)
            console.show()
            if laid is None:
                continue
            table, best_of = laid
            wins = [0, 0]
            while _play_and_ask_again(console, table, best_of):
                if table.last is not None and table.last.winner is not None:
                    wins[table.last.winner] += 1
                table.first = 1 - table.setup.first
                names = table.wording.names
                score = f"{names[0]} {wins[0]}, {names[1]} {wins[1]}"
                who = table.wording.who[table.first]
                begins = f"{who.inside} {who.form('begin', 'begins')}"
                console.show()
                console.show(f"Score: {score}. Now {begins}.", bold=True)
            console.show()
    except (Left, EndOfInput):
        return 0


def _play_and_ask_again(console: Console, table: Table, best_of: int) -> bool:
    """True for another match with the other player beginning, False for the menu."""
    _play(console, table, best_of)
    while True:
        answer = console.ask(
            "Enter to play again, analyse to look back, menu for another game, or quit: ",
            ("again", "analyse", "retry", "menu", "quit"),
        )
        match answer.strip().casefold():
            case "" | "again":
                return True
            case "analyse" | "analyze":
                _analyse(console, table)
            case "retry":
                _retry(console, table)
            case "menu" | "back":
                return False
            case word if word in LEAVE:
                raise Left
            case _:
                console.show(f"{quoted(answer)} is not one of these.", fg="yellow")


def _analyse(console: Console, table: Table) -> None:
    """Where the match was decided."""
    from numduel.analysis import analyse
    from numduel.cli.analyse import show_analysis

    if table.last is None:
        return
    try:
        with thinking(stoppable=True):
            analysis = analyse(table.last)
    except Stopped:
        return
    console.show()
    console.flush()
    show_analysis(table.last, analysis)
    if analysis.turning_point is not None:
        say("Type retry to play on from there against the perfect player.")
    click.echo()


def _retry(console: Console, table: Table) -> None:
    """Play on from the first mistake, against the perfect player."""
    from numduel.analysis import analyse
    from numduel.cli.look_back import lay_retry

    if table.last is None:
        return
    try:
        again = lay_retry(table.last, analyse(table.last))
    except NumduelError as error:
        console.show(problem(error), fg="yellow")
        return
    console.show()
    _play(console, again)


def _play(console: Console, table: Table, best_of: int = 1) -> None:
    try:
        with telling_how_to_go_on(table):
            table.play(best_of)
    except EndOfInput:
        raise SystemExit(1) from None
    console.show()


def _lay_table(console: Console) -> tuple[Table, int] | None:
    """A table and the length of the series; None if somebody went elsewhere."""
    games = known_games()
    keys = [game.key for game in games]
    console.show("numduel: two players, one number, a rule for making it smaller.", bold=True)
    console.show()
    width = max(len(game.title) for game in games)
    for place, game in enumerate(games, 1):
        console.show(f"  {place}  {game.title:{width}}  {summary(game)}")
    console.show()
    console.flush()  # the history takes a moment to load
    doors = open_doors()
    for word in doors:
        console.show(f"  {word:8}  {DOORS[word][1]}")
    console.show(f"  {MAKE:8}  make your own: say what a turn may do")
    console.show("  quit      leave\n")

    def read(answer: str) -> Game | Board:
        for place, game in enumerate(games, 1):
            if answer.casefold() in (str(place), game.key, game.title.casefold()):
                return game
        if ":" in answer or is_rule(in_grammar(answer)):
            return _read_rule(answer)
        raise ValueError(
            f"{quoted(answer)} is not a game here. Enter 1 to {len(games)}, or one of the words."
        )

    def read_any(answer: str) -> Game | Board | str:
        word = ALSO.get(answer.casefold(), answer.casefold())
        return word if word in (*DOORS, MAKE) else read(answer)

    try:
        chosen = _ask(console, "Game [1]: ", "1", read_any, (*keys, *doors, MAKE))
        if chosen == MAKE:
            chosen = _ask(console, RULE, EXAMPLE, _read_rule)
            board = chosen if isinstance(chosen, Board) else Board.of(chosen, chosen.default_start)
            console.show(" ".join(rule_in_short(board)))
        if isinstance(chosen, str):
            about = _ask(console, ABOUT, "1", read, keys) if chosen in OF_A_GAME else None
            lead_on(console, chosen, about.numbers[0].game if isinstance(about, Board) else about)
            return None
        opponent, player = _choose_opponent(console)
        if isinstance(chosen, Game):
            chosen = Board.of(chosen, _choose_start(console, chosen))
        first = _choose_first(console)
        names, best_of = DEFAULT_NAMES, 1
        if opponent == PERSON:
            names = _choose_names(console)
            best_of = _choose_length(console)
    except _Back:
        return None
    setup = Setup(chosen, names)
    return Table(setup, (None, player), (PERSON, opponent), first=first, saves=True), best_of


def _read_rule(answer: str) -> Game | Board:
    """A rule in any words, perhaps with its start; or any board."""
    try:
        return read_board(answer) if ":" in answer else own_rule(in_grammar(answer))
    except NumduelError as error:
        raise ValueError(problem(error)) from error


def _choose_names(console: Console) -> tuple[str, str]:
    def read(answer: str) -> tuple[str, str]:
        try:
            names = read_names(answer)
            check_names(names)
        except NumduelError as error:
            raise ValueError(problem(error)) from error
        return names

    usual = ", ".join(DEFAULT_NAMES)
    return _ask(console, f"Your names, with a comma between [{usual}]: ", usual, read)


def _choose_length(console: Console) -> int:
    def read(answer: str) -> int:
        if not (answer.isascii() and answer.isdigit()):
            raise ValueError(f"{quoted(answer)} is not a number of matches. Enter 1, 3 or 5, say.")
        try:
            return Series(int(answer)).length
        except NumduelError as error:
            raise ValueError(problem(error)) from error

    return _ask(console, "One match, or best of how many [1]: ", "1", read)


def _choose_opponent(console: Console) -> tuple[str, Player | None]:
    others = installed_words()
    opponents = OPPONENTS | {word: word for word in others if word not in OPPONENTS}
    console.show()
    for place, (name, word) in enumerate(opponents.items(), 1):
        how = "plays at this keyboard"
        if word != PERSON:
            how = "comes with an installed package" if word in others else how_it_plays(word)
        console.show(f"  {place}  {name:7}  {how}")
    console.show()

    def read(answer: str) -> tuple[str, Player | None]:
        for place, (name, word) in enumerate(opponents.items(), 1):
            if answer.casefold() in (str(place), name.casefold()):
                try:
                    return word, make_player(word, Random())
                except NumduelError as error:
                    raise ValueError(problem(error)) from error
        raise ValueError(f"{quoted(answer)} is not an opponent. Enter 1 to {len(opponents)}.")

    return _ask(console, "Opponent [Pip]: ", "Pip", read, opponents)


def _choose_start(console: Console, game: Game) -> int:
    def read(answer: str) -> int:
        try:
            start = read_number(answer)
            check_start(game, start)
        except NumduelError as error:
            raise ValueError(start_problem(error, game)) from error
        return start

    usual = str(game.default_start)
    return _ask(console, f"Starting number [{usual}]: ", usual, read)


def _choose_first(console: Console) -> int:
    def read(answer: str) -> int:
        first = read_first(answer, DEFAULT_NAMES, Random())
        if first is None:
            raise ValueError(f"There is no player {quoted(answer)}. Enter 1, 2 or random.")
        return first

    question = "Who begins, player 1 (you), 2 or random [1]: "
    return _ask(console, question, "1", read, ("1", "2", "random"))


def _ask(
    console: Console,
    prompt: str,
    usual: str,
    read: Callable[[str], Chosen],
    offers: Iterable[str] = (),
) -> Chosen:
    """Ask until `read` takes the answer; Enter is the usual answer."""
    while True:
        answer = console.ask(prompt, (*offers, BACK, "help", "quit")).strip()
        if answer.casefold() in LEAVE:
            raise Left
        if answer.casefold() == BACK:
            raise _Back
        if answer.casefold() in ("?", "help"):
            console.show(HELP, fg="yellow")
            continue
        try:
            return read(answer or usual)
        except ValueError as error:
            console.show(str(error), fg="yellow")
