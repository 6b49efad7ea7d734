"""The menu: four questions, each with a default answer, and the match begins; or other doors."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, NoReturn

import click

from numduel.board import Board
from numduel.cli import alone, console, options
from numduel.cli.layout import say, say_choice
from numduel.cli.matches import DRAW, from_history, read_first, read_names, read_start
from numduel.cli.table import Table, run_match
from numduel.errors import NumduelError, Unanswerable
from numduel.games import Game, own, own_text
from numduel.match import DEFAULT_NAMES, Setup
from numduel.players import LADDER, PERSON, installed_words, make_player, next_rung
from numduel.program import typed
from numduel.solver import no_choice_matters
from numduel.study.duels import CALL
from numduel.wording import problem, quoted, summary
from numduel.wording.players import KINDS, computer_name, how_it_plays
from numduel.wording.rules import rule_in_short
from numduel.wording.text import counted

if TYPE_CHECKING:
    from numduel.store import Store

OPPONENTS = {"Friend": PERSON, **{computer_name(word): word for word in (*LADDER, "perfect")}}
BACK = "back"
MAKE = "make"
RESUME = "resume"
EXAMPLE = "subtract-1-3-4"
HELP = "Enter takes the answer in brackets; back goes to the games, quit leaves."

DOORS = {
    RESUME: ("continue your last match", ["resume"]),
    "daily": ("play the daily duel", ["puzzle", "--daily"]),
    "puzzle": ("solve puzzles", ["puzzle"]),
    "learn": ("learn the idea of a game, step by step", ["learn"]),
    "map": ("see the pattern behind a game", ["map"]),
    "rules": ("read the rules of a game", ["rules"]),
    "stats": ("see how you are doing", ["stats"]),
    "browser": ("play in the browser", ["serve", "--open"]),
    MAKE: ("make your own: say what a turn may do", []),
}  # where else the first question leads: the word, what it does, and its command
OF_A_GAME = ("learn", "map", "rules")


class _Back(Exception):
    """The person wants to go back to the first question."""


def run_menu() -> NoReturn:
    """Ask, play, and offer another match until the person leaves."""
    while True:
        table = _lay_table()
        say()
        while table is not None:
            run_match(table)
            say()
            table = _ask_what_next(table)
        say()


def _ask_what_next(table: Table) -> Table | None:
    """The table again, where the other player begins now, or the next opponent; None: the menu."""
    climbs = table.won and not no_choice_matters(table.setup.board)
    rung = next_rung(table.words[1]) if climbs else None
    now = f"to meet {computer_name(rung)}, again for this one" if rung else "to play again"
    question = f"Enter {now}, analyse to look back, menu for another game, or quit: "
    look_back = partial(_look_back, table, retries=False)
    answer = console.ask_until(
        partial(console.ask, question, ("again", "analyse", "retry", "menu", "quit")),
        console.one_of({"": rung, "again": None, "menu": BACK, BACK: BACK}),
        {**dict.fromkeys(("analyse", "analyze"), look_back), "retry": partial(_look_back, table)},
    )
    if answer == BACK:
        return None
    if answer is not None:
        return replace(table, words=(PERSON, answer), wins=[0, 0])
    table.setup = table.setup.beginning_with(1 - table.setup.first)
    names, who, wins = table.wording.names, table.wording.who[table.setup.first], table.wins
    begins = f"{who.inside} {who.form('begin', 'begins')}"
    say(f"\nScore: {names[0]} {wins[0]}, {names[1]} {wins[1]}. Now {begins}.", bold=True)
    return table


def _look_back(table: Table, retries: bool = True) -> None:
    from numduel.cli.analyse import lay_retry, show_analysis

    if table.last is None or not table.last.turns:
        console.note("Nobody has moved, so there is nothing to look back at.")
        return
    if (judged := alone.judgement(table)) is None:
        return
    again = lay_retry(table.last, judged) if retries else None
    say()
    if again:
        run_match(again)
    else:
        show_analysis(table.last, judged)
        if judged.turning_point is not None:
            say("Type retry to play on from there against the perfect player.")
    say()


def _lay_table() -> Table | None:
    """What was chosen to play; None if somebody went elsewhere."""
    games = {game.title: game for game in options.known_games()}
    keys = {game.key: game for game in games.values()}
    say("numduel: two players, one number, a rule for making it smaller.\n", bold=True)
    _list({title: summary(game) for title, game in games.items()})
    resumes = from_history(lambda store: store.matches(limit=1, unfinished=True))
    doors = [word for word in DOORS if word != RESUME or resumes]
    days = alone.days_in_a_row(alone.kept_answers())
    row = f" ({counted(days, 'day')} in a row)" if days else ""
    for word in doors:
        say_choice(f"{word:8}", DOORS[word][0] + row * (word == "daily"))
    say_choice("quit    ", "leave\n")

    def read(answer: str) -> tuple[Board, bool]:
        if game := _picked(answer, games) or keys.get(answer.casefold()):
            return Board.of(game, game.default_start), False
        if ":" in answer or own_text.is_rule(own_text.in_grammar(answer)):
            return _read_rule(answer)
        said = f"{quoted(answer)} is not a game here. Enter 1 to {len(games)}, or one of the words."
        raise Unanswerable(message=said)

    def read_or_make(answer: str) -> tuple[Board, bool]:
        if answer.casefold() != MAKE:
            return read(answer)
        made = _ask("Your rule, like halve-or-subtract-1", EXAMPLE, _read_rule)
        say(" ".join(rule_in_short(made[0])))
        return made

    def go(door: str) -> None:
        about = [_ask("About which game", "1", read, keys)] if door in OF_A_GAME else []
        _lead_on([*DOORS[door][1], *(board.numbers[0].game.key for board, _ in about)])
        raise _Back

    words = {door: partial(go, door) for door in DOORS if door != MAKE}
    words["continue"] = words[RESUME]
    try:
        return _lay_table_for(*_ask("Game", "1", read_or_make, (*keys, *doors), words))
    except _Back:
        return None


def _lay_table_for(board: Board, has_start: bool) -> Table:
    """Ask for all that is still open: against whom, from where, who begins, and names."""
    opponent, draws = _choose_opponent(board), False
    if not has_start:
        game, number = board.numbers[0]
        usual = str(number) if opponent == PERSON else DRAW
        start = _ask("Starting number", usual, partial(_read_start, game, set()), (DRAW,))
        draws, board = start is None, board if start is None else Board.of(game, start)
    allowed = ("1", "2", "random")
    read_seat = partial(read_first, names=DEFAULT_NAMES, random=Random(), allowed=allowed)
    first = _ask("Who begins, player 1 (you), 2 or random", "1", read_seat, allowed)
    names = DEFAULT_NAMES
    if opponent == PERSON:
        names = _ask("Your names, with a comma between", ", ".join(names), read_names)
    setup, words = Setup(board, names, first), (PERSON, opponent)
    return Table(setup, words, saves=True, draws=draws, from_menu=True)


def _read_start(game: Game, warned: set[int], answer: str) -> int | None:
    """A start; None where it is to be drawn. One without a move has to be entered twice."""
    if answer.casefold() == DRAW:
        return None
    start = read_start(game, answer)
    if Board.of(game, start).is_over and start not in warned:
        warned.add(start)
        said = f"Nobody can move from {start}, so whoever begins loses at once."
        raise Unanswerable(message=f"{said} Enter it again to play it all the same.")
    return start


def _lead_on(arguments: list[str]) -> None:
    say()
    try:
        command = click.get_current_context().find_root().command
        command.main(arguments, prog_name=typed(), standalone_mode=False)
    except NumduelError as error:
        console.note(problem(error))
    except click.ClickException as error:
        console.note(error.format_message())
    say()
    console.ask_until(partial(console.ask, "Press Enter for the menu: "), str, {})


def _read_rule(answer: str) -> tuple[Board, bool]:
    """A rule in any words, perhaps with its start; or any board. Has it a start of its own?"""
    if ":" in answer:
        return options.read_board(answer), True
    game = own.own_rule(own_text.in_grammar(answer))
    return Board.of(game, game.default_start), False


def _beaten(store: "Store") -> list[tuple[str, str]]:
    """The games and the players that a person has beaten in them, lately."""
    from numduel.store import is_whole

    records = [kept.record for kept in store.matches(limit=200) if is_whole(kept)]
    return [
        (one.setup.board.numbers[0].game.key, one.players[1 - one.winner])
        for one in records
        if one.winner is not None and one.players[one.winner] == PERSON
    ]


def _choose_opponent(board: Board) -> str:
    """Offers the first of the ladder who was not beaten in this game; no ladder in a call."""
    key, calls = board.numbers[0].game.key, no_choice_matters(board)
    how = {PERSON: "plays at this keyboard", **{word: how_it_plays(word) for word in KINDS}}
    opponents = OPPONENTS | {word: word for word in installed_words() if word not in OPPONENTS}
    if calls:
        opponents = {name: word for name, word in OPPONENTS.items() if word in (PERSON, CALL)}
        how[CALL] = "plays along: call who will win"
    beaten = {player for game, player in from_history(_beaten) if game == key}
    usual = CALL if calls else next((word for word in LADDER if word not in beaten), LADDER[-1])
    say()
    _list({name: how.get(word, "comes with an installed package") + " (beaten)" * (word in beaten)
           for name, word in opponents.items()})  # fmt: skip

    def read(answer: str) -> str:
        word = _picked(answer, opponents)
        if word is None:
            said = f"{quoted(answer)} is not an opponent. Enter 1 to {len(opponents)}."
            raise Unanswerable(message=said)
        make_player(word, Random())  # an installed one may be broken
        return word

    return _ask("Opponent", computer_name(usual), read, opponents)


def _list(choices: Mapping[str, str]) -> None:
    width = max(map(len, choices))
    for place, (name, said) in enumerate(choices.items(), 1):
        say_choice(f"{place}  {name:{width}}", said)
    say()


def _picked(answer: str, choices: Mapping[str, console.Taken]) -> console.Taken | None:
    for place, (name, choice) in enumerate(choices.items(), 1):
        if answer.casefold() in (str(place), name.casefold()):
            return choice
    return None


def _ask(
    about: str, usual: str, read: Callable[[str], console.Taken], offers: Iterable[str] = (),
    words: console.Words | None = None,
) -> console.Taken:  # fmt: skip
    """Ask until `read` takes the answer; Enter is the usual one, which stands in brackets."""

    def go_back() -> None:
        raise _Back

    helps = dict.fromkeys(("?", "help"), partial(console.note, HELP))
    known: console.Words = {BACK: go_back, **helps, **(words or {})}
    question = partial(console.ask, f"{about} [{usual}]: ", (*offers, BACK, "help", "quit"))
    return console.ask_until(question, lambda answer: read(answer or usual), known)
