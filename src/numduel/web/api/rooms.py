"""Rooms for programs: the same actions as the pages, as JSON."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import Path, Query, Request, Response
from fastapi.responses import JSONResponse
from typing_extensions import TypedDict

from numduel import rooms
from numduel.board import Board
from numduel.match import Ending, Record, write_notation
from numduel.match.events import NUMBERS, PlayerNumber, facts, number_of, plain
from numduel.rooms import Action, Room, Terms, steady_time
from numduel.thinking.questions.looking_back import TURNS
from numduel.web.api import shapes
from numduel.web.api.reference import CHANGE, LOOK, MAYBE_TOKEN, Part
from numduel.web.live import changed
from numduel.web.state import by_program, lobby_of, token_for, token_of

router = Part("rooms")

Code = Annotated[str, Path(description="The room's code.", max_length=64, examples=["k3v9t2mq7d"])]
_ROOM = "/rooms/{code}"
SEEN = (*LOOK, 404)  # what looking at what may be gone is refused with
_AFTER = "The version you know: the answer comes once there is another one, or after 20 seconds."


@router.operation(
    "POST /rooms",
    "Open a room",
    "The new room, and your token.",
    shapes.Seated,
    (*CHANGE, 409),
    MAYBE_TOKEN,
    status_code=201,
)
async def open_room(request: Request, wanted: shapes.NewRoom) -> Response:
    """You host the room, and take a person's seat unless you only watch.

    Against a computer the match begins at once. Otherwise it begins when somebody takes
    the other seat: a person by the room's page, or a program.
    """
    board, (first, second) = Board.parse(wanted.board.lower()), wanted.players
    terms = Terms(
        board=Board(board.numbers, board.misere or wanted.misere),
        players=(first, second),
        first=wanted.first - 1,
        **wanted.model_dump(include={"overshoot", "penalty", "takeback", "seconds"}),
    )
    seat = rooms.NO_SEAT if wanted.seat == 0 else wanted.seat and wanted.seat - 1
    token = token_for(request)
    room = await lobby_of(request).open(terms, token, seat, wanted.name)
    return _seated(request, room, token, 201)


@router.operation(
    f"GET {_ROOM}", "Look at a room", "The room as it stands.", refused=SEEN, by=MAYBE_TOKEN
)
async def look_at_room(
    request: Request,
    code: Code,
    after: Annotated[int | None, Query(ge=0, le=shapes.VERSIONS, description=_AFTER)] = None,
) -> Response:
    """Anybody who knows the code can look. With `after`, this waits for news."""
    news = lobby_of(request).look(code) if after is None else changed(request, code, after)
    return JSONResponse(room_json(await news, token_of(request)))


_SAT = "The room with you in it, and your token."


@router.operation(f"POST {_ROOM}/seat", "Take the free seat", _SAT, shapes.Seated, by=MAYBE_TOKEN)
async def take_seat(request: Request, code: Code, wanted: shapes.NewSeat | None = None) -> Response:
    """If you already have a seat there, you keep it. When both are taken, the match begins."""
    token, name = token_for(request), wanted.name if wanted else ""
    return _seated(request, await lobby_of(request).sit(code, token, name), token, 200)


@router.operation(f"POST {_ROOM}/moves", "Play a move", "The room after the move.")
async def play_move(request: Request, code: Code, said: shapes.NewMove) -> Response:
    """The room after the move, which is on the disk by then.

    The same move sent again changes nothing. A move that answers an older position is
    refused with `StaleChange`. A computer answers a little later: wait for the next version.
    """
    return await _act(request, code, said, rooms.Play(said.move))


@router.operation(f"POST {_ROOM}/resign", "Resign", "The room after the end.")
async def resign(request: Request, code: Code, said: shapes.Act) -> Response:
    """Give up the match, on either player's turn."""
    return await _act(request, code, said, rooms.Resign())


