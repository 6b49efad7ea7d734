"""Processes that answer expensive questions within a time limit, for a server that cannot wait.

A question that takes too long is ended together with its process. A client that asks a lot delays
only itself: the lines are fair, thinking is paid for, and whoever is past their share never has
all thinkers, and makes way for those who are not.
"""

import asyncio
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from inspect import signature
from time import monotonic
from typing import ParamSpec, TypeVar

from numduel.errors import TooBusy, TookTooLong, TooManyRequests, Unanswerable
from numduel.thinking.meter import VISIT
from numduel.thinking.questions import QUESTIONS, position
from numduel.thinking.thinker_process import Lost, ThinkerProcess
from numduel.thinking.waiting_line import Asked, WaitingLine

P = ParamSpec("P")
A = TypeVar("A", bound=Mapping[str, object])

_NAMES = {question: name for name, question in QUESTIONS.items()}

_QUICK = {position.move, position.moves}
"""Questions of a match that goes on. Where there are several thinkers, one answers only these."""
_QUICK_SECONDS = 1.0
"""What that one spends on a question. Whatever takes longer is none of these, and is asked again
in the other line: so nobody's next move waits for many hard boards of others."""

_NEVER_KNOWN = {position.move}  # questions whose answers differ each time, since their seed does
_PATIENCE = 2
_LEAST_PATIENCE = 5.0
"""A question waits for its turn at most this many time limits, or this many seconds."""
UNASKED = 0.0
"""Seconds until the processes start where nobody asks: people's first question finds them ready."""
_WAY = 0.5
"""Seconds that those within their share wait for those past it: then one of these is stopped."""
_AGAIN = 1.0  # seconds after which another process is tried when one could not be started
_BROKEN = b'{"broken"'  # how the reply of a process that should not be asked again begins
_MOST_LOST = 3
"""A question during which this many processes ended is not asked again: it may be the cause."""
_ENTRY = 300  # bytes that Python needs for one entry besides its texts
_ENDED = "The process that worked on this question ended. It may need too much memory."


