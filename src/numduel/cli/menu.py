"""The menu: four questions, Enter takes the usual answer, and the match is on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

import click

from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.cli.console import Console, EndOfInput
from numduel.cli.games import known_games
from numduel.cli.layout import say
from numduel.cli.match_run import say_how_to_go_on
from numduel.cli.patience import Stopped, thinking
from numduel.cli.table import INPUT_ENDED, Left, Table, check_start, read_first, start_problem
from numduel.errors import NumduelError
from numduel.games import Game
from numduel.match import DEFAULT_NAMES, Setup
from numduel.players import LADDER, PERSON, make_player
from numduel.wording import problem, quoted, summary
from numduel.wording.players import computer_name, how_it_plays

OPPONENTS = {
    "Friend": PERSON,
    **{computer_name(word): word for word in LADDER},
    "Perfect": "perfect",
}

Chosen = TypeVar("Chosen")


def run_menu(console: Console | None = None) -> int:
    """Ask, play, and offer another match until the person leaves; gives the exit code."""
    console = console or Console()
    try:
        while True:
            table = _lay_table(console)
            console.show()
            wins = [0, 0]
            while _play_and_ask_again(console, table):
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


def _play_and_ask_again(console: Console, table: Table) -> bool:
    """True for another match with the other player beginning, False for the menu."""
    _play(console, table)
    while True:
        answer = console.ask(
            "Enter to play again, analyse to look back, menu for another game, quit to leave: "
        )
        match answer.strip().casefold():
            case "" | "again":
                return True
            case "analyse" | "analyze":
                _analyse(console, table)
            case "retry":
                _retry(console, table)
            case "menu":
                return False
            case "quit":
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
    """The first thrown-away win again, against the perfect player."""
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


def _play(console: Console, table: Table) -> None:
    try:
        table.play()
    except Left:
        say_how_to_go_on(table)
        raise
    except EndOfInput:
        say(INPUT_ENDED, err=True)
        raise SystemExit(1) from None
    console.show()


def _lay_table(console: Console) -> Table:
    game = _choose_game(console)
    opponent = _choose_opponent(console)
    start = _choose_start(console, game)
    first = _choose_first(console)
    board = Board.of(game, start)
    player = make_player(opponent, Random())
    words = (PERSON, opponent)
    return Table(Setup(board), (None, player), words, first=first, saves=True)


def _choose_game(console: Console) -> Game:
    games = known_games()
    console.show("numduel: two players, one number, a rule for making it smaller.", bold=True)
    console.show()
    width = max(len(game.title) for game in games)
    for place, game in enumerate(games, 1):
        console.show(f"  {place}  {game.title:{width}}  {summary(game)}")
    console.show()

    def read(answer: str) -> Game:
        for place, game in enumerate(games, 1):
            if answer.casefold() in (str(place), game.key, game.title.casefold()):
                return game
        raise ValueError(f"{quoted(answer)} is not a game here. Enter 1 to {len(games)}.")

    return _ask(console, "Game [1]: ", "1", read)


def _choose_opponent(console: Console) -> str:
    console.show()
    for place, (word, player) in enumerate(OPPONENTS.items(), 1):
        how = "plays at this keyboard"
        if player != PERSON:
            how = how_it_plays(player)
        console.show(f"  {place}  {word:7}  {how}")
    console.show()

    def read(answer: str) -> str:
        for place, (word, player) in enumerate(OPPONENTS.items(), 1):
            if answer.casefold() in (str(place), word.casefold()):
                return player
        raise ValueError(f"{quoted(answer)} is not an opponent. Enter 1 to {len(OPPONENTS)}.")

    return _ask(console, "Opponent [Pip]: ", "Pip", read)


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
            raise ValueError(f"{quoted(answer)} is nobody here. Enter 1, 2 or random.")
        return first

    return _ask(console, "Who begins, player 1 (you), 2 or random [1]: ", "1", read)


def _ask(console: Console, prompt: str, usual: str, read: Callable[[str], Chosen]) -> Chosen:
    """Ask until `read` takes the answer; Enter is the usual answer."""
    while True:
        answer = console.ask(prompt).strip()
        if answer.casefold() == "quit":
            raise Left
        if answer.casefold() in ("?", "help"):
            console.show("Enter takes the answer in brackets; quit leaves.", fg="yellow")
            continue
        try:
            return read(answer or usual)
        except ValueError as error:
            console.show(str(error), fg="yellow")
