"""One match of an arena, and what is kept of it: played to its end, or scored again."""

from collections import Counter
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from numduel.analysis import Judgement, judge, outcome
from numduel.arena.plan import Pairing
from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import IllegalMove, InvalidArgument, NumduelError, PlayerFailed
from numduel.players import Limits, Player, SeesMatch, Spent, View
from numduel.players.language import Kind, kind_of, read_answer
from numduel.running import ask
from numduel.wording import problem

FAULT = "fault"  # no answer at all, where an answer would be read
_COUNTED = {Kind.ILLEGAL: "illegal", Kind.UNREADABLE: "unreadable", FAULT: "faults"}
_Turn = dict[str, Any]
"""What a transcript tells of a turn besides board, move and verdict: how often a player was `asked`
and how its answers were read, what a model `used`, and whether a move was played `unasked`."""
Tally = Counter[str]


class End(StrEnum):
    NO_MOVE = "no-move"
    FORFEITED = "forfeited"
    TURN_LIMIT = "turn-limit"
    BUDGET = "budget"  # a model had its turns, or all it may use: the verdict decides


class Conduct(NamedTuple):
    moves: int = 0
    choices: int = 0  # turns with a win, and with a move that would throw it away
    kept: int = 0  # of these, the moves that kept the win
    unjudged: int = 0  # turns on boards that could not be solved
    unasked: int = 0  # moves played for a model without asking: there was no other
    illegal: int = 0  # answers that name a move which cannot be played
    unreadable: int = 0  # answers that name no move, or more than one
    faults: int = 0  # failures to answer at all: too late, ended, an error
    requests: int = 0  # from here on, what a model has used
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0


class Result(NamedTuple):
    """The match with this number: who won, and how both played, who began first."""

    number: int
    winner: int | None
    """0 when the player who began won, 1 when the other did; None where nobody can tell."""
    ending: End
    conduct: tuple[Conduct, Conduct]
    problem: str = ""  # what was wrong, in words, where the match was forfeited
    transcript: dict[str, Any] | None = None  # if asked for; not part of a line of results

    def fields(self) -> list[Any]:
        return [self.number, self.winner, self.ending, *map(list, self.conduct), self.problem]

    @classmethod
    def of(cls, fields: Any) -> "Result":
        """The result that `fields` gave. Raises `ValueError` or `TypeError` for anything else."""
        number, winner, ending, one, other, problem = fields
        good = winner in (0, 1, None) and isinstance(problem, str)
        for *counts, seconds in (one, other):
            good &= len(counts) + 1 == len(Conduct._fields) and type(seconds) in (int, float)
            good &= all(type(count) is int for count in (number, *counts))
        if not good:
            raise ValueError(fields)
        return cls(number, winner, End(ending), (Conduct(*one), Conduct(*other)), problem)


_judged = lru_cache(maxsize=100_000)(judge)


def play_match(
    pairing: Pairing, players: tuple[Player, Player], limits: Limits, told: bool = False
) -> Result:
    """Play one match to its end, whatever the players do.

    A player who gives no legal move, or cannot play at all, loses. Where a model plays, the limits
    end the match, too, and the verdict on the board names the winner. With `told`, the result has
    the transcript. Raises `PlayerFailed` where a model's key is refused.
    """
    score = Scorecard(pairing.number, pairing.board, told)
    bounded = any(isinstance(one, SeesMatch) and one.spent is not None for one in players)
    while not score.board.is_over:
        if bounded and len(score.moves) >= limits.turns:
            return score.result(End.TURN_LIMIT)
        if score.used[score.seat].exceeds(limits):
            return score.result(End.BUDGET)
        view = View(score.board, pairing.board, tuple(score.moves))
        move, turn, wrong = _take(players[score.seat], view, limits)
        score.count(move, turn)
        if move is None:
            return score.result(End.FORFEITED, wrong)
    return score.result(End.NO_MOVE)


@checked
def score_again(fields: Any) -> Result:
    """The result of a transcript, its answers read and its moves judged once more.

    Raises `NumduelError` for what is none, and where answers name other moves than were played.
    """
    try:
        score = Scorecard(fields["match"], Board.parse(fields["board"]), told=True)
        ending = End(fields["ending"])
        for turn in fields["turns"]:
            score.count(*_read_turn(turn, score.board))
        if score.board.is_over is not (ending is End.NO_MOVE):
            raise ValueError(ending)
        return score.result(ending, str(fields["problem"]))
    except (ValueError, TypeError, LookupError) as error:
        wanted = ("a line of a transcript",)
        raise InvalidArgument(name="fields", value=repr(error), expected=wanted) from error


