"""A line protocol for programs, modelled on the Go Text Protocol.

A command is one line: an optional number, a word, arguments. The reply begins with `=` if it was
done and `?` if not, then the number if there was one, then text; a blank line ends it.

    board divisor-duel:60
    =

    1 genmove
    =1 2

What follows `#` is a comment; lines without a command are skipped.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice

from numduel.board import Board
from numduel.errors import NotAllowed, NumduelError
from numduel.players import Player
from numduel.solver import solve
from numduel.wording import problem

__all__ = ["Engine"]

PROTOCOL = 1
LISTED = 1000  # how many moves the command `legal` lists by default; `...` stands for the rest

_SHOWN = 10
_LINE = re.compile(r"(?:(\d+)\s+)?(\S+)\s*(.*)", re.ASCII)


class Refused(Exception):
    """A command that cannot be done; its text is the reply."""


class Engine:
    """Answers commands. Keeps the boards of one match, and moves as its player does."""

    def __init__(self, player: Player, name: str = "numduel", version: str = "") -> None:
        self._player, self._has_quit = player, False
        self._boards: list[Board] = []
        self._commands: dict[str, Callable[[str], str]] = {
            "protocol_version": lambda _: str(PROTOCOL),
            "name": lambda _: name,
            "version": lambda _: version,
            "list_commands": lambda _: "\n".join(self._commands),
            "known_command": lambda word: "true" if word in self._commands else "false",
            "board": self._set_board,
            "legal": self._legal,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "verdict": self._verdict,
            "quit": self._quit,
        }

    def replies(self, lines: Iterator[str]) -> Iterator[str]:
        """The reply to each line that has a command, until `quit`."""
        for line in lines:
            yield from filter(None, [self.reply(line)])
            if self._has_quit:
                return

    def reply(self, line: str) -> str | None:
        """The reply to one line, with its blank line; None for a line without a command."""
        text = "".join(c if c.isprintable() else " " for c in line.partition("#")[0])
        found = _LINE.fullmatch(text.strip())
        if not found:
            return None
        number = found[1] or ""
        try:
            if found[2] not in self._commands:
                raise Refused("unknown command")
            return f"={number} {self._commands[found[2]](found[3].strip())}".rstrip() + "\n\n"
        except (Refused, NumduelError) as error:
            said = problem(error) if isinstance(error, NumduelError) else error
            return f"?{number} {said}\n\n"

    @property
    def _board(self) -> Board:
        if not self._boards:
            raise Refused("no board; set one, like: board divisor-duel:60")
        return self._boards[-1]

    def _set_board(self, text: str) -> str:
        if not text:
            return str(self._board)
        self._boards = [Board.parse(text)]
        return ""

    def _legal(self, text: str) -> str:
        if text and not re.fullmatch("[0-9]{1,6}", text, re.ASCII):
            raise Refused("legal takes how many moves to list")
        count, board = int(text) if text else LISTED, self._board
        moves = [board.write_move(move) for move in islice(board.moves(), count + 1)]
        return " ".join([*moves[:count], "..."] if len(moves) > count else moves)

    def _play(self, text: str) -> str:
        if not text:
            raise Refused("play takes a move")
        board = self._going_on()
        self._boards.append(board.play(board.parse_move(text)))
        return ""

    def _genmove(self, _: str) -> str:
        board = self._going_on()
        move = self._player.choose(board)
        self._boards.append(board.play(move))
        return board.write_move(move)

    def _going_on(self) -> Board:
        if self._board.is_over:
            raise NotAllowed("match over")
        return self._board

    def _undo(self, _: str) -> str:
        if len(self._boards) < 2:
            raise NotAllowed("nothing to undo")
        self._boards.pop()
        return ""

    def _verdict(self, _: str) -> str:
        verdict = solve(self._board)
        moves, complete = verdict.first_moves(_SHOWN)
        written = [self._board.write_move(move) for move in moves]
        return " ".join([verdict.outcome, *written, *([] if complete else ["..."])])

    def _quit(self, _: str) -> str:
        self._has_quit = True
        return ""
