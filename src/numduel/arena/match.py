"""One match of an arena: played to its end, whatever the players do, or scored again."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from numduel.analysis import outcome
from numduel.arena.plan import Pairing
from numduel.arena.result import Conduct, End, Result, Tally, count_move
from numduel.board import Board, Move
from numduel.errors import IllegalMove, NumduelError, PlayerFailed
from numduel.players import Exchange, Limits, Player, SeesMatch, Spent, View
from numduel.players.reading import Kind, kind_of, read_answer
from numduel.running import ask
from numduel.wording import problem

FAULT = "fault"
"""No answer at all, where an answer would be read."""
_COUNTED = {Kind.ILLEGAL: "illegal", Kind.UNREADABLE: "unreadable", FAULT: "faults"}


class _Taken(NamedTuple):
    """A turn: the move, and how the answers before it were read."""

    move: Move | None
    """None when the match is forfeited."""
    refused: tuple[str, ...] = ()
    wrong: str = ""
    """What was wrong with the last answer, in words."""
    exchanges: tuple[Exchange, ...] = ()
    used: Spent = Spent()
    unasked: bool = False


def play_match(
    pairing: Pairing,
    players: tuple[Player, Player],
    random: Random,
    seed: int,
    limits: Limits,
    told: bool = False,
) -> Result:
    """Play one match to its end, whatever the players do.

    `random` is what the players draw from; it is seeded for this very match. A player who
    gives no legal move, or cannot play at all, loses. Where a model plays, the limits end the
    match, too, and the verdict on the board names the winner. With `told`, the result has the
    transcript. Raises `PlayerFailed` where a model's key is refused.
    """
    random.seed(f"{seed}/{pairing.number}")
    score = _Score(pairing.number, pairing.board, told)
    bounded = any(_is_model(player) for player in players)
    while not score.board.is_over:
        if bounded and len(score.moves) >= limits.turns:
            return score.result(End.TURN_LIMIT)
        if score.used[score.seat].exceeds(limits):
            return score.result(End.BUDGET)
        view = View(score.board, pairing.board, tuple(score.moves))
        taken = _take(players[score.seat], view, limits)
        score.count(taken)
        if taken.move is None:
            return score.result(End.FORFEITED, taken.wrong)
    return score.result(End.NO_MOVE)


def score_again(fields: Any) -> Result:
    """The result of a transcript: its answers are read and its moves judged once more.

    Raises `ValueError`, `TypeError`, `LookupError` or `NumduelError` for what is none, and for
    answers that are read as other moves than were played.
    """
    score = _Score(fields["match"], Board.parse(fields["board"]), told=True)
    ending = End(fields["ending"])
    for turn in fields["turns"]:
        score.count(_read_turn(turn, score.board))
    if score.board.is_over is not (ending is End.NO_MOVE):
        raise ValueError(ending)
    return score.result(ending, str(fields["problem"]))


class _Score:
    """A match as it goes: its board, what is counted, and its transcript."""

    def __init__(self, number: int, board: Board, told: bool) -> None:
        self.number = number
        self.told = told
        self.start = self.board = board
        self.moves: list[Move | None] = []
        self.used = [Spent(), Spent()]
        self._tallies = (Tally(), Tally())
        self._turns: list[dict[str, Any]] = []

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return len(self.moves) % 2

    def count(self, taken: _Taken) -> None:
        """Count a turn, and play its move."""
        tally, seat, verdict = self._tallies[self.seat], self.seat, None
        for kind in taken.refused:
            tally[_COUNTED[kind]] += 1
        tally["unasked"] += taken.unasked
        self.used[seat] = self.used[seat].plus(taken.used)
        board = self.board
        if taken.move is not None:
            self.board = board.play(taken.move)
            self.moves.append(taken.move)
            verdict = count_move(tally, board, self.board)
        if self.told:
            self._turns.append(_turn_fields(seat, board, taken, verdict))

    def result(self, ending: End, wrong: str = "") -> Result:
        """The result of the match, which ends so."""
        winner = winner_of(self.board, self.seat, ending)
        one, other = (
            Conduct(**tally, **used._asdict() | {"seconds": round(used.seconds, 3)})
            for tally, used in zip(self._tallies, self.used, strict=True)
        )
        found = Result(self.number, winner, ending, (one, other), wrong)
        if not self.told:
            return found
        fields = {"match": self.number, "board": str(self.start), "turns": self._turns,
                  "ending": ending, "winner": None if winner is None else winner + 1,
                  "problem": wrong}  # fmt: skip
        return found._replace(transcript=fields)


def winner_of(board: Board, seat: int, ending: End) -> int | None:
    """Who wins where `seat` is to move and the match ends so; None where that cannot be told."""
    if ending in (End.TURN_LIMIT, End.BUDGET):
        return {"win": seat, "loss": 1 - seat, None: None}[outcome(board)]
    return seat if ending is End.NO_MOVE and board.misere else 1 - seat


def _is_model(player: Player) -> bool:
    return isinstance(player, SeesMatch) and player.spent is not None


def _take(player: Player, view: View, limits: Limits) -> _Taken:
    """The player's turn."""
    if not isinstance(player, SeesMatch):
        try:
            move = player.choose(view.board)
            view.board.play(move)
        except NumduelError as error:
            kind = Kind.ILLEGAL if isinstance(error, IllegalMove) else FAULT
            return _Taken(None, (kind,), problem(error))
        return _Taken(move)
    before = player.spent
    if before is not None and not limits.ask_forced:
        forced = only_move(view.board)
        if forced is not None:
            return _Taken(forced, unasked=True)
    turn = ask(player, view)
    for failed in turn.problems:
        if isinstance(failed, PlayerFailed) and failed.problem == "key":
            raise failed
    used = Spent()
    if before is not None and player.spent is not None:
        used = player.spent.plus(before, -1)
        used = used._replace(seconds=round(used.seconds, 3))
    refused = tuple(kind_of(error) or FAULT for error in turn.problems)
    wrong = problem(turn.problems[-1]) if turn.problems else ""
    return _Taken(turn.move, refused, wrong, tuple(player.exchanges), used)


