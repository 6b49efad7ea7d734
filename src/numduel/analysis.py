"""Where a match was decided: each turn with its verdict, the wins thrown away, accuracy."""

from dataclasses import dataclass
from enum import StrEnum

from typing_extensions import TypedDict

from numduel.board import Board, Move
from numduel.errors import TooLarge
from numduel.match import Ending, Record
from numduel.match.events import PlayerNumber, facts
from numduel.solver import no_choice_matters, solve


class Judgement(StrEnum):
    """What a turn did to the chances of the player who took it."""

    KEPT = "kept"
    """A win was kept, where another move would have thrown it away."""
    MISTAKE = "mistake"
    """A win was thrown away."""
    WON = "won"
    """Every move wins here."""
    LOST = "lost"
    """Every move loses here."""
    TURN_LOST = "turn-lost"
    """The turn was lost, and a win with it."""
    SPARED = "spared"
    """The turn was lost where every move loses: now the other player has to move there."""
    UNKNOWN = "unknown"
    """The board is too large to judge."""

    @property
    def had_choice(self) -> bool:
        """Every share of wins kept is taken of these turns. A pass is none: nobody chooses it."""
        return self in (Judgement.KEPT, Judgement.MISTAKE)


_STEADY = {Judgement.KEPT, Judgement.WON, Judgement.LOST}


@dataclass(frozen=True, slots=True)
class Judged:
    """A turn and its verdict. Both outcomes are for the player who took the turn.

    `move` is None for a pass. `best` is a move that keeps the win: the move played if it does, else
    the one that is named, or None. Outcomes are None where the board is too large to solve.
    """

    turn: int
    player: int
    move: Move | None
    board: Board
    outcome_before: str | None
    outcome_after: str | None
    best: Move | None
    judgement: Judgement

    @property
    def mistake(self) -> bool:
        return self.judgement in (Judgement.MISTAKE, Judgement.TURN_LOST)

    @property
    def written(self) -> str:
        return "pass" if self.move is None else self.board.write_move(self.move)


@dataclass(frozen=True, slots=True)
class Analysis:
    board: Board
    """The board at the start."""
    names: tuple[str, str]
    winner: int | None
    ending: Ending | None
    given_up: int | None
    """The player who resigned, forfeited or overshot while winning."""
    moves: tuple[Judged, ...]

    @property
    def turning_point(self) -> Judged | None:
        return next((judged for judged in self.moves if judged.mistake), None)

    @property
    def always_ahead(self) -> int | None:
        """The player who was winning at every turn; None where that changed, or is not known."""
        if not self.moves or any(judged.judgement not in _STEADY for judged in self.moves):
            return None
        first = self.moves[0]
        return first.player if first.outcome_before == "win" else 1 - first.player

    @property
    def no_choice(self) -> bool:
        return no_choice_matters(self.board)

    def kept(self, player: int) -> tuple[int, int]:
        """Wins kept by the player, and the positions where there was something to keep."""
        own = [judged.judgement for judged in self.moves if judged.player == player]
        return own.count(Judgement.KEPT), sum(judgement.had_choice for judgement in own)

    def accuracy(self, player: int) -> float | None:
        """The share of wins kept; None where there was nothing to keep."""
        kept, of = self.kept(player)
        return kept / of if of else None


def outcome(board: Board) -> str | None:
    """Does the player to move "win" or have a "loss"? None where the board is too large."""
    try:
        return solve(board).outcome
    except TooLarge:
        return None


def judge(board: Board, after: Board) -> Judgement:
    """What a move from one board to the other did to the chances of whoever played it."""
    return _judgement(board, outcome(board), outcome(after))


def analyse(record: Record) -> Analysis:
    """Judge every turn of the match. Raises the error of a record that breaks the rules."""
    setup = record.setup
    board, before = setup.board, outcome(setup.board)
    moves: list[Judged] = []
    for turn, move in enumerate(record.turns):
        left = board if move is None else board.play(move)
        replied = outcome(left)
        judgement = _judgement(board, before, replied, passed=move is None)
        best = None
        if before == "win":
            best = move if replied == "loss" else solve(board).named_move
        player, after = (setup.first + turn) % 2, _ENDS[replied]
        moves.append(Judged(turn + 1, player, move, board, before, after, best, judgement))
        board, before = left, replied
    ended = (record.winner, record.ending, _given_up(record, before))
    return Analysis(setup.board, setup.names, *ended, tuple(moves))


