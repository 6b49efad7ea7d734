"""Count the places of the walks in ARCHITECTURE.md: `python tools/walks.py`, `--list` to see them.

A real application is asked in this process, while a profiler notes each function of the package
that is entered: from the one that answers the address until the commit, and from the commit, by way
of a WebSocket, until the other player's page is made. A place is a function that hands the work on
to another of ours; leaves (properties, checks, conversions) are not counted. What every walk passes
in the same way is one place, whatever is in it: the guard with its meter, the referee with its
board, and what a page shows.
"""

import asyncio
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
from sqlalchemy import Engine, event

import numduel
from numduel.web.app import create_app
from numduel.web.settings import Settings

PACKAGE = f"{Path(numduel.__file__).parent}/"
HERE = "http://127.0.0.1:8000"
WRITER = "numduel-changes"  # the thread that commits
TOGETHER = {
    "the guard": ("web/safety", "web/state", "thinking/", "web/pages/school/pupil.py:kept_secret",
                  "web/pages/school/pupil.py:_codes"),
    "the referee": ("match/", "board.py", "games/", "arithmetic/", "arguments.py"),
    "what a page shows": ("wording/", "study/", "web/addresses", "web/templates", "web/pages/board",
                          "web/pages/rendering", "web/pages/play/table", "web/pages/study"),
}  # fmt: skip


def place_of(frame: FrameType | None) -> str:
    """The function of ours that runs there; empty for anything else, lambdas and comprehensions."""
    code = frame and frame.f_code
    if code is None or not code.co_filename.startswith(PACKAGE) or "<" in code.co_name:
        return ""
    return f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname}"


class Walk:
    """What is entered from the function whose name ends so, in order; and whether it hands on."""

    def __init__(self) -> None:
        self.begins, self.entered = "", dict[str, bool]()
        self.others: asyncio.Task[Any] | None = None  # who walks elsewhere meanwhile

    def look(self, frame: FrameType, what: str, _: object) -> None:
        name = place_of(frame) if what == "call" and self.begins else ""
        if not name or not (self.entered or name.endswith(self.begins)):
            return
        with suppress(RuntimeError):  # a thread without a loop
            if self.others is not None and asyncio.current_task() is self.others:
                return
        self.entered.setdefault(name, False)
        above = frame.f_back
        while above is not None and not place_of(above):
            above = above.f_back
        if place_of(above) in self.entered:
            self.entered[place_of(above)] = True

    def tell(self, title: str) -> None:
        places: dict[str, list[str]] = {}
        for name in (name for name, hands_on in self.entered.items() if hands_on):
            among = (one for one, starts in TOGETHER.items() if name.startswith(starts))
            places.setdefault(next(among, name), []).append(name)
        print(f"{title}: {len(places)} places, of {len(self.entered)} functions")
        for place, names in places.items() if "--list" in sys.argv else ():
            print("   ", place, "" if names == [place] else f"({len(names)} functions)")
        self.begins = ""
        self.entered = {}


async def main(walk: Walk, folder: str) -> None:
    app = create_app(Settings(database=f"{folder}/rooms.sqlite3"))
    wire = httpx.ASGITransport(app=app)
    ann, ben, teacher, pupil = (
        httpx.AsyncClient(transport=wire, base_url=HERE, headers={"Origin": HERE}) for _ in range(4)
    )
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def post(who: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
        answer = await who.post(path, data=fields)
        assert answer.status_code < 400, (path, answer.text)
        return answer

    async def to_the_commit(title: str, begins: str, work: Any) -> None:
        @event.listens_for(Engine, "commit")
        def written(_: object) -> None:
            if walk.begins == begins and threading.current_thread().name == WRITER:
                walk.tell(title)

        walk.begins = begins
        await work
        event.remove(Engine, "commit", written)

    async with app.router.lifespan_context(app):
        opened = await post(ann, "/rooms", board="divisor-duel:60", opponent="friend", first="1")
        room = opened.headers["location"]
        await post(ben, f"{room}/sit")
        sys.setprofile(walk.look)
        play = post(ann, f"{room}/play", version="2", move="15")
        await to_the_commit("A move in a room, to the commit", "play/room.py:act", play)

        said = iter([{"type": "websocket.connect"}])

        async def listen() -> dict[str, Any]:
            return next(said, None) or await asyncio.Future()

        headers = [(b"host", b"127.0.0.1:8000"), (b"origin", HERE.encode())]
        scope = {"type": "websocket", "path": f"/api/rooms/{room[6:]}/live", "headers": headers,
                 "query_string": b"", "client": ("127.0.0.1", 1)}  # fmt: skip
        follows = asyncio.create_task(app(scope, listen, heard.put))
        while (await heard.get())["type"] != "websocket.send":
            pass
        walk.begins = "Live.from_thread"
        walk.others = asyncio.create_task(post(ben, f"{room}/play", version="3", move="15"))
        await walk.others
        await heard.get()
        page = await ann.get(f"{room}/table")
        assert "30" in page.text
        walk.tell("and to the other player's screen")
        follows.cancel()

        teaches = (await post(teacher, "/class")).headers["location"]
        school_class = teaches.removesuffix("/teacher")
        await pupil.get(school_class)
        await post(pupil, f"{school_class}/join", name="Mia")
        await post(teacher, f"{teaches}/ask", board="divisor-duel:60", seen="1")
        await app.state.lobby.tasks.wait(("judging", school_class.removeprefix("/class/")), 60)
        vote = post(pupil, f"{school_class}/vote", question="1", move="15")
        await to_the_commit("A vote in a class, to the commit", "school/pupil.py:act", vote)


walk = Walk()
threading.setprofile(walk.look)
with tempfile.TemporaryDirectory() as folder:
    asyncio.run(main(walk, folder))
