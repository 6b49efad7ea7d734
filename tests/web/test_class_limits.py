"""A school is one address: a class of 40 fits into the limits for one client, no flood does.

In `make test` three of them load their page, which shows what 40 need.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from numduel import Board
from numduel.classes import RoundPlan
from numduel.classes.kept_classes import KeptClasses
from numduel.rooms import new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.web.safety.connections import Requests
from numduel.web.settings import Limits
from patience import PATIENT
from soaking import SOAK
from web.server import Server, running

PUPILS = 40
LOADING = PUPILS if SOAK else 3
A_BROWSER = 6
"""Connections that a browser opens to one server, without live ones."""
_FILES = re.compile(r"""(?:src|href)="(/static/[^"]+)\"""")
_MODULES = re.compile(r'from "\./([^"]+)"')


class Class:
    """A class of 40 in the middle of a round."""

    def __init__(self, place: str) -> None:
        self.teacher = new_token()
        self.pupils: dict[str, str] = {}
        with closing(Rooms(place, lambda _code, _version: None)) as rooms:
            classes = KeptClasses(rooms)
            self.code = classes.open(self.teacher).code
            tokens = [new_token() for _ in range(PUPILS)]
            for token in tokens:
                classes.join(self.code, token, "")
            classes.start_round(self.code, self.teacher, 1, RoundPlan(Board.parse("power-play:99")))
            for token in tokens[:LOADING]:
                self.pupils[token] = classes.look(self.code, token).tables[0].room


@pytest.fixture
def school(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server with the usual limits; in `make test` the one for all tests."""
    if not SOAK:
        yield request.getfixturevalue("server")
        return
    with running(str(tmp_path / "rooms.sqlite3"), **asdict(Limits())) as server:
        yield server


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def reload(server: Server, code: str, room: str, token: str) -> int:
    """All that a page asks for that is opened the first time; how many requests that were."""
    cookie = {"Cookie": f"numduel={token}"}
    asked = 0
    async with httpx.AsyncClient(
        base_url=server.address,
        headers=cookie,
        timeout=PATIENT,
        trust_env=False,
        limits=httpx.Limits(max_connections=A_BROWSER),
    ) as web:

        async def get(address: str) -> str:
            nonlocal asked
            asked += 1
            answer = await web.get(address)
            assert answer.status_code == 200, (address, answer.status_code, answer.text)
            return answer.text

        page = await get(f"/class/{code}")
        todo, known = set(_FILES.findall(page)), set[str]()
        while todo:
            known |= todo
            texts = await asyncio.gather(*map(get, sorted(todo)))
            found = {f"/static/{name}" for text in texts for name in _MODULES.findall(text)}
            todo = {one for one in found if one.partition("?")[0] not in _plain(known)}
        for topic in (f"classes/{code}", f"rooms/{room}"):
            asked += 1
            address = f"{server.live_address}api/{topic}/live"
            async with connect(address, additional_headers=bearer(token), proxy=None) as live:
                assert '"version"' in str(await asyncio.wait_for(live.recv(), PATIENT))
                await get(f"/room/{room}/version")
                await get(f"/room/{room}/table")
    return asked


def _plain(addresses: set[str]) -> set[str]:
    return {address.partition("?")[0] for address in addresses}


@pytest.mark.soak("classes", short=True)
def test_forty_pupils_reload_at_once(school: Server) -> None:
    taught = Class(school.place)

    async def all_of_them() -> list[int]:
        pupils = taught.pupils.items()
        return await asyncio.gather(
            *(reload(school, taught.code, room, token) for token, room in pupils)
        )

    asked = asyncio.run(all_of_them())
    assert min(asked) > 15, "a page, its files, two live connections, the table"
    assert Requests.most_per_client >= 2 * PUPILS * A_BROWSER
    limits = Limits()
    assert 1.5 * sum(asked) * PUPILS / LOADING < limits.burst, "and no clock is needed to see it"
    assert limits.sockets_per_client > 2 * 2 * PUPILS + 2, "old connections may end later than new"


@pytest.mark.soak("hostile")
def test_a_flood_from_the_same_address_is_stopped(tmp_path: Path) -> None:
    """However slowly this machine floods: the burst is the usual one, and hardly refilled."""

    async def flood(address: str) -> Counter[int]:
        async with httpx.AsyncClient(base_url=address, timeout=PATIENT, trust_env=False) as web:
            rounds = [
                await asyncio.gather(*(web.get("/nowhere") for _ in range(50))) for _ in range(45)
            ]
        return Counter(answer.status_code for each in rounds for answer in each)

    limits = asdict(Limits()) | {"requests_per_second": 1}
    with running(str(tmp_path / "rooms.sqlite3"), **limits) as server:
        told = asyncio.run(flood(server.address))
        assert set(told) == {404, 429}, told
        with httpx.Client(
            transport=httpx.HTTPTransport(local_address="127.0.0.2"),
            base_url=server.address,
            timeout=PATIENT,
        ) as other:
            assert other.get("/api/games").status_code == 200, "others notice nothing"
