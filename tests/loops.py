"""Tests that run on a loop: `@on_loop` above an `async def test_…`."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec

from patience import PATIENT

P = ParamSpec("P")


def on_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """The test on a loop of its own, within a bounded time."""

    @wraps(test)
    def run(*args: P.args, **options: P.kwargs) -> None:
        async def bounded() -> None:
            async with asyncio.timeout(2 * PATIENT):
                await test(*args, **options)

        asyncio.run(bounded())

    return run
