"""The menu: four questions, each with a default answer, and the match begins; or other doors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from random import Random

import click

from numduel.board import Board
from numduel.cli.console import Console, EndOfInput, Left, Refused, Taken, Words, one_of
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

OPPONENTS = {
    "Friend": PERSON,
    **{computer_name(word): word for word in LADDER},
    "Perfect": "perfect",
}

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
"""Those that are about one game, which is asked for."""


class _Back(Exception):
    """The person wants to go back to the first question."""


def run_menu() -> int:
    """Ask, play, and offer another match until the person leaves; gives the exit code."""
    console = Console()
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
                table.setup = table.setup.beginning_with(1 - table.setup.first)
                names = table.wording.names
                score = f"{names[0]} {wins[0]}, {names[1]} {wins[1]}"
                who = table.wording.who[table.setup.first]
                begins = f"{who.inside} {who.form('begin', 'begins')}"
                console.show(f"\nScore: {score}. Now {begins}.", bold=True)
            console.show()
    except (Left, EndOfInput):
        return 0


def _play_and_ask_again(console: Console, table: Table, best_of: int) -> bool:
    """True for another match with the other player beginning, False for the menu."""
    _play(console, table, best_of)
    answers = {"": True, "again": True, "menu": False, BACK: False}
    look_back = partial(_analyse, console, table)
    return console.ask_until(
        "Enter to play again, analyse to look back, menu for another game, or quit: ",
        one_of(answers),
        {"analyse": look_back, "analyze": look_back, "retry": partial(_retry, console, table)},
        lambda: ("again", "analyse", "retry", "menu", "quit"),
    )


def _analyse(console: Console, table: Table) -> None:
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
    from numduel.cli.analyse import lay_retry

    if table.last is not None:
        again = lay_retry(table.last, analyse(table.last))
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
    console.show("numduel: two players, one number, a rule for making it smaller.\n", bold=True)
    width = max(len(game.title) for game in games)
    for place, game in enumerate(games, 1):
        console.show(f"  {place}  {game.title:{width}}  {summary(game)}")
    console.show()
    console.flush()  # the history takes a moment to load
    doors = _open_doors()
    for word in doors:
        console.show(f"  {word:8}  {DOORS[word]}")
    console.show(f"  {MAKE:8}  make your own: say what a turn may do")
    console.show("  quit      leave\n")

    def read(answer: str) -> Game | Board:
        for place, game in enumerate(games, 1):
            if answer.casefold() in (str(place), game.key, game.title.casefold()):
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
        chosen = _ask(console, "Game [1]: ", "1", read_any, (*keys, *doors, MAKE))
        if chosen == MAKE:
            chosen = _ask(console, RULE, EXAMPLE, _read_rule)
            board = chosen if isinstance(chosen, Board) else Board.of(chosen, chosen.default_start)
            console.show(" ".join(rule_in_short(board)))
        if isinstance(chosen, str):
            about = None
            if chosen in OF_A_GAME:
                about = _ask(console, "About which game [1]: ", "1", read, keys)
            _lead_on(console, chosen, about.numbers[0].game if isinstance(about, Board) else about)
            return None
        opponent = _choose_opponent(console)
        if isinstance(chosen, Game):
            usual = str(chosen.default_start)
            start = partial(read_start, chosen)
            chosen = Board.of(chosen, _ask(console, f"Starting number [{usual}]: ", usual, start))
        question = "Who begins, player 1 (you), 2 or random [1]: "
        allowed = ("1", "2", "random")
        read_seat = partial(read_first, names=DEFAULT_NAMES, random=Random(), allowed=allowed)
        first = _ask(console, question, "1", read_seat, allowed)
        names, best_of = DEFAULT_NAMES, 1
        if opponent == PERSON:
            usual = ", ".join(DEFAULT_NAMES)
            question = f"Your names, with a comma between [{usual}]: "
            names = _ask(console, question, usual, _read_names)
            best_of = _ask(console, "One match, or best of how many [1]: ", "1", _read_length)
    except _Back:
        return None
    return Table(Setup(chosen, names, first), (PERSON, opponent), saves=True), best_of


def _open_doors() -> list[str]:
    """The words of those that lead somewhere now."""
    try:
        with open_history() as store:
            unfinished = store.matches(limit=1, unfinished=True)
    except StoreError:
        unfinished = []
    return [word for word in DOORS if word != RESUME or unfinished]


def _lead_on(console: Console, word: str, game: Game | None) -> None:
    """Run the command of this word, perhaps about a game, then come back."""
    arguments = ["serve", "--open"] if word == "browser" else [word]
    arguments += [game.key] if game else []
    console.show()
    console.flush()
    try:
        command = click.get_current_context().find_root().command
        command.main(arguments, prog_name=typed(), standalone_mode=False)
    except NumduelError as error:
        console.note(problem(error))
    except click.ClickException as error:
        console.note(error.format_message())
    console.show()
    console.ask_until("Press Enter for the menu: ", str, {})


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


def _choose_opponent(console: Console) -> str:
    others = installed_words()
    opponents = OPPONENTS | {word: word for word in others if word not in OPPONENTS}
    console.show()
    for place, (name, word) in enumerate(opponents.items(), 1):
        how = "plays at this keyboard"
        if word != PERSON:
            how = "comes with an installed package" if word in others else how_it_plays(word)
        console.show(f"  {place}  {name:7}  {how}")
    console.show()

    def read(answer: str) -> str:
        for place, (name, word) in enumerate(opponents.items(), 1):
            if answer.casefold() in (str(place), name.casefold()):
                make_player(word, Random())  # an installed one may be broken
                return word
        raise Refused(f"{quoted(answer)} is not an opponent. Enter 1 to {len(opponents)}.")

    return _ask(console, "Opponent [Pip]: ", "Pip", read, opponents)


def _ask(
    console: Console,
    prompt: str,
    usual: str,
    read: Callable[[str], Taken],
    offers: Iterable[str] = (),
) -> Taken:
    """Ask until `read` takes the answer; Enter is the default answer."""

    def go_back() -> None:
        raise _Back

    helps = partial(console.note, HELP)
    words: Words = {BACK: go_back, "?": helps, "help": helps}
    offered = (*offers, BACK, "help", "quit")
    return console.ask_until(prompt, lambda answer: read(answer or usual), words, lambda: offered)