class Thinkers:
    """Some processes, each with `memory` bytes at most and `seconds` for a question.

    At most `waiting` questions wait for their turn, and as many quick ones. Whoever asks pays
    for what the processes work. Each server process has thinkers of its own, used in one event
    loop.
    """

    def __init__(
        self,
        count: int = 2,
        seconds: float = 5.0,
        waiting: int = 64,
        memory: int = 1 << 30,
    ) -> None:
        self._count, self._seconds = count, seconds
        self._memory = memory
        self._quick, self._other = WaitingLine(waiting), WaitingLine(waiting)
        self._news = asyncio.Condition()
        self._wanted = asyncio.Event()
        self._known = KnownAnswers()
        self._running: dict[Asked, tuple[asyncio.Timeout, tuple[WaitingLine, ...]]] = {}
        """What is worked on; how to stop it, and the lines that wait for its process."""
        self._workers: list[asyncio.Task[None]] = []
        self._processes: set[ThinkerProcess] = set()

    @property
    def processes(self) -> list[int]:
        return [process.number for process in self._processes]

    async def start(self) -> None:
        """Start the processes soon, or with the first question; they are ready a little later."""
        self._news, self._wanted = asyncio.Condition(), asyncio.Event()
        asyncio.get_running_loop().call_later(UNASKED, self._wanted.set)
        for number in range(self._count):
            only_quick = number == 0 and self._count > 1
            lines = (self._quick,) if only_quick else (self._quick, self._other)
            self._workers.append(asyncio.create_task(self._work(lines)))

    async def close(self) -> None:
        """End all processes. Whoever still waits for an answer gets `TooBusy`."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        for process in list(self._processes):  # a worker that was ending one left it
            await self._end(process)
        for line in (self._quick, self._other):
            line.tell_all(TooBusy())

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
        line = self._quick if QUESTIONS[name] in _QUICK else self._other
        if not self._workers:
            raise TooBusy()
        loop, asker = asyncio.get_running_loop(), VISIT.get()
        asked = Asked(name, request, asker, line, loop.create_future())
        asker.check_thinking()
        line.add(asked)
        asker.step_aside()
        self._wanted.set()
        patience = max(_PATIENCE * self._seconds, _LEAST_PATIENCE)
        expiry = loop.call_later(patience, asked.expire)
        loop.call_later(_WAY, self._make_way, asked)
        try:
            async with self._news:
                self._news.notify_all()
            return await asked.reply
        finally:
            expiry.cancel()
            asked.line.remove(asked)

    async def _work(self, lines: tuple[WaitingLine, ...]) -> None:
        """Keep one process, and hand it questions from these lines, the first line first."""
        process: ThinkerProcess | None = None
        seconds = self._seconds if self._other in lines else min(self._seconds, _QUICK_SECONDS)
        await self._wanted.wait()
        try:
            while True:
                if process is None or process.is_gone:
                    await self._end(process)
                    process = None
                    process = await self._begin()
                asked = await self._next(lines)
                if process.is_gone:  # while it had nothing to do
                    asked.line.put_back(asked)
                    continue
                can_go_on = await self._answer(asked, process, seconds, lines)
                async with self._news:  # the client's next question may be taken now
                    self._news.notify_all()
                if not can_go_on:
                    await self._end(process)
                    process = None
        finally:
            await self._end(process)

    async def _next(self, lines: tuple[WaitingLine, ...]) -> Asked:
        """The next question that somebody still waits for, and whose answer is not known."""
        while True:
            async with self._news:
                while not (asked := next(filter(None, map(self._taken, lines)), None)):
                    await self._news.wait()
            known = self._known.get(asked.request)  # somebody has asked the same meanwhile
            if known is not None:
                asked.tell(known)
            elif not asked.reply.done():
                try:
                    asked.asker.check_thinking()  # other questions may have cost a lot meanwhile
                    return asked
                except TooManyRequests as error:
                    asked.tell(error)

    def _taken(self, line: WaitingLine) -> Asked | None:
        """The line's next question. Whoever is past their share leaves a process to the others."""
        most, busy = max(1, self._count - 1), Counter(one.asker.limited for one in self._running)
        return line.take(lambda a: not a.asker.is_past or busy[a.asker.limited] < most)

    def _make_way(self, asked: Asked) -> None:
        """While somebody within their share waits, stop what another address has past its own."""
        if asked not in asked.line or asked.asker.is_past:
            return
        address = asked.asker.account.address
        for other, (limit, lines) in self._running.items():
            is_other = other.asker.account.address is not address
            if is_other and other.asker.is_past and asked.line in lines and not limit.expired():
                limit.reschedule(0)
                break
        asyncio.get_running_loop().call_later(_WAY, self._make_way, asked)

    async def _answer(
        self,
        asked: Asked,
        process: ThinkerProcess,
        seconds: float,
        lines: tuple[WaitingLine, ...],
    ) -> bool:
        """Have the process answer within so long. Can it be asked again?

        It finishes even if nobody waits any more, so that no half answer is left in its pipe.
        """
        begun, limit = monotonic(), asyncio.timeout(None)
        self._running[asked] = limit, lines
        try:
            async with limit:
                reply = await process.ask(asked.request, seconds)
        except TimeoutError:
            if seconds < self._seconds:
                await self._move_on(asked)
            elif limit.expired():
                asked.tell(TooBusy())
            else:
                asked.tell(TookTooLong(question=asked.question, seconds=seconds))
            return False
        except Lost:
            asked.lost += 1
            if asked.lost < _MOST_LOST:
                asked.line.put_back(asked)
            else:
                asked.tell(Unanswerable(kind="Lost", message=_ENDED))
            return False
        except asyncio.CancelledError:
            asked.tell(TooBusy())
            raise
        finally:
            del self._running[asked]
            asked.asker.pay_thinking(monotonic() - begun)
        asked.tell(reply)
        if reply.startswith(_BROKEN):
            return False
        if QUESTIONS[asked.question] not in _NEVER_KNOWN:
            self._known.add(asked.request, reply)
        return True

    async def _move_on(self, asked: Asked) -> None:
        """From the quick line into the other one, unless nobody waits for it any more."""
        asked.line = self._other
        try:
            if not asked.reply.done():
                self._other.add(asked)
        except TooBusy as error:
            asked.tell(error)
        async with self._news:
            self._news.notify_all()

    async def _begin(self) -> ThinkerProcess:
        while True:
            process = None
            try:
                process = await ThinkerProcess.begin(self._memory, self._seconds)
                self._processes.add(process)
                await process.ready()
                return process
            except (Lost, OSError):
                await self._end(process)
            except asyncio.CancelledError:
                await self._end(process)
                raise
            await asyncio.sleep(_AGAIN)

    async def _end(self, process: ThinkerProcess | None) -> None:
        if process is not None:
            await process.end()
            self._processes.discard(process)


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
