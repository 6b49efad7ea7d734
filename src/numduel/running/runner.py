"""The runner of one match, and how it asks players that may fail."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime

from numduel.errors import NotAllowed, PlayerFailed
from numduel.match import BadInput, Event, Record, Referee, Setup
from numduel.players import PERSON, Player, SeesMatch, Turn, View
from numduel.running.keeper import Keeper


@dataclass
class Runner:
    """Seats the players at a match and announces what happens.

    The runner never waits for a person: whoever runs it asks for `turn`, and passes on what the
    person entered. Between persons' turns it lets the other players move. A keeper makes each
    turn durable before it is announced. `played` is a match to go on with. Players choose inside
    `thinking`; what that raises leaves the match as it stands, and `go_on` asks the player again.
    """

    setup: Setup
    players: tuple[Player | None, Player | None]
    announce: Callable[[Event], None]
    words: tuple[str, str] = (PERSON, PERSON)
    keeper: Keeper | None = None
    played: Record | None = None
    thinking: Callable[[Player], AbstractContextManager[None]] = lambda _: nullcontext()

    def __post_init__(self) -> None:
        self.referee = self.played.replay() if self.played else Referee(self.setup)
        self._date = self.played.date if self.played else datetime.now(UTC)

    @property
    def record(self) -> Record:
        return Record.of(self.referee, self._date, self.words)

    def begin(self) -> None:
        """Open the match, or take it up again, and play on to the first turn of a person."""
        resumes = self.played is not None and self.played.turns
        self._carry_on([self.referee.turn] if resumes else self.referee.begin())

    def go_on(self) -> None:
        """Let the player to move, who is not a person, think again."""
        self._carry_on([])

    def enter(self, text: str) -> None:
        self._carry_on(self.referee.enter(text))

    def resign(self) -> None:
        self._carry_on(self.referee.resign())

    def undo(self) -> None:
        """Back to the last turn that a person took. Raises `NotAllowed`."""
        taken = self.referee.turns
        for turns in range(1, len(taken) + 1):
            if self.players[taken[-turns].player] is None:
                self._carry_on(self.referee.undo(turns))
                return
        raise NotAllowed("nothing to undo")

    def _carry_on(self, events: list[Event]) -> None:
        """Announce, and let players move until a person is to move or the match is over."""
        self._keep_and_announce(events)
        while not self.referee.over:
            player = self.players[self.referee.player]
            if player is None:
                return
            with self.thinking(player):
                if isinstance(player, SeesMatch):
                    moves = tuple(turn.move for turn in self.referee.turns)
                    asked = ask(player, View(self.referee.board, self.referee.setup.board, moves))
                    move, problems = asked.move, asked.problems
                else:
                    move, problems = player.choose(self.referee.board), ()
            seat = self.referee.player
            bad: list[Event] = [
                BadInput(seat, str(error.fields.get("text", "")), error, count, self.referee.board)
                for count, error in enumerate(problems, 1)
            ]
            played = self.referee.forfeit() if move is None else self.referee.play(move)
            self._keep_and_announce(bad + played)

    def _keep_and_announce(self, events: list[Event]) -> None:
        """What was announced can be relied on: it is written down first."""
        if self.keeper:
            self.keeper.keep(events, self.record)
        for event in events:
            self.announce(event)


def ask(player: SeesMatch, view: View) -> Turn:
    """Ask for a legal move as often as the player's limits say; whatever it raises is refused."""
    turn = Turn(view, player.limits.tries)
    for seen in turn:
        try:
            turn.take(player.answer, seen)
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
            name = type(player).__name__
            turn.refuse(PlayerFailed(player=name, problem="broken", detail=detail))
    return turn
