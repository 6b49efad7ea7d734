"""The API does what /openapi.json says, whatever is sent: schemathesis makes the requests.

All its checks are on. Each operation is asked twice: as schemathesis likes, which
mostly finds no room, and in real rooms of every kind, by who has a seat there. A few
examples of each in `make test`, many in the soak.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import seed, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import ignored_auth

from numduel.web.app import create_app
from numduel.web.settings import Settings
from soaking import SOAK
from web.playing import Player, duel, opened, play_all, told
from web.server import Server

pytestmark = pytest.mark.soak("fuzzing", short=True)

CHECKS = {
    # Whether a text is a board, or a move of a board, is beyond a schema.
    "positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "409", "422"]},
    "max_response_time": 30.0,
}


RAW = create_app(Settings("/nowhere")).openapi()


def loaded(**settings: Any) -> Any:
    """The schema, to be asked in some way."""
    config = SchemathesisConfig.from_dict({"checks": CHECKS, **settings})
    return schemathesis.openapi.from_dict(RAW, config=config)


anything = loaded()
in_rooms = loaded(generation={"mode": "positive"}, phases={"coverage": {"enabled": False}})


def asked_in_any_way(operation: str) -> Any:
    """A test of one operation, by all that schemathesis thinks of."""

    @anything.include(operation_id=operation).parametrize()
    @seed(1)
    @settings(max_examples=100 if SOAK else 5)
    def test(case: Any, server: Server) -> None:
        case.call_and_validate(base_url=server.address)

    return test


def asked_in_real_rooms(operation: str) -> Any:
    """A test of one operation in rooms that are there, by who has a seat."""

    @in_rooms.include(operation_id=operation).parametrize()
    @seed(2)
    @settings(max_examples=20 if SOAK else 2)
    def test(case: Any, server: Server, client: httpx.Client) -> None:
        # Who has deleted a room finds it gone, and not forbidden, without a token.
        left_out = [ignored_auth] if case.method == "DELETE" else []
        met = set()
        for kind in KINDS:
            player = kind(client)
            room = player.room()
            case.path_parameters["code"] = room["replay" if "replays" in case.path else "code"]
            if case.query.get("after") == room["version"]:
                del case.query["after"]  # nobody will move: that would wait in vain
            if isinstance(case.body, dict) and "version" in case.body:
                case.body["version"] = room["version"]
            if case.path.endswith("/moves"):
                case.body["move"] = first_move(client, room["board"])
            answer = case.call_and_validate(
                base_url=server.address, headers=player.headers, excluded_checks=left_out
            )
            met.add(answer.status_code)
        assert min(met) < 300, "a real room was found, and changed"
        if case.method != "GET":
            assert met & {403, 409}, "and another was not to be changed so"

    return test


# A name of its own for each: schemathesis gives all its tests one name, and where tests are
# shared out among processes, only one of a name is run.
for path, operations in RAW["paths"].items():
    for described in operations.values():
        name = described["operationId"]
        globals()[f"test_{name}"] = asked_in_any_way(name)
        if "{code}" in path:
            globals()[f"test_{name}_in_real_rooms"] = asked_in_real_rooms(name)


def first_move(client: httpx.Client, board: str) -> str:
    """A move of the board."""
    moves = told(client.get("api/moves", params={"board": board}))["moves"]
    return str(moves[0]["move"])


def _waiting(client: httpx.Client) -> Player:
    return opened(client, takeback=False)


def _begun(client: httpx.Client) -> Player:
    players = duel(client, "subtract-a-prime:20+power-play:30", seconds=600)
    play_all(players, "1:3", "2:3")
    return players[0]


def _asked(client: httpx.Client) -> Player:
    players = duel(client)
    play_all(players, "15", "15")
    told(players[1].do("/takeback"))
    return players[0]


def _over(client: httpx.Client) -> Player:
    players = duel(client, "prime-subtractor:23~misere", overshoot="loses")
    told(players[0].do("/resign"))
    return players[0]


def _against_computer(client: httpx.Client) -> Player:
    return opened(client, "power-play:30", players=["level:1", "person"], first=2, penalty=3)


def _watched(client: httpx.Client) -> Player:
    return Player(client, duel(client)[0].code)


KINDS = (_waiting, _begun, _asked, _over, _against_computer, _watched)
