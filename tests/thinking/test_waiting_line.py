"""The line before the thinkers is fair: who asks much does not keep others waiting."""

from __future__ import annotations

import asyncio

import pytest

from loops import on_loop
from numduel.errors import TooBusy
from numduel.thinking.waiting_line import Asked, WaitingLine


def _asked(line: WaitingLine, asker: bytes, name: str) -> Asked:
    reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    return Asked(name, b"", asker, line, reply)


def _line(most: int, *askers: bytes) -> WaitingLine:
    line = WaitingLine(most)
    for number, asker in enumerate(askers, 1):
        line.add(_asked(line, asker, f"{asker.decode()}{number}"))
    return line


def _taken(line: WaitingLine) -> list[str]:
    return [line.take().question for _ in range(len(line))]


@on_loop
async def test_askers_take_turns_and_each_in_order() -> None:
    assert _taken(_line(9, b"a", b"a", b"a", b"b", b"c", b"b")) == [
        "a1", "b4", "c5", "a2", "b6", "a3",
    ]  # fmt: skip
    line = _line(9, b"a", b"b", b"a")
    line.put_back(line.take())
    assert _taken(line) == ["a1", "b2", "a3"], "what is put back is next"
    line = _line(9, b"a", b"a")
    assert line.take().question == "a1"
    line.add(_asked(line, b"b", "b"))
    assert _taken(line) == ["b", "a2"], "who was served before stands behind who was not"


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


@on_loop
async def test_few_askers_are_kept_in_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numduel.thinking.waiting_line._MOST_SERVED", 10)
    line = WaitingLine(1)
    for number in range(30):
        line.add(_asked(line, number.to_bytes(), "x"))
        line.take()
        assert len(line._served) <= 10
