"""The referee of one match."""

from dataclasses import dataclass

from numduel import errors
from numduel.board import Board, Move
from numduel.games import Fault
from numduel.match import events
from numduel.match.events import Ending, Event, Over, Setup, TurnBegan


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was taken: the move, or None for a pass, and the board after it."""

    player: int
    move: Move | None
    board: Board


class Referee:
    """Each action returns its events, in order. Policies for bad input live here alone."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.turns: list[Turn] = []
        self.over: Over | None = None
        self.bad_inputs = 0

    @property
    def board(self) -> Board:
        return self.turns[-1].board if self.turns else self.setup.board

    @property
    def player(self) -> int:
        return (self.setup.first + len(self.turns)) % 2

    @property
    def turn(self) -> TurnBegan:
        return TurnBegan(len(self.turns) + 1, self.player, self.board)

    def begin(self) -> list[Event]:
        return [events.Began(self.setup), *self._next_turn()]

    def enter(self, text: str) -> list[Event]:
        """What the player to move typed: a move, or bad input by the policies."""
        self._check_running()
        try:
            return self.play(self.board.parse_move(text))
        except errors.IllegalMove as error:
            if self._overshoots(error):
                return [self._end(self.player, Ending.OVERSHOT, error.move)]
            return self._bad_input(text, error)
        except (errors.UnreadableText, errors.AmbiguousMove, errors.TooManyDigits) as error:
            return self._bad_input(text, error)

    def play(self, move: Move) -> list[Event]:
        """A move of the player to move. Raises `IllegalMove`."""
        self._check_running()
        before, player = self.board, self.player
        after = before.play(move)
        moved = events.Moved(len(self.turns) + 1, player, move, before, after)
        return [moved, *self._take_turn(Turn(player, move, after))]

    def pass_turn(self, count: int) -> list[Event]:
        """The player to move loses the turn after `count` bad inputs."""
        self._check_running()
        passed = events.Passed(len(self.turns) + 1, self.player, count)
        return [passed, *self._take_turn(Turn(self.player, None, self.board))]

    def resign(self, player: int | None = None) -> list[Event]:
        self._check_running()
        return [self._end(self.player if player is None else player, Ending.RESIGNED)]

    def forfeit(self, player: int | None = None) -> list[Event]:
        """The player, usually the one to move, gave no move that can be played."""
        self._check_running()
        return [self._end(self.player if player is None else player, Ending.FORFEITED)]

    def undo(self, turns: int = 1) -> list[Event]:
        """Take the last turns back. Raises `NotAllowed` if there are fewer."""
        self._check_running()
        if not 0 < turns <= len(self.turns):
            raise errors.NotAllowed("nothing to undo")
        del self.turns[-turns:]
        self.bad_inputs = 0
        return [events.Undone(turns), *self._next_turn()]

    def _check_running(self) -> None:
        if self.over:
            raise errors.NotAllowed("match over")

    def _take_turn(self, turn: Turn) -> list[Event]:
        self.turns.append(turn)
        self.bad_inputs = 0
        return self._next_turn()

    def _next_turn(self) -> list[Event]:
        return [self._end(self.player, Ending.NO_MOVE) if self.board.is_over else self.turn]

    def _bad_input(self, text: str, error: errors.NumduelError) -> list[Event]:
        self.bad_inputs += 1
        count = self.bad_inputs
        bad: list[Event] = [events.BadInput(self.player, text, error, count, self.board)]
        return bad + (self.pass_turn(count) if count == self.setup.penalty else [])

    def _overshoots(self, error: errors.IllegalMove) -> bool:
        game, value = self.board.numbers[error.move.place]
        loses = self.setup.overshoot == "loses" and error.fault is Fault.TOO_LARGE
        return loses and game.overshoots(value, error.move.amount)

    def _end(self, player: int, ending: Ending, move: Move | None = None) -> Over:
        """`player` could not move, gave up or overshot. Only the first can win, in misère."""
        wins = ending is Ending.NO_MOVE and self.board.misere
        winner = player if wins else 1 - player
        self.over = Over(len(self.turns) + 1, player, winner, ending, self.board, move)
        return self.over
