"""Who asks much does not keep others waiting, and pays for the thinking."""

import asyncio

import pytest

from loops import on_loop
from numduel.errors import TooBusy, TookTooLong, TooManyRequests
from numduel.thinking import rate
from numduel.thinking.meter import VISIT, Meter
from numduel.thinking.questions import position
from numduel.thinking.rate import Rate
from numduel.thinking.thinkers import Thinkers
from numduel.thinking.waiting_line import Asked, WaitingLine

METER = Meter(1)


@pytest.fixture(autouse=True)
def nobody_is_known() -> None:
    METER.__init__(1)  # type: ignore[misc]


def _asked(line: WaitingLine, asker: bytes, name: str) -> Asked:
    reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    return Asked(name, b"", METER.visit(asker, None, {}), line, reply)


def _line(most: int, *askers: bytes) -> WaitingLine:
    line = WaitingLine(most)
    for number, asker in enumerate(askers, 1):
        line.add(_asked(line, asker, f"{asker.decode()}{number}"))
    return line


def _taken(line: WaitingLine) -> list[str]:
    found = [line.take() for _ in range(len(line))]
    return [asked.question for asked in found if asked]


@on_loop
async def test_askers_take_turns_and_each_in_order() -> None:
    taken = _taken(_line(9, b"a", b"a", b"a", b"b", b"c", b"b"))
    assert taken == ["a1", "b4", "c5", "a2", "b6", "a3"]
    line = _line(9, b"d", b"e", b"d")
    first = line.take()
    assert first
    line.put_back(first)
    assert _taken(line) == ["d1", "e2", "d3"], "what is put back is next"
    line = _line(9, b"f", b"f")
    assert line.take()
    line.add(_asked(line, b"g", "g"))
    assert _taken(line) == ["g", "f2"], "who was served before stands behind who was not"
    line = _line(9, b"h", b"i")
    METER.visit(b"h", None, {}).pay(1.0)
    assert _taken(line) == ["i2", "h1"], "and who is past the share behind who is within it"


@on_loop
async def test_in_a_full_line_who_has_the_most_gives_way() -> None:
    line = _line(4, b"a", b"a", b"b", b"a")
    newest = line._waiting[-1]
    with pytest.raises(TooBusy):
        line.add(_asked(line, b"a", "a"))
    line.add(_asked(line, b"c", "c"))
    assert isinstance(newest.reply.exception(), TooBusy)
    assert newest not in line
    with pytest.raises(TooBusy):
        line.add(_asked(line, b"b", "b"))  # nobody has more than b would have then
    assert _taken(line) == ["a1", "b3", "c", "a2"]
    with pytest.raises(TooBusy):
        WaitingLine(0).add(newest)


ANN, BEN = b"ann", b"ben"
HARD = "subtract-a-prime:1" + "0" * 3_000


def test_a_rate_is_refilled_evenly_and_forgets_who_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    tenth = Rate(10, 1, 5)
    assert [tenth.take(ANN, 100.0) for _ in range(6)] == [0.0] * 5 + [pytest.approx(0.1)]
    assert tenth.take(ANN, 100.1) == 0.0
    tenth.take(BEN, 100.0 + rate.FORGET_SECONDS)
    assert len(tenth) == 1, "Ann's is full again"
    monkeypatch.setattr(rate, "MOST_CLIENTS", 100)
    for number in range(1_000):
        tenth.take(number.to_bytes(2), 200.0)
        assert len(tenth) <= 100
    assert [tenth.take((999).to_bytes(2), 200.0) for _ in range(5)][-1] > 0, "the last is known"


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
        tasks = [asyncio.create_task(ask(ANN, board)) for board in boards]
        ended = [type(e) for e in await asyncio.gather(*tasks, return_exceptions=True)]
        assert set(ended) == {TookTooLong, TooManyRequests}
        assert ended.count(TookTooLong) <= 3, "as many as two seconds pay for"
        with pytest.raises(TooManyRequests):
            await asyncio.create_task(ask(ANN, "divisor-duel:64"))
        await asyncio.create_task(ask(BEN, "divisor-duel:64"))
        await asyncio.create_task(ask(ANN, "divisor-duel:64"))  # known by now: nobody thinks
    finally:
        await thinkers.close()
