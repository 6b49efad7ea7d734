"""The API does what /openapi.json says, whatever is sent: schemathesis makes the requests.

All its checks are on. Each operation is asked twice: as schemathesis likes, which
mostly finds no room, and in real rooms of every kind, by who has a seat there. A few
examples of each in `make test`, many in the soak.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import given, seed, settings
from hypothesis.errors import Unsatisfiable

from numduel.web.app import create_app
from numduel.web.settings import Settings
from soaking import SOAK, figure
from web.playing import Player, duel, opened, play_all, told
from web.server import Server

pytestmark = pytest.mark.soak("fuzzing", short=True)

CHECKS = {
    # Whether a text is a board, or a move of a board, is beyond a schema.
    "positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "409", "422"]},
    # A text that is too long may make the whole body too long.
    "negative_data_rejection": {
        "expected-statuses": ["400", "403", "404", "405", "409", "413", "422"]
    },
    "max_response_time": 30.0,
}


def loaded(mode: str) -> Any:
    """The schema, to be asked in some way."""
    import schemathesis  # by who needs it: it takes a while
    from schemathesis.config import SchemathesisConfig

    config = SchemathesisConfig.from_dict({"checks": CHECKS, "generation": {"mode": mode}})
    raw = create_app(Settings("/nowhere")).openapi()
    return schemathesis.openapi.from_dict(raw, config=config)


def asked(examples: int, use: Callable[[Any], None], mode: str, in_rooms: bool) -> int:
    """Use as many examples of each operation; how many operations there are."""
    from schemathesis import GenerationMode

    schema = loaded(mode)
    operations = [found.ok() for found in schema.get_all_operations()]
    wanted = [one for one in operations if not in_rooms or "{code}" in one.path]
    modes = [one for one in GenerationMode if mode in ("all", one.value)]
    for operation in wanted:
        for kind in modes:
            cases = operation.as_strategy(generation_mode=kind)
            tried = settings(max_examples=examples, database=None)(given(cases)(use))
            with suppress(Unsatisfiable):  # nothing can be wrong where nothing is asked for
                seed(1)(tried)()
    figure(f"operations of the API, {examples} examples each, mode {mode}", len(wanted))
    return len(wanted)


def test_operations_are_asked_in_any_way(server: Server) -> None:
    def use(case: Any) -> None:
        case.call_and_validate(base_url=server.address)

    assert asked(50 if SOAK else 1, use, "all", in_rooms=False) >= 20


if SOAK:

    @loaded("all").parametrize()
    @seed(1)
    @settings(max_examples=50)
    def test_operations_are_asked_by_every_way_that_schemathesis_has(
        case: Any, server: Server
    ) -> None:
        """With the edges of every parameter, too; one test for each operation."""
        case.call_and_validate(base_url=server.address)


def test_operations_are_asked_in_real_rooms(server: Server, client: httpx.Client) -> None:
    from schemathesis.specs.openapi.checks import ignored_auth

    def use(case: Any) -> None:
        # Who has deleted a room finds it gone, and not forbidden, without a token.
        left_out = [ignored_auth] if case.method == "DELETE" else []
        met = set()
        for kind in KINDS if SOAK else (_begun, _asked, _over, _watched):
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

    assert asked(20 if SOAK else 1, use, "positive", in_rooms=True) >= 8


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
