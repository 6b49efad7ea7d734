"""What a match looks like: text in a game's wording, or one JSON object per line."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from numduel.board import Board
from numduel.cli.console import Taken, Words, ask, ask_until, note
from numduel.cli.layout import paint, say, say_choice, show_large, show_picture, width_of
from numduel.cli.options import print_json
from numduel.errors import NumduelError
from numduel.match import DEFAULT_NAMES, Event, Series, TurnBegan, events
from numduel.wording import Wording, as_json, wording_for
from numduel.wording.rules import rule_in_short, titled, unusual_rule
from numduel.wording.text import typed_move

if TYPE_CHECKING:
    from numduel.study.maps import Map

WORDS = {
    "moves": "show the legal moves",
    "hint": "ask for a hint; ask again for more",
    "why": "say who wins from here, and why",
    "rules": "read the rules",
    "map": "show where you are, and where the traps are",
    "undo": "take back the last turn",
    "resign": "give up the match",
    "quit": "leave the match unfinished",
    "?": "show this help (or: help)",
}

MOST_OFFERED = 50
LONGEST_OFFERED = 18  # Tab offers moves if there are no more, and none is longer: two to a line


_STYLES: dict[type[Event], dict[str, Any]] = {
    events.Began: {"bold": True},
    TurnBegan: {"fg": "cyan", "bold": True},
    events.BadInput: {"fg": "yellow"},
    events.Moved: {"bold": True},
    events.Over: {"fg": "green", "bold": True},
}  # of a move and of an end, the last line: the new number, the winner


def offered_moves(board: Board) -> Iterator[str]:
    """The moves for Tab to complete, where they make a short list."""
    with suppress(NumduelError):
        moves = [typed_move(board, move) for move in islice(board.moves(), MOST_OFFERED + 1)]
        if len(moves) <= MOST_OFFERED and max(map(len, moves), default=0) <= LONGEST_OFFERED:
            yield from moves


def ask_about(
    board: Board, prompt: str, accept: Callable[[str], Taken], words: Words, help: str, *also: str
) -> Taken:
    """Ask about a board until the answer is taken. `moves`, `rules` and `?` are for every board.
    Tab offers these words and the moves, and `also` what else is an answer.
    """
    moves, rule = wording_for(board)(DEFAULT_NAMES).moves, "\n".join(rule_in_short(board))
    known: Words = {
        "moves": lambda: say("\n".join(moves(board))),
        "rules": partial(say, rule),
        **dict.fromkeys(("", "?", "help"), partial(say, f"{rule}\n{help}")),
        **words,
    }
    offers = [*filter(str.isalpha, known), *also, "quit"]
    return ask_until(lambda: ask(prompt, chain(offers, offered_moves(board))), accept, known)


def show_board(board: Board) -> None:
    for place, (game, value) in enumerate(board.numbers, 1):
        head = f"{place}: " if len(board.numbers) > 1 else ""
        say(f"  {head}{titled(game)} {value}")


def show_map(made: "Map", *way: int) -> None:
    """The map, and on it where a match stands, or all the way that it took."""
    from numduel.drawing.square import fitting_columns, square_lines

    columns = min(10, fitting_columns(made.cells, width_of(sys.stdout)))
    show_picture(square_lines(made.cells, columns, paint, way))


class TextScreen:
    """`tells` adds to the rulebooks' words what a newcomer needs: the rule, the number at large."""

    note = staticmethod(note)
    tell = staticmethod(say)
    map = staticmethod(show_map)

    def __init__(self, wording: Wording, tells: bool = False) -> None:
        self._wording, self._tells = wording, tells
        self._turn: TurnBegan | None = None
        self._before: Event | None = None

    def welcome(self, board: Board | None = None) -> None:
        """The rulebook's welcome; the rule of the board as well, for whoever is told more."""
        _show(self._wording.welcome, bold=True)
        if board and self._tells:
            _show(unusual_rule(board) or rule_in_short(board))

    def event(self, event: Event) -> None:
        words = self._wording
        if isinstance(event, TurnBegan):
            self._turn = event
            if self._before is None or isinstance(self._before, events.Undone):
                _show(words.reminder(event.board))
            if self._tells and words.persons[event.player] and len(event.board.numbers) == 1:
                show_large(event.board.numbers[0].value)
        self._before = event
        if isinstance(event, events.Moved) and self._turn and not words.persons[event.player]:
            say(words.prompt(self._turn) + typed_move(event.before, event.move))
        lines, style = words.lines(event), _STYLES.get(type(event), {})
        plain = len(lines) - 1 if isinstance(event, (events.Moved, events.Over)) else 0
        if isinstance(event, TurnBegan):
            style = style if words.persons[event.player] else {"dim": True}
        elif isinstance(event, events.Over) and words.who[1 - event.winner].is_you:
            style = {"fg": "red", "bold": True}
        _show(lines[:plain])
        _show(lines[plain:], **style)
        if isinstance(event, events.Began):
            _show(words.met() + ([] if self._tells else unusual_rule(event.setup.board)))

    def question(self, about: str, text: str, default: str, offers: Sequence[str] = ()) -> str:
        """The answer to a question before the match: about "start" or "first"."""
        return ask(text, offers)

    def move(self, turn: TurnBegan) -> str:
        offers = chain(filter(str.isalpha, WORDS), offered_moves(turn.board))
        return ask(self._wording.prompt(turn), offers)

    def help(self, turn: TurnBegan) -> None:
        _show([f"{self._wording.allowed_on(turn.board)}.", "Or type one of these words:"])
        for word, does in WORDS.items():
            say_choice(f"{word:7}", does)

    def moves(self, board: Board) -> None:
        _show(self._wording.moves(board))

    def tally(self, series: Series) -> None:
        names, wins = self._wording.names, series.wins
        score = f"{names[0]} {wins[0]}, {names[1]} {wins[1]}"
        say(f"\nTally after match {series.played} of {series.length}: {score}.")
        if series.winner is not None:
            say(f"{self._wording.who[series.winner]:win} the series!", fg="green", bold=True)
        else:
            say()


