"""Watchers hear of the newest version only; who is there and who has left, on all servers."""

import asyncio
from collections.abc import Iterable
from contextlib import ExitStack
from threading import Thread

import pytest

from loops import on_loop
from numduel.rooms import GONE, Live, Watching, live
from numduel.rooms.live import Here, Presence
from patience import PATIENT
from rooms.lobbies import heard


async def quiet(watching: Watching) -> bool:
    try:
        async with asyncio.timeout(0.02):
            await watching.next()
    except TimeoutError:
        return True
    return False


@on_loop
async def test_a_slow_watcher_skips_to_the_newest_and_what_is_old_is_no_news() -> None:
    live = Live()
    with live.watch("a") as quick, live.watch("a") as slow:
        assert await quiet(slow)
        for version in range(2, 50):
            live.tell("a", version)
            assert await heard(quick) == version
        for code, old in (("a", 48), ("a", 49), ("b", 99)):
            live.tell(code, old)
        assert await heard(slow) == 49
        for code, old in (("a", 48), ("a", 49), ("b", 99)):
            live.tell(code, old)
        assert await quiet(slow)
        assert await quiet(quick)
        live.tell("a", 50)
        assert await heard(slow) == 50, "who gave up waiting misses nothing"


@on_loop
async def test_a_room_that_is_gone_is_the_last_news() -> None:
    live = Live()
    seen = []
    with live.watch("a") as watching:
        live.tell("a", 3)
        while GONE not in seen:
            seen.append(version := await heard(watching))
            live.tell("a", 4 if version == 3 else GONE)
            live.tell("a", 5 if version == GONE else version)
        assert await quiet(watching)
    assert seen == [3, 4, GONE]


@on_loop
async def test_many_watch_and_all_are_let_go() -> None:
    live = Live()
    with ExitStack() as stack:
        rooms = [f"room {number % 50}" for number in range(1000)]
        all_of_them = [stack.enter_context(live.watch(code)) for code in rooms]
        assert sorted(live.watched) == sorted(set(rooms))
        waiting = [asyncio.create_task(heard(watching)) for watching in all_of_them]
        await asyncio.sleep(0)
        for code in set(rooms):
            live.tell(code, 2)
        assert await asyncio.gather(*waiting) == [2] * 1000
    assert live.watched == []
    live.tell("room 1", 3)
    with live.watch("a"):
        with pytest.raises(KeyError), live.watch("a"):  # who leaves with an error is let go
            raise KeyError
        assert live.watched == ["a"], "the other one still watches"
    assert live.watched == []


def test_news_come_from_other_threads() -> None:
    live = Live()
    live.hear("a", 2)  # before there is a loop, nobody watches

    async def watch() -> None:
        live.start()
        with live.watch("a") as watching:
            thread = Thread(target=live.hear, args=("a", 3))
            thread.start()
            assert await heard(watching) == 3
            thread.join()

    asyncio.run(watch())
    live.hear("a", 4)  # and after it neither


def test_who_comes_while_much_changes_hears_of_the_last_change() -> None:
    """As pages do: watch, then look at what is durable, then wait for news."""
    live, durable, last = Live(), [0], 3_000

    def change() -> None:
        for version in range(1, last + 1):
            durable[0] = version
            live.hear("a", version)

    async def come() -> int:
        with live.watch("a") as watching:
            watching.tell(await asyncio.to_thread(lambda: durable[0]))
            seen = await heard(watching)
            while seen < last:
                seen = await heard(watching)
            return seen

    async def race() -> list[int]:
        live.start()
        changing = asyncio.create_task(asyncio.to_thread(change))
        coming = []
        while not changing.done():
            coming.append(asyncio.create_task(come()))
            await asyncio.sleep(0)
        await changing
        return list(await asyncio.gather(*coming))

    seen = asyncio.run(race())
    assert seen
    assert set(seen) == {last}


CODE, OTHER = "abcdefghjk", "kjhgfedcba"
NOBODY: Here = (None, None)