@router.operation(
    f"POST {_ROOM}/takeback",
    "Ask to take back your last move",
    "The room, with the question or without the move.",
)
async def ask_takeback(request: Request, code: Code, said: shapes.Act) -> Response:
    """A computer agrees at once; a person or a program has to answer."""
    return await _act(request, code, said, rooms.AskTakeback())


@router.operation(
    f"POST {_ROOM}/takeback/answer",
    "Answer the other player's takeback",
    "The room after the answer.",
)
async def answer_takeback(request: Request, code: Code, said: shapes.TakebackAnswer) -> Response:
    """Yes takes back the asking player's last move, and whatever was played since."""
    return await _act(request, code, said, rooms.AnswerTakeback(said.yes))


@router.operation(
    f"POST {_ROOM}/rematch",
    "Offer or accept a rematch",
    "The room, with the offer or the next match.",
)
async def rematch(request: Request, code: Code, said: shapes.Act) -> Response:
    """After the end. The other player begins the next match; a computer accepts at once."""
    return await _act(request, code, said, rooms.Rematch())


@router.operation(
    f"DELETE {_ROOM}", "Delete a room", "The room is gone.", None, (*CHANGE, 404), status_code=204
)
async def delete_room(request: Request, code: Code) -> Response:
    """Only its host can. The room and all its matches are gone for good."""
    await lobby_of(request).delete(code, token_of(request))
    return Response(status_code=204)


async def _act(request: Request, code: str, said: shapes.Act, action: Action) -> Response:
    token = token_of(request)
    room = await lobby_of(request).act(code, token, said.version, action)
    return JSONResponse(room_json(room, token))


def _seated(request: Request, room: Room, token: str, status: int) -> Response:
    """The room, and the token unless it is a browser's own: scripts never see those."""
    has_cookie = not by_program(request) and token_of(request) is not None
    told = {"room": room_json(room, token), "token": None if has_cookie else token}
    return JSONResponse(told, status)


def room_json(room: Room, token: str | None) -> dict[str, Any]:
    """The room as `shapes.Room`. Nobody's token is in it, hashed or not."""
    over, start, record = room.over, room.setup.board, room.record
    turns = replace(record, turns=record.turns[-TURNS:]).moves
    seats = zip(NUMBERS, room.seats, room.wins, strict=True)
    other = {
        "start": str(start),
        "misere": start.misere,
        "to_move": None if over or room.is_open else room.player + 1,
        "seats": [
            {"seat": at, "name": one.name, "player": one.player, "taken": one.taken, "wins": wins}
            for at, one, wins in seats
        ],
        "you": number_of(room.seat_of(token)),
        "host": room.is_host(token),
        "takeback": {"allowed": room.takeback, "asked_by": number_of(room.asked)},
        "rematch_offered_by": number_of(room.offered),
        "clock": _clock(room),
        "turns": turns,
        "over": over and plain(shapes.Over.model_fields, over),
        "match": write_notation(record, turns) if room.ply <= TURNS else None,
        "expires": room.expires.isoformat(timespec="seconds"),
        "addresses": {
            "page": f"/room/{room.code}",
            "live": f"/api/rooms/{room.code}/live",
            "replay": f"/api/replays/{room.replay}",
        },
    }
    return plain(shapes.Room.model_fields, room, **other)


class Replay(TypedDict):
    """A match that was played in a room."""

    code: str
    match: str
    start: shapes.BoardText
    names: list[str]
    players: list[shapes.PlayerWord]
    first: PlayerNumber
    turns: list[str]
    winner: PlayerNumber | None
    ending: Ending | None


def replay_json(code: str, record: Record) -> Replay:
    told = {"start": str(record.setup.board), **plain(("names", "first"), record.setup)}
    notation = write_notation(record)
    return facts(Replay, record, code=code, match=notation, turns=record.moves, **told)


def _clock(room: Room) -> dict[str, Any] | None:
    clock, now = room.clock, steady_time.now()
    if clock is None:
        return None
    left = [round(clock.remaining(seat, room.player, now), 3) for seat in (0, 1)]
    running = room.player + 1 if room.clock_runs else None
    return {"seconds": room.seconds, "left": left, "running": running}