class Scorecard:
    """A match as it goes: its board, what is counted, and its transcript."""

    def __init__(self, number: int, board: Board, told: bool = False) -> None:
        self.number, self.told = number, told
        self.start = self.board = board
        self.moves: list[Move | None] = []
        self.used = [Spent(), Spent()]
        self._tallies = (Tally(), Tally())
        self._turns: list[dict[str, Any]] = []

    @property
    def seat(self) -> int:
        return len(self.moves) % 2

    def count(self, move: Move | None, turn: _Turn) -> None:
        """Count a turn, and play its move."""
        tally, seat, board, verdict = self._tallies[self.seat], self.seat, self.board, None
        for entry in turn.get("asked", ()):
            if entry["reading"] != Kind.MOVE:
                tally[_COUNTED[entry["reading"]]] += 1
        tally["unasked"] += "unasked" in turn
        if "used" in turn:
            self.used[seat] = self.used[seat].plus(Spent(**turn["used"]))
        if move is not None:
            self.board = board.play(move)
            self.moves.append(move)
            verdict = _judged(board, self.board)
            tally["moves"] += 1
            tally["choices"] += verdict.had_choice
            tally["kept"] += verdict is Judgement.KEPT
            tally["unjudged"] += verdict is Judgement.UNKNOWN
        if self.told:
            written = None if move is None else board.write_move(move)
            began = {"player": seat + 1, "board": str(board), "move": written}
            self._turns.append(began | turn | {"verdict": verdict})

    def result(self, ending: End, wrong: str = "") -> Result:
        cut_short = ending in (End.TURN_LIMIT, End.BUDGET)
        wins = ending is End.NO_MOVE and self.board.misere
        told = outcome(self.board) if cut_short else "win" if wins else "loss"
        winner = {"win": self.seat, "loss": 1 - self.seat, None: None}[told]
        one, other = (
            Conduct(**tally, **used._asdict() | {"seconds": round(used.seconds, 3)})
            for tally, used in zip(self._tallies, self.used, strict=True)
        )
        result = Result(self.number, winner, ending, (one, other), wrong)
        if not self.told:
            return result
        fields = {"match": self.number, "board": str(self.start), "turns": self._turns,
                  "ending": ending, "winner": None if winner is None else winner + 1,
                  "problem": wrong}  # fmt: skip
        return result._replace(transcript=fields)


def _take(player: Player, view: View, limits: Limits) -> tuple[Move | None, _Turn, str]:
    """The player's turn: its move or None, what is told of it, and what was wrong, in words."""
    if not isinstance(player, SeesMatch):
        try:
            move = player.choose(view.board)
            view.board.play(move)
        except NumduelError as error:
            kind = Kind.ILLEGAL if isinstance(error, IllegalMove) else FAULT
            return None, {"asked": [{"reading": kind}]}, problem(error)
        return move, {}, ""
    before = player.spent
    if before is not None and not limits.ask_forced and (forced := only_move(view.board)):
        return forced, {"unasked": True}, ""
    turn = ask(player, view)
    for failed in turn.problems:
        if isinstance(failed, PlayerFailed) and failed.problem == "key":
            raise failed
    readings = [kind_of(error) or FAULT for error in turn.problems]
    exchanges = [each._asdict() for each in player.exchanges] or [{} for _ in readings]
    answers = zip(exchanges, [*readings, Kind.MOVE], strict=False)
    asked = [{**exchange, "reading": reading} for exchange, reading in answers]
    told: _Turn = {"asked": asked} if asked else {}
    if before is not None and player.spent is not None:
        used = player.spent.plus(before, -1)
        told["used"] = used._asdict() | {"seconds": round(used.seconds, 6)}
    return turn.move, told, problem(turn.problems[-1]) if turn.problems else ""


def only_move(board: Board) -> Move | None:
    """The one legal move; None where there are more, or where they cannot be listed."""
    with suppress(NumduelError):
        moves = list(islice(board.moves(), 2))
        return moves[0] if len(moves) == 1 else None
    return None


def _read_turn(fields: Any, board: Board) -> tuple[Move | None, _Turn]:
    move = None if fields["move"] is None else board.parse_move(fields["move"])
    turn = {name: fields[name] for name in ("asked", "used", "unasked") if name in fields}
    for entry in turn.get("asked", ()):
        if entry.get("answer") is not None:
            entry["reading"], read, _ = read_answer(entry["answer"], board)
            if entry["reading"] == Kind.MOVE and read != move:
                raise ValueError(entry["answer"])
    return move, turn