class Town:
    """Servers that hear each other at once, and a clock that a test moves."""

    def __init__(self, servers: int = 1) -> None:
        self.now = 0.0
        self.changed: list[tuple[int, str]] = []
        self.servers: list[Presence] = []
        for number in range(servers):
            self.servers.append(self.start(number))

    def start(self, number: int) -> Presence:
        def announce(codes: Iterable[str]) -> None:
            for message in made.messages(codes):
                for other in self.servers:
                    other.hear(message)

        made = Presence(
            lambda code: self.changed.append((number, code)), announce, lambda: self.now
        )
        return made

    def here(self, code: str = CODE) -> list[Here]:
        return [server.here(code) for server in self.servers]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who goes has left in the same moment."""
    monkeypatch.setattr(live, "GRACE", 0.0)


async def a_moment() -> None:
    """Whatever is due on the loop is done."""
    for _ in range(3):
        await asyncio.sleep(0)


@on_loop
async def test_somebody_comes_and_leaves() -> None:
    town = Town()
    [server] = town.servers
    assert server.here(CODE) == NOBODY, "who was never seen is not called away"
    with server.at(CODE, 0):
        with server.at(CODE, 0):
            assert server.here(CODE) == (True, None)
        await a_moment()
        assert server.here(CODE) == (True, None), "two windows are one person"
        assert town.changed == [(0, CODE)], "nothing to tell in between"
        with server.at(CODE, 1), server.at(CODE, None):
            assert server.here(CODE) == (True, True)
        await a_moment()
        assert server.here(CODE) == (True, False)
    await a_moment()
    assert server.here(CODE) == (False, False)
    assert server.here(OTHER) == NOBODY
    assert town.changed == [(0, CODE)] * 4


@on_loop
async def test_a_reload_is_not_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "GRACE", 0.05)
    town = Town()
    [server] = town.servers
    with server.at(CODE, 0):
        pass
    with server.at(CODE, 0):
        async with asyncio.timeout(PATIENT):
            while server._places[CODE].connections != {0: 1}:
                await asyncio.sleep(0.01)
        assert town.changed == [(0, CODE)]


@on_loop
async def test_servers_tell_each_other_of_a_class() -> None:
    """Its seats are its pupils; while a server is young, it takes nobody to be away."""
    town, pupils = Town(2), {1, 17, 60}
    with town.servers[0].at("2a3b4", 17), town.servers[1].at("2a3b4", 60):
        assert [one.away("2a3b4", pupils, 60) for one in town.servers] == [frozenset()] * 2
        town.now = 61
        assert [one.away("2a3b4", pupils, 60) for one in town.servers] == [{1}] * 2
    many = Presence(lambda _: None, lambda _: None)
    codes = [f"{a}{b}{c}23" for a in "23456789" for b in "23456789" for c in "2345"]
    with ExitStack() as stack:
        for code in codes:
            for number in range(60):
                stack.enter_context(many.at(code, 100 + number))
        messages = many.messages(codes)
    assert max(map(len, messages)) < 8_000
    assert sum(message.count(":") for message in messages) == len(codes)


@on_loop
async def test_servers_tell_each_other() -> None:
    town = Town(3)
    with town.servers[0].at(CODE, 0):
        assert town.here() == [(True, None)] * 3
        with town.servers[1].at(CODE, 0), town.servers[2].at(CODE, 1):
            assert town.here() == [(True, True)] * 3
        await a_moment()
        assert town.here() == [(True, False)] * 3
        town.servers.append(town.start(3))
        assert town.here() == [(True, False)] * 3 + [NOBODY], "it hears it with the next beat"
        for server in town.servers:
            server.beat()
        assert town.here() == [(True, False)] * 3 + [(True, None)]
    await a_moment()
    assert town.here() == [(False, False)] * 3 + [(False, None)]


@on_loop
async def test_a_server_that_was_killed_is_not_believed_for_ever() -> None:
    town = Town(2)
    with ExitStack() as stack:
        stack.enter_context(town.servers[0].at(CODE, 0))
        killed = town.servers.pop(0)
        for _ in range(2):
            town.now += live.BEAT
            town.servers[0].beat()
            assert town.here() == [(True, None)]
        town.now += live.BEAT
        town.servers[0].beat()
        assert town.here() == [(False, None)]
        town.servers.append(killed)
        killed.beat()
        assert town.here() == [(True, None)] * 2, "it was only slow"


@on_loop
async def test_many_rooms_fit_into_messages() -> None:
    letters = "23456789abcdefghjkmnpqrstuvwxyz"
    codes = [f"aaaaaaa{a}{b}{c}" for a in "ab" for b in letters for c in letters]
    town = Town(2)
    with ExitStack() as stack:
        for code in codes:
            stack.enter_context(town.servers[0].at(code, 0))
        messages = town.servers[0].messages(codes)
        assert max(map(len, messages)) < 8_000
        late = town.start(1)
        for message in messages:
            late.hear(message)
        assert {late.here(code) for code in codes} == {(True, None)}


def test_nonsense_is_not_believed() -> None:
    [server] = Town().servers
    for said in ("", "x", "x y", "x y:0", f"x {CODE}:2", f"x {CODE}:10", "\x00"):
        server.hear(said)
        assert server.here(CODE) == NOBODY


@on_loop
async def test_what_was_used_longest_ago_is_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "_MOST_ROOMS", 2)
    [server] = Town().servers
    with server.at(CODE, 0):
        for code in (OTHER, "mmmmmmmmmm"):
            with server.at(code, 1):
                pass
            await a_moment()
        assert server.here(CODE) == (True, None), "who is here is never forgotten"
        assert server.here(OTHER) == NOBODY
        assert server.here("mmmmmmmmmm") == (None, False)
