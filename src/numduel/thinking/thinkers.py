"""Processes that answer expensive questions within a time limit, for a server that cannot wait.

A question that takes too long is ended together with its process. A client that asks a lot delays
only itself: turns are fair, thinking is paid for, and whoever is past their share never has all
thinkers, and makes way for those who are not.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from inspect import signature
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from numduel.errors import TooBusy, TookTooLong, Unanswerable
from numduel.thinking.meter import VISIT, Visit
from numduel.thinking.questions import QUESTIONS
from numduel.thinking.thinker_process import Lost, ThinkerProcess
from numduel.thinking.turns import Turns

P = ParamSpec("P")
A = TypeVar("A", bound=Mapping[str, object])
T = TypeVar("T")

_NAMES = {question: name for name, question in QUESTIONS.items()}

_QUICK = {"move", "moves"}  # of a match under way: one of several thinkers answers only these
_QUICK_SECONDS = 1.0
"""What that one spends on a question. Whatever takes longer is none of these, and is asked again
of the others: so nobody's next move waits for many hard boards of others."""

_NEVER_KNOWN = {"move"}  # questions whose answers differ each time, since their seed does
_PATIENCE = 2  # time limits that a question waits for its turn at most
_LEAST_PATIENCE = 5.0  # seconds, where that is longer
UNASKED = 0.0  # seconds until the processes start unasked: people's first question finds them ready
_WAY = 0.5  # seconds that those within their share wait before one past it is stopped
_MOST_LOST = 3  # a question that this many processes ended over is dropped: it may be the cause
_ENTRY = 300  # bytes that Python needs for one entry besides its texts
_ENDED = "The process that worked on this question ended. It may need too much memory."


class _Line:
    """Some of the processes, each asked in turn, with so many seconds for a question."""

    def __init__(self, processes: list[ThinkerProcess], seconds: float, waiting: int) -> None:
        count = len(processes)
        self.turns = Turns(count, past=max(1, count - 1), waiting=waiting)
        self.free, self.seconds = processes, seconds
        self.running: dict[asyncio.Timeout, tuple[Visit, float]] = {}
        """How to stop each question, whose it is, and since when."""

    def is_past(self, visit: Visit) -> bool:
        """Is the address past its share, with what is still worked on for it?"""
        now, address = monotonic(), visit.account.address
        running = [begun for one, begun in self.running.values() if one.account.address is address]
        return visit.is_past_after(sum(now - begun for begun in running))


