"""A Model Context Protocol server: tools with which a language model plays and asks.

`numduel mcp` runs it on standard input and output. It keeps matches in memory.
"""

from functools import wraps
from inspect import getdoc
from itertools import islice
from random import Random
from typing import Annotated, Any

from numduel.extras import require

require("mcp", "mcp")

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import numduel
from numduel.board import Board
from numduel.errors import InvalidSetup, NotAllowed, NumduelError
from numduel.games import all_games, load
from numduel.match import Record, Referee, Setup
from numduel.players import COMPUTERS, Player, make_computer
from numduel.solver import solve
from numduel.wording import problem, rules, summary
from numduel.wording.players import how_it_plays

__all__ = ["make_server"]

MOST_MATCHES = 1000  # beyond this the oldest match is forgotten

_LISTED = 200
_OPPONENTS = {word: how_it_plays(word) for word in COMPUTERS} | {"none": "you play both sides"}
_INSTRUCTIONS = (
    "Number duels: two players, one shared number, a rule for making it smaller. Start a match "
    "with start_match, then play. A board is written like divisor-duel:60. Numbers are texts of "
    "decimal digits, at any size; a move may be a number, too."
)

TypedMove = Annotated[int, Field(strict=True)] | str
Opponent = Annotated[
    str, Field(description="; ".join(f"{word}: {how}" for word, how in _OPPONENTS.items()))
]


class Matches:
    def __init__(self, seed: int | None, answers: bool) -> None:
        self._random, self._answers = Random(seed), answers
        self._matches: dict[int, tuple[Referee, Player | None]] = {}
        self._count = 0

    def list_games(self) -> list[dict[str, Any]]:
        """The games, with their keys, rules, default starts and variants."""
        return [
            {"key": game.key, "title": game.title, "summary": summary(game),
             "rules": "\n".join(rules(game)), "start": str(game.default_start),
             "variants": {name: list(values) for name, values in game.variants.items()}}
            for game in all_games()
        ]  # fmt: skip

    def start_match(
        self, board: str, opponent: Opponent = "perfect", you_begin: bool = True
    ) -> dict[str, Any]:
        """Start a match on a board like divisor-duel:60, or on a game's default start.

        Returns the match's number, which the other tools take.
        """
        for number, (earlier, _) in self._matches.items():
            if not self._answers and not earlier.over:  # it would show how the opponent plays
                raise ToolError(f"Match {number} is not over yet. Finish it first.")
        text = board.strip().lower()
        if ":" not in text:
            text = str(Board.of(load(text), load(text).default_start))
        if opponent not in _OPPONENTS:
            raise InvalidSetup("unknown player", text=opponent, known=[*_OPPONENTS])
        player = None if opponent == "none" else make_computer(opponent, self._random)
        referee = Referee(Setup(Board.parse(text), ("You", "Opponent"), 0 if you_begin else 1))
        referee.begin()
        self._count += 1
        self._matches[self._count] = (referee, player)
        if len(self._matches) > MOST_MATCHES:
            del self._matches[min(self._matches)]
        return self._state(self._count, self._reply(self._count))

    def legal_moves(self, match: int) -> dict[str, Any]:
        """The legal moves of the match; at most 200 of them, smallest first."""
        board = self._match(match)[0].board
        moves = [board.write_move(move) for move in islice(board.moves(), _LISTED + 1)]
        return {"moves": moves[:_LISTED], "complete": len(moves) <= _LISTED}

    def play(self, match: int, move: TypedMove) -> dict[str, Any]:
        """Play a move, like 15 or "2:15"; the opponent's answer comes back with the new board."""
        referee, _ = self._match(match)
        if referee.over:
            raise NotAllowed("match over")
        referee.play(referee.board.parse_move(str(move)))
        return self._state(match, self._reply(match))

    def show_match(self, match: int) -> dict[str, Any]:
        """The board of a match, whose turn it is, and the moves so far."""
        return self._state(match, None)

    def verdict(self, board: str) -> dict[str, Any]:
        """What perfect play makes of a board: who wins, the winning moves, how that is known."""
        told = solve(Board.parse(board.strip().lower())).as_dict(10)
        return {name: told[name] for name in told if name not in ("misere", "grundy")}

    def _match(self, match: int) -> tuple[Referee, Player | None]:
        if match not in self._matches:
            raise ToolError(f"There is no match {match}. Start one with start_match.")
        return self._matches[match]

    def _reply(self, match: int) -> str | None:
        referee, player = self._match(match)
        if player is None or referee.over or referee.player == 0:
            return None
        board, move = referee.board, player.choose(referee.board)
        referee.play(move)
        return board.write_move(move)

    def _state(self, match: int, reply: str | None) -> dict[str, Any]:
        referee, _ = self._match(match)
        names = referee.setup.names
        turns = zip(referee.turns, Record.of(referee).moves, strict=True)
        return {
            "match": match, "board": str(referee.board), "opponent_played": reply,
            "turn": None if referee.over else names[referee.player],
            "winner": names[referee.over.winner] if referee.over else None,
            "moves": [f"{names[turn.player]}: {move}" for turn, move in turns],
        }  # fmt: skip


def make_server(seed: int | None = None, answers: bool = True) -> MCPServer[Any]:
    """Without `answers`, a model is measured: it has no verdicts, and one match at a time."""
    server: MCPServer[Any] = MCPServer(
        "numduel", instructions=_INSTRUCTIONS, version=numduel.__version__, log_level="ERROR"
    )
    matches = Matches(seed, answers)
    tools = [matches.list_games, matches.start_match, matches.legal_moves, matches.play]
    for method in (*tools, matches.show_match, *([matches.verdict] if answers else [])):
        server.add_tool(_worded(method), description=getdoc(method))
    return server


def _worded(method: Any) -> Any:

    @wraps(method)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return method(*arguments, **named)
        except NumduelError as error:
            raise ToolError(problem(error)) from error

    return call
