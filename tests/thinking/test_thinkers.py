"""Thinkers: real processes that answer, are ended in time, and leave nothing behind."""

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from loops import on_loop
from numduel import Board, solve
from numduel.errors import NumduelError, TooBusy, TookTooLong, TooManyRequests, Unanswerable
from numduel.thinking.meter import VISIT, Meter
from numduel.thinking.questions import learning, looking_back, position
from numduel.thinking.thinker_process import ThinkerProcess
from numduel.thinking.thinkers import KnownAnswers, Thinkers
from patience import PATIENT, is_running

HARD = f"subtract-a-prime:{'1' * 3500}"
"""A verdict that takes a minute, and primality tests that cannot be interrupted."""

SEMIPRIME = 2997753088330301069698583 * 6631431340571272782392269
"""Some tenths of a second in one call of C."""

MERSENNE = f"divisor-duel:{2**11213 - 1}"
"""A prime: half a second or more in one call of C."""


@pytest.fixture(autouse=True)
def nothing_is_left_open() -> Iterator[None]:
    """What is left open warns here, and warnings are errors."""
    yield
    gc.collect()


@asynccontextmanager
async def thinking(seconds: float = PATIENT, **options: Any) -> AsyncIterator[Thinkers]:
    thinkers = Thinkers(seconds=seconds, **options)
    await thinkers.start()
    seen: set[int] = set()
    try:
        yield thinkers
        seen = set(thinkers.processes)
    finally:
        await thinkers.close()
    assert not thinkers.processes
    assert not [number for number in seen if Path(f"/proc/{number}").exists()]


async def problem(asking: Awaitable[Any]) -> NumduelError:
    with pytest.raises(NumduelError) as caught:
        await asking
    return caught.value


async def until(true: Any, seconds: float = PATIENT) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.01)


async def outcome(thinkers: Thinkers, board: str) -> str:
    return str((await thinkers.ask(position.verdict, board=board))["outcome"])


@on_loop
async def test_answers_are_those_of_the_questions() -> None:
    asked: list[tuple[Callable[..., Any], dict[str, Any]]] = [
        (position.moves, {"board": "subtract-a-prime:20+divisor-duel:60", "most": 12}),
        (position.move, {"board": "subtract-a-prime:20", "player": "level:2", "seed": "a seed"}),
        (position.hint, {"board": "divisor-duel:60", "step": 2}),
        (position.verdict, {"board": "prime-subtractor:99~misere"}),
        (position.verdict, {"board": f"subtract-a-prime:{10**399 + 7}"}),
        (position.map_of, {"board": "divisor-duel:2", "to": 10_000, "values": True}),
        (looking_back.analysis, {"match": "divisor-duel:60/2.2.7", "names": "Ann,Bo\u017eena"}),
        (learning.duel, {"day": "2026-11-15", "played": ""}),
        (learning.puzzle, {"seed": "a", "place": 3}),
        (learning.answer, {"seed": "x", "kind": "power-play", "text": "1"}),
        (learning.lesson, {"game": "power-play"}),
        (learning.step, {"game": "divisor-duel", "step": 1, "text": "3"}),
    ]
    async with thinking() as thinkers:
        answers = await asyncio.gather(*(thinkers.ask(q, **values) for q, values in asked))
        before = set(thinkers.processes)
        again = await asyncio.gather(*(thinkers.ask(q, **values) for q, values in asked))
        assert set(thinkers.processes) == before, "no process is started for a question"
        assert answers == again == [question(**values) for question, values in asked]
        assert len(json.dumps(answers[5])) > 100_000, "longer than a pipe and a stream's limit"
        many = f"divisor-duel:{2**3000 * 3**1500 * 5**500 * 7**300}"
        for kind, question, values in (
            ("UnknownGame", position.verdict, {"board": "nope:3"}),
            ("InvalidNumber", learning.step, {"game": "divisor-duel", "step": 1, "text": "x"}),
            ("TooLong", position.moves, {"board": many, "most": 1000}),
        ):
            error = await problem(thinkers.ask(question, **values))
            assert isinstance(error, Unanswerable), "errors come back as sentences"
            assert error.kind == kind
        with pytest.raises(ValueError, match="exec"):
            await thinkers.ask(exec, "x")
        with pytest.raises(TypeError):
            await thinkers.ask(position.verdict, bored="x")


