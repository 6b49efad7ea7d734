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

    KEPT = "kept"  # a win was kept, where another move would have thrown it away
    MISTAKE = "mistake"  # a win was thrown away
    WON = "won"  # every move wins here
    LOST = "lost"  # every move loses here
    TURN_LOST = "turn-lost"  # the turn was lost, and a win with it
    SPARED = "spared"  # the turn was lost where every move loses: the other has to move there now
    UNKNOWN = "unknown"  # the board is too large to judge

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
    names: tuple[str, str]
    winner: int | None
    ending: Ending | None
    given_up: int | None
    moves: tuple[Judged, ...]

    @property
    def turning_point(self) -> Judged | None:
        """The first turn that threw a win away."""
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
    setup, player = record.setup, record.setup.first
    board, before = setup.board, outcome(setup.board)
    moves: list[Judged] = []
    for turn, move in enumerate(record.turns, 1):
        left = board if move is None else board.play(move)
        replied = outcome(left)
        judgement = _judgement(board, before, replied, passed=move is None)
        best = None
        if before == "win":
            best = move if replied == "loss" else solve(board).named_move
        after = replied and _OTHER[replied]
        moves.append(Judged(turn, player, move, board, before, after, best, judgement))
        board, before, player = left, replied, 1 - player
    given_up = None  # by whoever ended the match while winning
    if record.winner is not None and before and record.ending is not Ending.NO_MOVE:
        ahead = player if before == "win" else 1 - player
        given_up = ahead if ahead != record.winner else None
    ended = (record.winner, record.ending, given_up)
    return Analysis(setup.board, setup.names, *ended, tuple(moves))


_OTHER = {"win": "loss", "loss": "win"}  # what an outcome is for the other player


def _judgement(
    board: Board, before: str | None, replied: str | None, passed: bool = False
) -> Judgement:
    if before == "loss":
        return Judgement.SPARED if passed else Judgement.LOST
    if before is None or replied is None:
        return Judgement.UNKNOWN
    if replied == "win":
        return Judgement.TURN_LOST if passed else Judgement.MISTAKE
    if no_choice_matters(board):
        return Judgement.WON
    # Does a legal move throw the win away? Unknown where not all can be judged. One is found soon,
    # but for few moves and for rules that name their amounts, 1,000 at most.
    found = Judgement.WON
    for place, (game, n) in enumerate(board.numbers):
        try:
            for amount in game.moves(n):
                left = outcome(board.play(Move(place, amount)))
                if left == "win":
                    return Judgement.KEPT
                found = found if left else Judgement.UNKNOWN
        except TooLarge:  # the moves of a number that nobody can factor
            found = Judgement.UNKNOWN
    return found


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
    accuracy = [analysis.accuracy(player) for player in (0, 1)]
    shares = {"kept": list(kept), "keepable": list(keepable), "accuracy": accuracy}
    moves = []
    for judged in analysis.moves:
        best = judged.best and judged.board.write_move(judged.best)
        moves.append(facts(JudgedMove, judged, move=judged.written, best=best))
    turn = point and point.turn
    return facts(AnalysisFacts, analysis, moves=moves, turning_point=turn, **shares)


def read_json(told: AnalysisFacts) -> Analysis:
    """The analysis that `as_json` wrote; nothing is judged again."""
    board, (first, second) = Board.parse(told["board"]), told["names"]
    winner, given_up = (number and number - 1 for number in (told["winner"], told["given_up"]))
    ending = told["ending"] and Ending(told["ending"])
    moves = tuple(map(_read_move, told["moves"]))
    return Analysis(board, (first, second), winner, ending, given_up, moves)


def _read_move(told: JudgedMove) -> Judged:
    board, known = Board.parse(told["board"]), (told["outcome_before"], told["outcome_after"])
    move = None if told["move"] == "pass" else board.parse_move(told["move"])
    best = None if told["best"] is None else board.parse_move(told["best"])
    judgement = Judgement(told["judgement"])
    return Judged(told["turn"], told["player"] - 1, move, board, *known, best, judgement)
