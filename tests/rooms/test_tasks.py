"""Tasks beside requests: one a key, none left behind, and nothing missed."""

from __future__ import annotations

import asyncio

import pytest

from loops import on_loop
from numduel.errors import NumduelError, StoreError, UnknownRoom
from numduel.rooms import tasks
from numduel.rooms.tasks import Tasks
from patience import PATIENT


@on_loop
async def test_one_task_a_key_and_once_more_for_who_asks_meanwhile() -> None:
    running, gate, begun = Tasks(), asyncio.Event(), []

    async def work() -> None:
        begun.append(len(begun))
        await gate.wait()

    for _ in range(5):
        running.run("a", work)
        await asyncio.sleep(0)
    assert begun == [0]
    running.run("b", work)
    await asyncio.sleep(0)
    assert begun == [0, 1]
    gate.set()
    await running.wait("a", PATIENT)
    assert begun == [0, 1, 2], "once more, however many asked"
    await running.wait("a", PATIENT)
    running.run("a", work)
    await running.wait("a", PATIENT)
    assert begun == [0, 1, 2, 3]
    await running.close()


@on_loop
async def test_closing_ends_all_and_begins_no_more() -> None:
    running, seen = Tasks(), []

    async def work() -> None:
        seen.append("began")
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("ended")

    running.run("a", work)
    await asyncio.sleep(0)
    running.run("b", work)  # ended before it began
    await running.close()
    running.run("c", work)
    await asyncio.sleep(0)
    assert seen == ["began", "ended"]
    assert asyncio.all_tasks() == {asyncio.current_task()}


@on_loop
async def test_a_database_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_PAUSES", (0.01, 0.01))

    async def tries(works_after: int, error: NumduelError) -> int:
        running, tried = Tasks(), []

        async def work() -> None:
            tried.append(1)
            if len(tried) < works_after:
                raise error

        running.run("a", work)
        await running.wait("a", PATIENT)
        await running.close()
        return len(tried)

    assert await tries(2, StoreError(problem="busy")) == 2
    assert await tries(99, StoreError(problem="busy")) == 3, "not for ever"
    assert await tries(99, UnknownRoom(code="a")) == 1, "a room that is gone ends the work"
