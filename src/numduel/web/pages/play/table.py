"""A room as somebody sees it, and what is said there: its page and the script show the same."""

from dataclasses import dataclass, replace

from numduel.analysis import outcome
from numduel.board import Board, Number
from numduel.errors import NumduelError
from numduel.games import Game, all_games
from numduel.match import Ending, Turn
from numduel.players import COMPUTERS, LADDER
from numduel.rooms import Room, steady_time
from numduel.rooms.room import Seat
from numduel.solver import no_choice_matters
from numduel.study.duels import contest_starts
from numduel.thinking.questions import position
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.board import Shown, choices, numbers
from numduel.web.pages.errors import sentence
from numduel.web.pages.play.ending import End, end_of
from numduel.web.pages.rendering import game_and_start, start
from numduel.wording import brief
from numduel.wording.analysis import Both, by_name

_WAITING, _AFTERWARDS = 4, 15  # seconds until pages without scripts reload: in a match, after one


@dataclass(frozen=True, slots=True)
class RoomView:
    room: Room
    me: int | None
    is_host: bool
    hint_step: int  # the hint that is shown; 0 for none
    numbers: list[Shown]
    end: End | None = None
    hint: position.Hint | None = None

    @property
    def to_move(self) -> bool:
        return self.in_play and not self.room.held and self.room.player == self.me

    @property
    def in_play(self) -> bool:
        """Does the match go on, with both players there?"""
        return not self.room.over and not self.room.is_open

    @property
    def other(self) -> Seat | None:
        """The seat opposite; None for a watcher."""
        return None if self.me is None else self.room.seats[1 - self.me]

    def seconds(self, seat: int) -> float | None:
        """What the clock has left for the seat; None without a clock."""
        clock = self.room.clock
        return clock and clock.remaining(seat, self.room.player, steady_time.now())

    @property
    def rival(self) -> str:
        """The word of the computer opposite; "" for all others, and where a disk has spoilt it."""
        word = "" if self.other is None else self.other.player
        return word if word in COMPUTERS else ""

    @property
    def contest(self) -> list[tuple[str, str]]:
        """The fields that open another match like this one; none where its start was chosen."""
        board = self.room.setup.board
        if not self.rival or board.misere or len(board.numbers) > 1:
            return []
        game, start = board.numbers[0]
        if start not in contest_starts(game, self.rival, self.room.setup.first == self.me):
            return []
        return [("game", game.key), *game.settings.items(), ("last", str(board))]

    @property
    def won(self) -> bool:
        return self.room.over is not None and self.room.over.winner == self.me

    @property
    def luck(self) -> bool:
        """Does no choice matter here?"""
        return no_choice_matters(self.room.setup.board)

    @property
    def helps(self) -> bool:
        return self.room.hints and self.rival != "" and not self.luck

    @property
    def other_games(self) -> list[Game]:
        """The games with a ladder that were not played here, the next one first."""
        key = self.room.setup.board.numbers[0].game.key
        climbed = (one for one in all_games() if not no_choice_matters(start(one)))
        return sorted((one for one in climbed if one.key != key), key=lambda one: one.key < key)

    @property
    def two_numbers(self) -> str:
        """The start here beside one of the next game, such that whoever begins can win."""
        mine, game = self.room.setup.board.numbers[0], self.other_games[0]
        boards = (Board((mine, Number(game, n))) for n in contest_starts(game, LADDER[0]))
        return next((str(board) for board in boards if outcome(board) == "win"), "")

    @property
    def refresh(self) -> int | None:
        """Seconds after which a page without scripts reloads; None if it need not."""
        if self.room.over:
            alone = self.other is not None and not self.other.is_person
            return None if alone or self.room.offered not in (None, self.me) else _AFTERWARDS
        return None if self.to_move else _WAITING

    @property
    def heading(self) -> str:
        room, me = self.room, self.me
        if room.over:
            if me is None:
                return f"{room.setup.names[room.over.winner]} won"
            return "You won" if self.won else "You lost"
        if room.is_open:
            waiting = [seat.name for seat in room.seats if seat.taken]
            if me is not None:
                return "Waiting for your friend"
            return f"{waiting[0]} invites you" if waiting else "Two seats are free"
        if room.player == me:
            return "Your turn"
        name = room.setup.names[room.player]
        return f"{name} is thinking" if room.waits_for_computer else f"{name}'s turn"

    @property
    def said(self) -> str:
        """What happened last: "Pip played 3. 9 is left."."""
        room = self.room
        if room.turns:
            return _told(room.turns[-1], by_name(room.setup.names, self.me))
        if room.is_open:
            return _of_the_free_seat(room, self.me)
        which = f"Match {room.round}" if room.round > 1 else "The match"
        return "" if room.over else f"{which} begins."

    @property
    def next(self) -> str:
        """What comes of it, to be read out: eyes see it elsewhere."""
        room, names = self.room, by_name(self.room.setup.names, self.me)
        if room.over:
            plain = room.over.ending is Ending.NO_MOVE and not room.board.misere
            reason = "" if plain or self.end is None else self.end.reason
            return " ".join(filter(None, (reason, f"{names[room.over.winner]} won.", self.offer)))
        return "" if room.is_open else self.asked or f"{names[room.player].whose} turn."

    @property
    def offer(self) -> str:
        """What is said if somebody offers a rematch; "" if nobody does."""
        if self.room.offered is None:
            return ""
        who = by_name(self.room.setup.names, self.me)[self.room.offered]
        return f"{who} {who.form('offer', 'offers')} a rematch."

    @property
    def asked(self) -> str:
        """What is said if somebody asks for a takeback; "" if nobody does."""
        room = self.room
        if room.asked is None:
            return ""
        who = by_name(room.setup.names, self.me)[room.asked]
        since = "" if room.turns[-1].player == room.asked else ", and the answer to it"
        whose = who.form("your", "their")
        return f"{who} {who.form('ask', 'asks')} to take back {whose} last move{since}."