class Thinkers:
    """Some processes, each with `memory` bytes at most and `seconds` for a question.

    At most `waiting` questions wait for their turn, and as many quick ones. Whoever asks pays
    for what the processes work. Each server process has thinkers of its own, used in one event
    loop.
    """

    def __init__(
        self, count: int = 2, seconds: float = 5.0, waiting: int = 64, memory: int = 1 << 30
    ) -> None:
        self._patience = max(_PATIENCE * seconds, _LEAST_PATIENCE)
        self._all = [ThinkerProcess(memory, seconds) for _ in range(count)]
        quick = count > 1
        self._other = _Line(self._all[quick:], seconds, waiting)
        self._lines = [self._other]
        if quick:
            self._lines.insert(0, _Line(self._all[:1], min(seconds, _QUICK_SECONDS), waiting))
        self._known = KnownAnswers()
        self._is_open = False
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def processes(self) -> list[int]:
        return [process.number for process in self._all if process.number]

    async def start(self) -> None:
        """Start the processes soon, or with the first question; they are ready a little later."""
        self._is_open = True
        asyncio.get_running_loop().call_later(UNASKED, self._begin)

    def _begin(self) -> None:
        for process in self._all if self._is_open else ():
            self._run(process.ready())

    async def close(self) -> None:
        """End all processes. Whoever still waits for an answer gets `TooBusy`."""
        self._is_open = False
        for line in self._lines:
            line.turns.refuse_all(TooBusy())
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for process in self._all:
            await process.end()

    async def ask(self, question: Callable[P, A], /, *args: P.args, **kwargs: P.kwargs) -> A:
        """The answer of a question of `numduel.thinking.questions` to these values.

        Raises `TookTooLong`, `TooBusy`, `TooManyRequests` from a client without thinking left, and
        `Unanswerable` with the kind and the sentence of what the question raised, or where it
        needed too much memory. When a process is killed over the question, another one is asked. A
        function that is not in the list is a `ValueError`, other values are a `TypeError`.
        """
        name = _NAMES.get(question)
        if name is None:
            raise ValueError(f"{question} is not a question")
        bound = signature(question).bind(*args, **kwargs)
        bound.apply_defaults()
        request = json.dumps({"question": name, "values": bound.arguments}).encode()
        reply = json.loads(self._known.get(request) or await self._asked(name, request))
        if "answer" not in reply:
            raise Unanswerable(**(reply.get("problem") or reply["broken"]))
        answer: A = reply["answer"]
        return answer

    async def _asked(self, name: str, request: bytes) -> bytes:
        if not self._is_open:
            raise TooBusy()
        asker = VISIT.get()
        asker.check_thinking()
        asker.step_aside()
        lines = self._lines if name in _QUICK else [self._other]
        line = next((one for one in lines if one.turns.has_room(asker.account)), lines[0])
        reply = await self._in_turn(line, asker, name, request)
        return reply or await self._in_turn(self._other, asker, name, request)

    async def _in_turn(self, line: _Line, asker: Visit, name: str, request: bytes) -> bytes:
        """Wait for a turn, and have it answered; b"" where the other line is to be asked.

        A process finishes even if nobody waits any more: so no half answer is left in its pipe.
        """

        def done(task: asyncio.Task[bytes]) -> None:
            line.turns.leave(asker.account)
            if not task.cancelled():
                task.exception()  # nobody may hear of it any more

        making_way = self._run(self._make_way(line, asker))
        try:
            async with asyncio.timeout(self._patience):
                await line.turns.wait(asker.account)
        except TimeoutError:
            raise TooBusy() from None
        finally:
            making_way.cancel()
        answering = self._run(self._answer(line, asker, name, request))
        answering.add_done_callback(done)
        return await asyncio.shield(answering)

    async def _make_way(self, line: _Line, asker: Visit) -> None:
        """Stop what another address has past its share, for as long as this one is within it."""
        while True:
            await asyncio.sleep(_WAY)
            for limit, (other, _) in line.running.items():
                if line.is_past(other) and not line.is_past(asker):
                    limit.reschedule(0)
                    del line.running[limit]
                    break

    async def _answer(self, line: _Line, asker: Visit, name: str, request: bytes) -> bytes:
        """What a process of this line says, with a turn to ask one."""
        if known := self._known.get(request):  # somebody has asked the same meanwhile
            return known
        asker.check_thinking()  # other questions may have cost a lot meanwhile
        process = line.free.pop()
        try:
            for _ in range(_MOST_LOST):
                if process.is_gone:
                    async with asyncio.timeout(self._patience):
                        await asyncio.shield(self._run(process.ready()))
                with suppress(Lost):
                    return await self._worked(line, process, asker, name, request)
            raise Unanswerable(kind="Lost", message=_ENDED)
        except (asyncio.CancelledError, TimeoutError):
            raise TooBusy() from None
        finally:
            line.free.append(process)
            if process.is_gone and self._is_open:
                self._run(process.ready())

    async def _worked(
        self, line: _Line, process: ThinkerProcess, asker: Visit, name: str, request: bytes
    ) -> bytes:
        """The reply of the process, in time and paid for. Raises `Lost`."""
        begun, limit = monotonic(), asyncio.timeout(line.seconds)
        line.running[limit] = asker, begun
        try:
            async with limit:
                reply = await process.ask(request)
            if not process.is_gone and name not in _NEVER_KNOWN:
                self._known.add(request, reply)
            return reply
        except TimeoutError:
            if limit not in line.running:  # it made way
                raise
            if line.seconds < self._other.seconds:
                return b""
            raise TookTooLong(question=name, seconds=line.seconds) from None
        finally:
            line.running.pop(limit, None)
            asker.pay_thinking(monotonic() - begun)

    def _run(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class KnownAnswers:
    """Answers by question, as bytes; those not asked for the longest are forgotten first."""

    def __init__(self, room: int = 16 << 20, longest: int = 1 << 18) -> None:
        self._room = room
        self._longest = longest
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()

    def get(self, question: bytes) -> bytes | None:
        answer = self._answers.get(question)
        if answer is not None:
            self._answers.move_to_end(question)
        return answer

    def add(self, question: bytes, answer: bytes) -> None:
        if question in self._answers or len(question) + len(answer) > self._longest:
            return
        self._answers[question] = answer
        self._room -= len(question) + len(answer) + _ENTRY
        while self._room < 0:
            self._room += sum(map(len, self._answers.popitem(last=False))) + _ENTRY
