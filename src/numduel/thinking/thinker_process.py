"""A thinker as the server sees it: a process that is started, asked, and ended; then another."""

import asyncio
import os
import sys
from asyncio import subprocess
from contextlib import suppress

from numduel.thinking.thinker import LONGEST

_READY_WITHIN = 60.0  # seconds that a new process has until it is ready
_AGAIN = 1.0  # seconds after which another process is tried when one could not be started


class Lost(Exception):
    """The process ended before it answered."""


class ThinkerProcess:
    """A process with so many bytes, and seconds for a question. `end` has to be awaited last."""

    def __init__(self, memory: int, seconds: float) -> None:
        self._limits = str(memory), str(seconds)
        self._process: subprocess.Process | None = None
        self._questions: asyncio.StreamWriter
        self._answers: asyncio.StreamReader
        self._is_ready = False
        self._in_use = asyncio.Lock()

    @property
    def number(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def is_gone(self) -> bool:
        process = self._process
        is_alive = self._is_ready and process is not None and process.returncode is None
        return not is_alive or self._answers.at_eof()

    async def ready(self) -> None:
        """Start a process where there is none, and wait until it can be asked."""
        async with self._in_use:
            while self.is_gone:
                await self.end()
                try:
                    await self._begin()
                    async with asyncio.timeout(_READY_WITHIN):
                        await self._read()
                    self._is_ready = True
                except (Lost, OSError):  # a timeout too
                    await asyncio.sleep(_AGAIN)

    async def _begin(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "numduel.thinking.thinker", *self._limits),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            limit=2 * LONGEST,
            start_new_session=True,  # no key pressed at the server's terminal reaches it
            # It does not get the server's passwords.
            env={k: v for k, v in os.environ.items() if not k.startswith("NUMDUEL_")},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._questions, self._answers = process, process.stdin, process.stdout

    async def ask(self, request: bytes) -> bytes:
        """The line that it answers. Raises `Lost`; after that, or cut off, it has to get ready."""
        async with self._in_use:
            self._is_ready = False
            try:
                self._questions.write(request + b"\n")
                await self._questions.drain()
            except ConnectionError as error:
                raise Lost from error
            reply = await self._read()
            self._is_ready = not reply.startswith(b'{"broken"')
            return reply

    async def _read(self) -> bytes:
        try:
            return (await self._answers.readuntil(b"\n"))[:-1]
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise Lost from error

    async def end(self) -> None:
        """Kill it, and wait until nothing is left of it."""
        if self._process is None:
            return
        self._is_ready = False
        with suppress(ProcessLookupError):
            self._process.kill()
        self._questions.close()
        while await self._answers.read(LONGEST):
            pass  # what it said last is of no interest, but the pipe closes only when it is read
        await self._process.wait()
        self._process = None