def _of_the_free_seat(room: Room, me: int | None) -> str:
    if me is not None:
        return f"You are {room.setup.names[me]}. The match begins when the other seat is taken."
    count, begins = len(room.board.numbers), room.seats[room.player]
    game = f"{count} numbers, each with its game" if count > 1 else game_and_start(room.board)
    if begins.taken:
        return f"{game}. {begins.name} begins."
    mine = int(room.seats[0].taken)  # whoever joins takes the first free seat
    return f"{game}. {'You begin' if room.player == mine else 'Your friend begins'}."


def _told(turn: Turn, names: Both) -> str:
    name = names[turn.player]
    if turn.move is None:
        return f"{name} lost the turn."
    left = brief(turn.board.numbers[turn.move.place].value)
    amount = brief(turn.move.amount)
    if len(turn.board.numbers) == 1:
        return f"{name} played {amount}. {left} is left."
    return f"{name} played {amount} on number {turn.move.place + 1}. {left} is left there."


async def table_of(room: Room, token: str | None, thinkers: Thinkers, hint: int = 0) -> RoomView:
    """The room as whoever has the token sees it, with the hint of this step if one is asked for."""
    me = room.seat_of(token)
    board, start = room.board, room.setup.board
    step = hint if room.may_have_hint(me) else 0
    view = RoomView(room, me, room.is_host(token), step, [])
    return replace(
        view,
        numbers=await choices(board, thinkers, start) if view.to_move else numbers(board, start),
        end=await end_of(room, thinkers, by_name(room.setup.names, me)) if room.over else None,
        hint=await _hint(board, thinkers, step) if step else None,
    )


async def _hint(board: Board, thinkers: Thinkers, step: int) -> position.Hint:
    try:
        return await thinkers.ask(position.hint, board=str(board), step=step)
    except NumduelError as error:
        return {"text": sentence(error), "move": None, "why": []}
