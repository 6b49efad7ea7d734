"""Guessing the code of a class."""

from __future__ import annotations

import pytest

from classes.taught import Taught
from numduel.classes import Classes, WrongCodes, wrong_codes
from numduel.errors import NotSeated, TooManyRequests, UnknownClass
from numduel.rooms import new_token
from numduel.thinking.waiting_line import ASKER
from rooms.lobbies import act, running


def test_who_guesses_is_told_nothing_more(place: str) -> None:
    async def main() -> None:
        async with running(place) as lobby:
            taught = Taught(lobby, "", new_token())
            classes = taught.classes = Classes(lobby, WrongCodes(3, 1))
            taught.code = (await classes.open(taught.teacher)).code
            await taught.join("Ann")
            stranger = new_token()
            for code in ("2a3b4", "x", "2a3b5"):
                with pytest.raises(UnknownClass):
                    await classes.look(code, stranger)
            for code in ("2a3b4", "nonsense", taught.code):
                with pytest.raises(TooManyRequests) as caught:
                    await classes.look(code, stranger)
                assert 0 < caught.value.seconds <= 60
                with pytest.raises(TooManyRequests):
                    await classes.join(code, stranger, "Eve")
                with pytest.raises(TooManyRequests):
                    await classes.let_in(code, stranger, "secret")
                with pytest.raises(TooManyRequests):
                    await classes.pause(code, stranger, 1)
            assert (await taught.look("Ann")).me is not None, "behind the same address"
            await taught.teach("pause")
            with pytest.raises(TooManyRequests):
                await classes.pause(taught.code, taught.tokens["Ann"], 1)
            ASKER.set(b"another address")
            assert (await classes.look(taught.code, stranger)).me is None
            with pytest.raises(NotSeated):
                await classes.pause(taught.code, stranger, 1)

    act(main())


def test_a_class_that_has_ended_is_no_guess(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with running(place) as lobby:
            classes, teacher = Classes(lobby, WrongCodes(1, 1)), new_token()
            codes = [(await classes.open(teacher)).code for _ in range(2)]
            for code in codes:
                await classes.look(code, teacher)
                await classes.end(code, teacher)
            for _ in range(40):
                with pytest.raises(UnknownClass):
                    await classes.look(codes[0], new_token())
            monkeypatch.setattr(wrong_codes, "_MOST_CODES", 2)
            kept = (await classes.open(teacher)).code
            await classes.look(kept, teacher)
            with pytest.raises(UnknownClass):
                await classes.look(codes[0], None)
            with pytest.raises(TooManyRequests):
                await classes.look(codes[1], None)

    act(main())
