"""What is said about a room: whose turn it is, and what happened last."""

from __future__ import annotations

from numduel.match import Ending, Turn
from numduel.rooms import Room
from numduel.wording import brief
from numduel.wording.text import Subject


def called(room: Room, me: int | None) -> tuple[Subject, Subject]:
    """Both players as this visitor sees them named."""
    first, second = room.setup.names
    return Subject(first, me == 0), Subject(second, me == 1)


def heading(room: Room, me: int | None) -> str:
    """The state of the room in a few words."""
    name = room.setup.names[room.player]
    if room.over:
        if me is None:
            return f"{room.setup.names[room.over.winner]} won"
        return "You won" if room.over.winner == me else "You lost"
    if room.is_open:
        return "Waiting for your friend" if me is not None else _invitation(room)
    if room.player == me:
        return "Your turn"
    return f"{name} is thinking" if room.waits_for_computer else f"{name}'s turn"


def said(room: Room, me: int | None, reason: str = "") -> str:
    """What happened last and what comes next, to be read out: "... 9 is left. Your turn."."""
    names = called(room, me)
    happened = [_happened(room, names)]
    if room.over:
        plain = room.over.ending is Ending.NO_MOVE and not room.board.misere
        happened += ["" if plain else reason, f"{names[room.over.winner]} won."]
        if room.offered is not None:
            who = names[room.offered]
            happened.append(f"{who} {who.form('offer', 'offers')} a rematch.")
    elif room.is_open:
        happened.append(_of_the_free_seat(room, me))
    elif room.asked is not None:
        happened.append(asked(room, me))
    else:
        happened.append(f"{names[room.player].whose} turn.")
    return " ".join(filter(None, happened))


def asked(room: Room, me: int | None) -> str:
    """What is said if somebody asks for a takeback; "" if nobody does."""
    if room.asked is None:
        return ""
    who = called(room, me)[room.asked]
    since = "" if room.turns[-1].player == room.asked else ", and the answer to it"
    whose = who.form("your", "their")
    return f"{who} {who.form('ask', 'asks')} to take back {whose} last move{since}."


def _happened(room: Room, names: tuple[Subject, Subject]) -> str:
    if room.turns:
        return _told(room.turns[-1], names)
    if room.is_open:
        return ""
    if room.over:
        return ""
    return f"Match {room.round} begins." if room.round > 1 else "The match begins."


def _of_the_free_seat(room: Room, me: int | None) -> str:
    if me is not None:
        return f"You are {room.setup.names[me]}. The match begins when the other seat is taken."
    numbers, begins = room.board.numbers, room.seats[room.player]
    game = f"{numbers[0].game.title} from {brief(numbers[0].value)}."
    if len(numbers) > 1:
        game = f"{len(numbers)} numbers, each under its game."
    if begins.taken:
        return f"{game} {begins.name} begins."
    # Whoever joins takes the first free seat.
    mine = int(room.seats[0].taken)
    return f"{game} {'You begin' if room.player == mine else 'Your friend begins'}."


def _invitation(room: Room) -> str:
    waiting = [seat.name for seat in room.seats if seat.taken]
    return f"{waiting[0]} invites you" if waiting else "Two seats are free"


def _told(turn: Turn, names: tuple[Subject, Subject]) -> str:
    name = names[turn.player]
    if turn.move is None:
        return f"{name} lost the turn."
    left = brief(turn.board.numbers[turn.move.place].value)
    amount = brief(turn.move.amount)
    if len(turn.board.numbers) == 1:
        return f"{name} played {amount}. {left} is left."
    return f"{name} played {amount} on number {turn.move.place + 1}. {left} is left there."