_ENDS = {"win": "loss", "loss": "win", None: None}
"""What the reply's outcome is for the player who moved."""


def _judgement(
    board: Board, before: str | None, replied: str | None, passed: bool = False
) -> Judgement:
    if before == "loss":
        return Judgement.SPARED if passed else Judgement.LOST
    if before is None or replied is None:
        return Judgement.UNKNOWN
    if replied == "win":
        return Judgement.TURN_LOST if passed else Judgement.MISTAKE
    return _KEPT[_can_fail(board)]


_KEPT = {True: Judgement.KEPT, False: Judgement.WON, None: Judgement.UNKNOWN}


def _can_fail(board: Board) -> bool | None:
    """Is there a legal move that throws the win away? None where not all moves can be judged."""
    if no_choice_matters(board):
        return False
    judged = True
    # One is found soon, but for few moves and for rules that name their amounts, 1,000 at most.
    for place, (game, n) in enumerate(board.numbers):
        try:
            for amount in game.moves(n):
                left = outcome(board.play(Move(place, amount)))
                if left == "win":
                    return True
                judged = judged and left is not None
        except TooLarge:  # the moves of a number that nobody can factor
            judged = False
    return False if judged else None


def _given_up(record: Record, last: str | None) -> int | None:
    """Who ended the match while winning; `last` is the outcome for the player to move."""
    if record.winner is None or last is None or record.ending in (None, Ending.NO_MOVE):
        return None
    to_move = (record.setup.first + len(record.turns)) % 2
    ahead = to_move if last == "win" else 1 - to_move
    return ahead if ahead != record.winner else None


class JudgedMove(TypedDict):
    """A turn of a match, judged."""

    turn: int
    player: PlayerNumber
    board: str
    move: str
    outcome_before: str | None
    outcome_after: str | None
    best: str | None
    judgement: Judgement
    mistake: bool


class AnalysisFacts(TypedDict):
    """An analysis with plain values; documented in docs/formats.md."""

    board: str
    names: list[str]
    winner: PlayerNumber | None
    ending: Ending | None
    given_up: PlayerNumber | None
    """Who resigned, forfeited or overshot while winning."""
    no_choice: bool
    """Whether the same player wins whatever is played."""
    moves: list[JudgedMove]
    turning_point: int | None
    """The first turn that threw a win away."""
    kept: list[int]
    """Wins that each player kept."""
    keepable: list[int]
    """Wins that each player could have kept."""
    accuracy: list[float | None]


def as_json(analysis: Analysis) -> AnalysisFacts:
    point = analysis.turning_point
    kept, keepable = zip(*(analysis.kept(player) for player in (0, 1)), strict=True)
    return facts(
        AnalysisFacts,
        analysis,
        moves=[_move_json(judged) for judged in analysis.moves],
        turning_point=point and point.turn,
        kept=list(kept),
        keepable=list(keepable),
        accuracy=[analysis.accuracy(player) for player in (0, 1)],
    )


def _move_json(judged: Judged) -> JudgedMove:
    best = judged.best and judged.board.write_move(judged.best)
    return facts(JudgedMove, judged, move=judged.written, best=best)


def read_json(told: AnalysisFacts) -> Analysis:
    """The analysis that `as_json` wrote; nothing is judged again."""
    board, (first, second) = Board.parse(told["board"]), told["names"]
    winner, given_up = _player(told["winner"]), _player(told["given_up"])
    ending = told["ending"] and Ending(told["ending"])
    moves = tuple(map(_read_move, told["moves"]))
    return Analysis(board, (first, second), winner, ending, given_up, moves)


def _player(number: int | None) -> int | None:
    return None if number is None else number - 1


def _read_move(told: JudgedMove) -> Judged:
    board, known = Board.parse(told["board"]), (told["outcome_before"], told["outcome_after"])
    move = None if told["move"] == "pass" else board.parse_move(told["move"])
    best = None if told["best"] is None else board.parse_move(told["best"])
    judgement = Judgement(told["judgement"])
    return Judged(told["turn"], told["player"] - 1, move, board, *known, best, judgement)