@on_loop
async def test_a_hard_question_is_ended_while_others_are_answered() -> None:
    async with thinking(seconds=0.3, count=3) as thinkers:
        await until(lambda: len(thinkers.processes) == 3)
        hard = [
            asyncio.create_task(problem(thinkers.ask(position.verdict, board=HARD))),
            asyncio.create_task(problem(thinkers.ask(position.moves, board=MERSENNE))),
        ]
        answered = 0
        while not all(task.done() for task in hard):
            board = f"divisor-duel:{60 + answered}"
            with suppress(TookTooLong):  # on a busy machine, this may be short for anything
                assert await outcome(thinkers, board) == solve(board).outcome
                answered += 1
        assert answered > 1, "it was still thought about"
        errors = [await task for task in hard]
        assert [type(error) for error in errors] == [TookTooLong] * 2
        assert [error.question for error in errors] == ["verdict", "moves"]
        assert {error.seconds for error in errors} == {0.3}


@on_loop
async def test_hard_questions_do_not_hold_up_a_match() -> None:
    async with thinking() as thinkers:
        hard = [
            asyncio.create_task(problem(thinkers.ask(position.verdict, board=f"{HARD}{last}")))
            for last in range(5)
        ]
        # What a match asks for can be as hard, and is asked of the one that is kept for matches.
        for seed in range(3):
            asking = thinkers.ask(position.move, board=HARD, player="perfect", seed=seed)
            hard.append(asyncio.create_task(problem(asking)))
        await asyncio.sleep(0)
        answer = await thinkers.ask(position.move, board="divisor-duel:6", player="perfect", seed=1)
        assert answer == {"move": "3"}
        assert not any(task.done() for task in hard)
        await thinkers.close()
        assert {type(await task) for task in hard} == {TooBusy}
        late = await problem(thinkers.ask(position.hint, board="divisor-duel:6"))
        assert isinstance(late, TooBusy)


@on_loop
async def test_who_is_past_the_share_makes_way_for_who_is_not() -> None:
    meter = Meter(0.1)

    def asking(address: bytes, board: str) -> asyncio.Task[str]:
        VISIT.set(meter.visit(address, None, {}))
        return asyncio.create_task(outcome(thinkers, board))

    meter.visit(b"greedy", None, {}).pay(100)
    async with thinking() as thinkers:
        hard = asking(b"greedy", HARD)
        await until(lambda: thinkers._other.running)
        same = asking(b"greedy", "divisor-duel:7")
        assert await asking(b"modest", "divisor-duel:6") == "win"
        assert isinstance(await problem(hard), TooBusy)
        assert await same == "loss", "it went on when the other was answered"


@on_loop
async def test_what_is_still_worked_on_counts_for_the_share() -> None:
    """One hard question takes an address past its share long before it is paid for."""
    meter = Meter(0.1)

    def asking(address: bytes, board: str) -> asyncio.Task[str]:
        VISIT.set(meter.visit(address, None, {}))
        return asyncio.create_task(outcome(thinkers, board))

    async with thinking() as thinkers:
        hard = asking(b"idle until now", HARD)
        await until(lambda: thinkers._other.running)
        assert not meter.visit(b"idle until now", None, {}).is_past
        assert await asking(b"modest", "divisor-duel:6") == "win"
        assert isinstance(await problem(hard), TooBusy)


