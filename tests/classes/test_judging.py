"""Matches of a class are judged as they end: each once, however often thinkers refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from classes.taught import PLAN, four_rounds, kept_in_four_rounds, teaching
from loops import on_loop
from numduel.classes.actions import EndRound, StartRound
from numduel.classes.learned import Learned
from numduel.errors import StoreError, TooBusy, TooManyRequests, Unanswerable
from numduel.match import read_notation
from numduel.thinking.questions import looking_back
from rooms.lobbies import Thinking, write


class Refusing(Thinking):
    """Their line is full, and whoever asks has no time left, three times out of four."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0
        self.judged: list[str] = []

    async def ask(self, question: Callable[..., Any], /, **values: Any) -> Any:
        if question is looking_back.analysis:
            self.tries += 1
            if self.tries % 4:
                raise TooManyRequests(what="questions", seconds=0) if self.tries % 2 else TooBusy()
            self.judged.append(values["match"])
        return await super().ask(question, **values)


@on_loop
async def test_four_rounds_of_30_pupils_are_judged_once(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.classes.classes._AGAIN", 0.0)
    thinking = Refusing()
    async with teaching(file, *map(str, range(30)), thinking=thinking) as taught:
        await four_rounds(taught)
        waiting = True
        while waiting:
            found = [one for _, one in await taught.classes.learned(taught.code, taught.teacher)]
            for one in found:
                assert (one.matches, one.finished, one.playing, one.idle) == (15, 15, 0, ())
            waiting = any(one.waiting for one in found)
        assert [(one.kept, one.keepable) for one in found] == kept_in_four_rounds()
        assert len(thinking.judged) == 60, "none twice, and none again for another look"
        assert thinking.tries == 4 * 60


@on_loop
async def test_a_match_that_goes_on_is_judged_when_its_round_ends(place: str) -> None:
    class Stumped(Thinking):
        async def ask(self, question: Callable[..., Any], /, **values: Any) -> Any:
            if question is looking_back.analysis and not read_notation(values["match"]).turns:
                raise Unanswerable(kind="Lost", message="")
            return await super().ask(question, **values)

    async with teaching(place, "Ann", "Ben", "Cleo", "Dan", thinking=Stumped()) as taught:
        await taught.teach(StartRound(PLAN))
        room = await taught.room("Ann")
        await taught.play(await taught.to_move(room), "30")

        async def learned() -> Learned:
            ((_, found),) = await taught.classes.learned(taught.code, taught.teacher)
            return found

        found = await learned()
        assert (found.playing, found.waiting, found.keepable, len(found.idle)) == (2, 0, 0, 3)
        version = await taught.classes.wall_version(taught.code, taught.teacher)
        await taught.teach(EndRound())
        found = await learned()
        assert (found.playing, found.waiting, found.too_hard) == (0, 0, 1)
        assert (found.finished, found.kept, found.keepable) == (0, 0, 1)
        assert found.mistake is not None
        assert await taught.classes.wall_version(taught.code, taught.teacher) > version + 3
        for wrong in ("nonsense", "[1]", "[[1], 2, 3]", '[[0, 0], [0, 0], [[1, "x", "1", null]]]'):
            write(place, f"UPDATE rounds SET judged = '{wrong}'")
            with pytest.raises(StoreError):
                await learned()
