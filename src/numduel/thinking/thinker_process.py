"""A thinker as the server sees it: a process that was started, is asked, and is ended."""

import asyncio
import os
import sys
from asyncio import subprocess
from contextlib import suppress

from numduel.thinking.thinker import LONGEST

_READY_WITHIN = 60.0  # seconds that a new process has until it is ready


class Lost(Exception):
    """The process ended before it answered."""


class ThinkerProcess:
    """One process and its pipes. `end` has to be awaited in the end."""

    def __init__(self, process: subprocess.Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise TypeError("the process needs pipes")
        self._process = process
        self._questions, self._answers = process.stdin, process.stdout

    @classmethod
    async def begin(cls, memory: int, seconds: float) -> "ThinkerProcess":
        """Start a process; it need not be ready yet. It does not get the server's passwords."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "numduel.thinking.thinker", str(memory), str(seconds)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            limit=2 * LONGEST,
            start_new_session=True,  # no key pressed at the server's terminal reaches it
            env={k: v for k, v in os.environ.items() if not k.startswith("NUMDUEL_")},
        )
        return cls(process)

    @property
    def number(self) -> int:
        return self._process.pid

    @property
    def is_gone(self) -> bool:
        return self._process.returncode is not None or self._answers.at_eof()

    async def ready(self) -> None:
        """Wait until it can be asked. Raises `Lost`."""
        try:
            async with asyncio.timeout(_READY_WITHIN):
                await self._read()
        except TimeoutError as error:
            raise Lost from error

    async def ask(self, request: bytes, seconds: float) -> bytes:
        """The line that it answers. Raises `Lost` and `TimeoutError`; then it is of no more use."""
        async with asyncio.timeout(seconds):
            try:
                self._questions.write(request + b"\n")
                await self._questions.drain()
            except ConnectionError as error:
                raise Lost from error
            return await self._read()

    async def _read(self) -> bytes:
        try:
            return (await self._answers.readuntil(b"\n"))[:-1]
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise Lost from error

    async def end(self) -> None:
        """Kill it, and wait until nothing is left of it."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._questions.close()
        while await self._answers.read(LONGEST):
            pass  # what it said last is of no interest, but the pipe closes only when it is read
        await self._process.wait()