@on_loop
async def test_whoever_asks_pays_for_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for questions that were asked before the budget was used up, but not begun."""
    monkeypatch.setattr("numduel.thinking.thinkers._LEAST_PATIENCE", 60.0)
    thinkers, meter = Thinkers(count=2, seconds=1.0), Meter(thinking=2)
    await thinkers.start()

    async def ask(asker: bytes, board: str) -> object:
        VISIT.set(meter.visit(asker, None, {}))
        return await thinkers.ask(position.verdict, board=board)

    try:
        boards = [HARD[:-1] + str(last) for last in range(6)]
        tasks = [asyncio.create_task(ask(b"ann", board)) for board in boards]
        ended = [type(e) for e in await asyncio.gather(*tasks, return_exceptions=True)]
        assert set(ended) == {TookTooLong, TooManyRequests}
        assert ended.count(TookTooLong) <= 3, "as many as two seconds pay for"
        with pytest.raises(TooManyRequests):
            await asyncio.create_task(ask(b"ann", "divisor-duel:64"))
        await asyncio.create_task(ask(b"ben", "divisor-duel:64"))
        await asyncio.create_task(ask(b"ann", "divisor-duel:64"))  # known by now: nobody thinks
    finally:
        await thinkers.close()


@on_loop
async def test_questions_beyond_the_queue_are_told_so() -> None:
    async with thinking(count=1, waiting=2) as thinkers:
        asking = [
            asyncio.create_task(thinkers.ask(position.hint, board=f"divisor-duel:{number}"))
            for number in range(60, 66)
        ]
        answers = await asyncio.gather(*asking, return_exceptions=True)
        assert [isinstance(answer, TooBusy) for answer in answers] == [False] * 3 + [True] * 3


@on_loop
async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.thinking.thinkers._LEAST_PATIENCE", 0.5)
    async with thinking(count=1, seconds=0.2) as thinkers:
        asking = [
            problem(thinkers.ask(position.verdict, board=f"{HARD}{last}")) for last in range(9)
        ]
        began = time.perf_counter()
        errors = [type(error) for error in await asyncio.gather(*asking)]
        assert time.perf_counter() - began < PATIENT / 4
        assert set(errors) <= {TookTooLong, TooBusy}
        assert errors[-1] is TooBusy


@on_loop
async def test_a_question_that_was_left_does_not_mix_answers_up() -> None:
    async with thinking(count=1) as thinkers:
        await thinkers.ask(position.hint, board="divisor-duel:6")
        left = asyncio.create_task(thinkers.ask(position.moves, board=f"divisor-duel:{SEMIPRIME}"))
        waiting = asyncio.create_task(thinkers.ask(position.hint, board="divisor-duel:8"))
        await asyncio.sleep(0.05)
        left.cancel()
        waiting.cancel()
        for number in range(10, 20):
            board = Board.parse(f"subtract-a-prime:{number}")
            answer = await thinkers.ask(position.verdict, board=str(board))
            assert (answer["board"], answer["outcome"]) == (str(board), solve(board).outcome)
        assert left.cancelled()
        assert waiting.cancelled()


def kill_while_thinking(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Kill so many processes just after a question was handed to them; their numbers."""
    killed: list[int] = []
    ask = ThinkerProcess.ask

    async def ask_and_kill(self: ThinkerProcess, request: bytes) -> bytes:
        if len(killed) >= times:
            return await ask(self, request)
        assert self.number
        killed.append(self.number)
        os.kill(self.number, signal.SIGSTOP)  # so that it cannot have answered before
        asking = asyncio.create_task(ask(self, request))
        await asyncio.sleep(0)
        os.kill(self.number, signal.SIGKILL)
        return await asking

    monkeypatch.setattr(ThinkerProcess, "ask", ask_and_kill)
    return killed


@on_loop
async def test_a_killed_process_is_replaced_and_the_question_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed = kill_while_thinking(monkeypatch, 2)
    async with thinking(count=1) as thinkers:
        assert await outcome(thinkers, "divisor-duel:7") == "loss"
        assert len(set(killed)) == 2
        (idle,) = thinkers.processes
        os.kill(idle, signal.SIGKILL)
        await until(lambda: not is_running(idle))
        await asyncio.sleep(0.05)
        monkeypatch.undo()
        killed = kill_while_thinking(monkeypatch, 3)
        error = await problem(thinkers.ask(position.verdict, board="divisor-duel:8"))
        assert (error.kind, len(killed)) == ("Lost", 3), "it ends every process, and is given up"
        assert await outcome(thinkers, "divisor-duel:6") == "win"


@on_loop
async def test_no_question_takes_more_memory_than_it_may() -> None:
    async with thinking(count=1, memory=100 << 20) as thinkers:
        board = "subtract-a-prime:999983+divisor-duel:60~misere"
        error = await problem(thinkers.ask(position.verdict, board=board))
        assert error.kind in ("MemoryError", "Lost")
        assert await outcome(thinkers, "divisor-duel:7") == "loss"


@on_loop
async def test_closing_before_the_processes_are_ready() -> None:
    for after in (0.0, 0.1):
        async with thinking():
            await asyncio.sleep(after)


@on_loop
async def test_a_process_that_does_not_start_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        thinkers = Thinkers(count=1, seconds=PATIENT)
        await thinkers.start()
        await asyncio.sleep(0.05)
    assert not thinkers.processes
    assert await outcome(thinkers, "divisor-duel:6") == "win"
    await thinkers.close()


def test_the_system_ends_a_process_whose_time_is_up() -> None:
    request = json.dumps({"question": "verdict", "values": {"board": HARD}})
    with subprocess.Popen(
        [sys.executable, "-m", "numduel.thinking.thinker", str(1 << 30), "0"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdin
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
        child.stdin.write(f"{request}\n")
        child.stdin.flush()
        assert child.wait(PATIENT) == -signal.SIGALRM


def test_answers_are_forgotten_when_there_is_no_room() -> None:
    known = KnownAnswers(room=3 * (10 + 300), longest=12)
    for name in (b"a", b"b", b"c"):
        known.add(name, b"123456789")
    assert known.get(b"a") == b"123456789"
    known.add(b"d", b"123456789")
    assert [known.get(name) is None for name in (b"a", b"b", b"c", b"d")] == [0, 1, 0, 0]
    known.add(b"long", b"123456789")
    assert known.get(b"long") is None
    known = KnownAnswers(room=1 << 20)
    tracemalloc.start()
    for number in range(30_000):
        known.add(b"%d" % number, b"x" * 20)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 1.2 * (1 << 20), "what Python needs for an entry is counted too"