def only_move(board: Board) -> Move | None:
    """The one legal move; None where there are more, or where they cannot be listed."""
    with suppress(NumduelError):
        moves = list(islice(board.moves(), 2))
        return moves[0] if len(moves) == 1 else None
    return None


def _turn_fields(seat: int, board: Board, taken: _Taken, verdict: str | None) -> dict[str, Any]:
    """A turn as plain values, for a transcript."""
    move = None if taken.move is None else board.write_move(taken.move)
    fields: dict[str, Any] = {"player": seat + 1, "board": str(board), "move": move}
    readings = [*taken.refused, *([Kind.MOVE] if taken.move is not None else [])]
    if taken.exchanges:
        fields["asked"] = [
            {**exchange._asdict(), "reading": reading}
            for exchange, reading in zip(taken.exchanges, readings, strict=False)
        ]
        fields["used"] = taken.used._asdict()
    elif taken.refused:
        fields["asked"] = [{"reading": reading} for reading in taken.refused]
    if taken.unasked:
        fields["unasked"] = True
    return fields | {"verdict": verdict}


def _read_turn(fields: Any, board: Board) -> _Taken:
    """The turn of a transcript, its answers read once more."""
    move = None if fields["move"] is None else board.parse_move(fields["move"])
    asked = fields.get("asked", [])
    refused: list[str] = []
    exchanges = []
    for entry in asked:
        kind, read = entry["reading"], move
        if entry.get("answer") is not None:
            kind, read, _ = read_answer(entry["answer"], board)
        if kind == Kind.MOVE and read != move:
            raise ValueError(entry["answer"])
        if kind != Kind.MOVE:
            refused.append(kind)
        if "prompt" in entry:
            exchanges.append(Exchange(entry["prompt"], entry["answer"]))
    used = Spent(**fields["used"]) if "used" in fields else Spent()
    return _Taken(move, tuple(refused), "", tuple(exchanges), used, "unasked" in fields)