def _show(lines: Sequence[str], **style: Any) -> None:
    if lines:
        say("\n".join(lines), **style)


class JsonScreen:
    def __init__(self, wording: Wording, tells: bool = False) -> None:
        self._allowed_on = wording.allowed_on

    def welcome(self, board: Board | None = None) -> None:
        """Nothing: a program needs no welcome."""

    def event(self, event: Event) -> None:
        print_json(as_json(event))

    def question(self, about: str, text: str, default: str, offers: Sequence[str] = ()) -> str:
        print_json({"event": "question", "about": about, "default": default})
        return ask("", echo=False)

    def move(self, turn: TurnBegan) -> str:
        return ask("", echo=False)

    def note(self, text: str) -> None:
        print_json({"event": "note", "message": text})

    tell = note

    def help(self, turn: TurnBegan) -> None:
        message = f"{self._allowed_on(turn.board)}."
        print_json({"event": "help", "message": message, "commands": list(WORDS)})

    def moves(self, board: Board) -> None:
        first = [board.write_move(move) for move in islice(board.moves(), 1001)]
        complete = len(first) <= 1000
        print_json({"event": "moves", "moves": first[:1000], "complete": complete})

    def map(self, made: "Map", here: int, *_: int) -> None:
        lost = [cell.number for cell in made.cells if cell.lost]
        numbers = [cell.number for cell in made.cells]
        print_json({"event": "map", "here": here, "numbers": numbers, "lost": lost})

    def tally(self, series: Series) -> None:
        score = events.plain(("wins", "winner"), series)
        print_json({"event": "tally", "match": series.played, "of": series.length, **score})


Screen = TextScreen | JsonScreen
