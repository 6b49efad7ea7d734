"""Answers as JSON, made cheaply: a move should cost its database more than its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from json import JSONEncoder
from typing import Any

from fastapi import Response
from typing_extensions import TypedDict

from numduel.match import Ending, Record, write_notation
from numduel.match.facts import NUMBERS, PlayerNumber, number_of
from numduel.rooms import Room, steady_time
from numduel.thinking.questions.looking_back import TURNS
from numduel.web.api.shapes import BoardText, PlayerWord

_encode = JSONEncoder(
    ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
).encode


def json_response(content: Mapping[str, object], status: int = 200) -> Response:
    """The content as JSON. Only the tests compare it with the documented shape."""
    return Response(_encode(content).encode(), status, media_type="application/json")


def room_response(room: Room, token: str | None) -> Response:
    """The room as JSON, for whoever has the token."""
    return json_response(room_json(room, token))


def room_json(room: Room, token: str | None) -> dict[str, Any]:
    """The room as `shapes.Room`. Nobody's token is in it, hashed or not."""
    over = room.over
    you = room.seat_of(token)
    waits = over is not None or room.is_open
    return {
        "code": room.code,
        "version": room.version,
        "round": room.round,
        "start": str(room.setup.board),
        "board": str(room.board),
        "misere": room.setup.board.misere,
        "ply": room.ply,
        "to_move": None if waits else room.player + 1,
        "seats": [
            {
                "seat": at + 1,
                "name": seat.name,
                "player": seat.player,
                "taken": seat.taken,
                "wins": room.wins[at],
            }
            for at, seat in enumerate(room.seats)
        ],
        "you": number_of(you),
        "host": room.is_host(token),
        "takeback": {"allowed": room.takeback, "asked_by": number_of(room.asked)},
        "rematch_offered_by": number_of(room.offered),
        "clock": _clock(room),
        "turns": replace(room.record, turns=room.record.turns[-TURNS:]).moves,
        "over": over
        and {"winner": over.winner + 1, "ending": str(over.ending), "player": over.player + 1},
        "match": room.notation if room.ply <= TURNS else None,
        "replay": room.replay,
        "expires": room.expires.isoformat(timespec="seconds"),
        "addresses": {
            "page": f"/room/{room.code}",
            "live": f"/api/rooms/{room.code}/live",
            "replay": f"/api/replays/{room.replay}",
        },
    }


class Replay(TypedDict):
    """A match that was played in a room."""

    code: str
    match: str
    start: BoardText
    names: list[str]
    players: list[PlayerWord]
    first: PlayerNumber
    turns: list[str]
    winner: PlayerNumber | None
    ending: Ending | None


def replay_json(code: str, record: Record) -> Replay:
    """A match so far."""
    setup = record.setup
    return {
        "code": code,
        "match": write_notation(record),
        "start": str(setup.board),
        "names": list(setup.names),
        "players": list(record.players),
        "first": NUMBERS[setup.first],
        "turns": record.moves,
        "winner": number_of(record.winner),
        "ending": record.ending,
    }


def _clock(room: Room) -> dict[str, Any] | None:
    clock, now = room.clock, steady_time.now()
    if clock is None:
        return None
    return {
        "seconds": room.seconds,
        "left": [round(clock.remaining(seat, room.player, now), 3) for seat in (0, 1)],
        "running": room.player + 1 if room.clock_runs else None,
    }
