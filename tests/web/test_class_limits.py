"""A school is one address: a class of 40 fits into the limits for one client, no flood does.

In `make test` three of them load their page, which shows what 40 need.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from numduel import Board
from numduel.classes import RoundPlan
from numduel.classes.actions import StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.roster import Join
from numduel.rooms import new_token
from numduel.rooms.kept_rooms import Rooms
from numduel.web.safety.connections import Requests
from numduel.web.settings import Limits
from patience import PATIENT
from soaking import SOAK
from web.playing import asking
from web.server import Server, running

PUPILS = 40
LOADING = PUPILS if SOAK else 3
A_BROWSER = 6
"""Connections that a browser opens to one server, without live ones."""
_FILES = re.compile(r"""(?:src|href)="(/static/[^"?]+)""")
_MODULES = re.compile(r'from "\./([^"?]+)')


def class_of_forty(place: str) -> tuple[str, dict[str, str]]:
    """The code of a class in the middle of a round, and the room of each pupil's token."""
    teacher, tokens = new_token(), [new_token() for _ in range(PUPILS)]
    with closing(Rooms(place, lambda _code, _version: None)) as rooms:
        classes = KeptClasses(rooms)
        code = classes.open(teacher).code
        for token in tokens:
            classes.act(code, token, 0, Join(""))
        classes.act(code, teacher, 1, StartRound(RoundPlan(Board.parse("power-play:99"))))
        return code, {one: classes.look(code, one).tables[0].room for one in tokens[:LOADING]}


@pytest.fixture
def school(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server with the usual limits; in `make test` the one for all tests."""
    if not SOAK:
        yield request.getfixturevalue("server")
        return
    with running(str(tmp_path / "rooms.sqlite3"), **asdict(Limits())) as server:
        yield server


@pytest.mark.soak("classes", short=True)
def test_forty_pupils_reload_at_once(school: Server) -> None:
    code, rooms = class_of_forty(school.place)

    def load(pupil: tuple[str, str]) -> int:
        """All that a page asks for that is opened the first time; how many requests that were."""
        (token, room), asked = pupil, 0
        with asking(school) as web:

            def get(address: str) -> str:
                nonlocal asked
                asked += 1
                answer = web.get(address, headers={"Cookie": f"numduel={token}"})
                assert answer.status_code == 200, (address, answer.status_code, answer.text)
                return answer.text

            known = set[str]()
            todo = set(_FILES.findall(get(f"/class/{code}")))
            while todo:
                known |= todo
                texts = [get(address) for address in todo]
                todo = {f"/static/{one}" for text in texts for one in _MODULES.findall(text)}
                todo -= known
            for topic in (f"classes/{code}", f"rooms/{room}"):
                asked += 1
                address, headers = f"{school.live_address}api/{topic}/live", {
                    "Authorization": f"Bearer {token}"
                }  # fmt: skip
                with connect(address, additional_headers=headers, proxy=None) as live:
                    assert '"version"' in str(live.recv(PATIENT))
                    get(f"/room/{room}/version")
                    get(f"/room/{room}/table")
        return asked

    with ThreadPoolExecutor(LOADING) as pupils:
        asked = list(pupils.map(load, rooms.items()))
    assert min(asked) > 15, "a page, its files, two live connections, the table"
    assert Requests.most_per_client >= 2 * PUPILS * A_BROWSER
    limits = Limits()
    assert 1.5 * max(asked) * PUPILS < limits.burst, "and no clock is needed to see it"
    assert limits.sockets_per_client > 2 * 2 * PUPILS + 2, "old connections may end later than new"


@pytest.mark.soak("hostile")
def test_a_flood_from_the_same_address_is_stopped(tmp_path: Path) -> None:
    """However slowly this machine floods: the burst is the usual one, and hardly refilled."""
    limits = asdict(Limits()) | {"requests_per_second": 1}
    with running(str(tmp_path / "rooms.sqlite3"), **limits) as server:
        with asking(server) as web, ThreadPoolExecutor(50) as many:
            told = Counter(many.map(lambda _: web.get("/nowhere").status_code, range(2_250)))
        assert set(told) == {404, 429}, told
        way = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(transport=way, base_url=server.address, timeout=PATIENT) as other:
            assert other.get("/api/games").status_code == 200, "others notice nothing"
