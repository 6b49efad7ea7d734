"""News for watchers: the newest version only, and nobody waits for a slow one."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from threading import Thread

import pytest

from loops import on_loop
from numduel.rooms import GONE, Live, Watching
from patience import PATIENT


async def soon(watching: Watching) -> int:
    async with asyncio.timeout(PATIENT):
        return await watching.next()


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
            assert await soon(quick) == version
        for code, old in (("a", 48), ("a", 49), ("b", 99)):
            live.tell(code, old)
        assert await soon(slow) == 49
        for code, old in (("a", 48), ("a", 49), ("b", 99)):
            live.tell(code, old)
        assert await quiet(slow)
        assert await quiet(quick)
        live.tell("a", 50)
        assert await soon(slow) == 50, "who gave up waiting misses nothing"


@on_loop
async def test_a_room_that_is_gone_is_the_last_news() -> None:
    live = Live()
    seen = []
    with live.watch("a") as watching:
        live.tell("a", 3)
        async for version in watching:
            seen.append(version)
            live.tell("a", 4 if version == 3 else GONE)
            live.tell("a", 5 if version == GONE else version)
    assert seen == [3, 4, GONE]


@on_loop
async def test_many_watch_and_all_are_let_go() -> None:
    live = Live()
    with ExitStack() as stack:
        rooms = [f"room {number % 50}" for number in range(1000)]
        all_of_them = [stack.enter_context(live.watch(code)) for code in rooms]
        assert sorted(live.watched) == sorted(set(rooms))
        waiting = [asyncio.create_task(soon(watching)) for watching in all_of_them]
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
    live.from_thread(live.tell, "a", 2)  # before there is a loop, nobody watches

    async def watch() -> None:
        live.start()
        with live.watch("a") as watching:
            thread = Thread(target=live.from_thread, args=(live.tell, "a", 3))
            thread.start()
            assert await soon(watching) == 3
            thread.join()

    asyncio.run(watch())
    live.from_thread(live.tell, "a", 4)  # and after it neither
