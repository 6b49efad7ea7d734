"""Which rooms may be opened, and which moves are too long."""

from __future__ import annotations

import time

import pytest

from loops import on_loop
from numduel.errors import (
    InvalidSetup,
    NotAllowed,
    NumduelError,
    TooBusy,
    TookTooLong,
    TooManyDigits,
)
from numduel.match import Ending
from numduel.rooms import Bounds, Play, Terms
from numduel.thinking.thinkers import Thinkers
from numduel.wording import problem
from patience import PATIENT
from rooms.lobbies import DUEL, LEVEL, Thinking, do_in, running
from rooms.opened import ANN, BEN, refused, terms_of

REFUSED: list[tuple[Terms, type[NumduelError], str]] = [
    (terms_of("divisor-duel:" + "9" * 101), TooManyDigits, ""),
    (terms_of("+".join(["divisor-duel:60"] * 13)), NotAllowed, "numbers"),
    *(
        (terms_of("divisor-duel:60", players=("person", word)), InvalidSetup, "unknown player")
        for word in ("engine:rm -rf /", "llm:x@http://localhost", "Perfect")
    ),
    (terms_of("divisor-duel:60", players=("perfect", "level:1")), NotAllowed, "no person"),
    (terms_of("divisor-duel:7"), NotAllowed, "over"),
    (terms_of("subtract-a-prime:1+power-play:1"), NotAllowed, "over"),
    *((terms_of("power-play:60", seconds=n), NotAllowed, "minutes") for n in (9, 86_401, -1)),
    (terms_of("divisor-duel:60", penalty=2), InvalidSetup, "no penalty"),
    (terms_of("divisor-duel:60", overshoot="loses"), InvalidSetup, "no overshoot"),
]


@on_loop
async def test_terms_that_do_not_fit(file: str) -> None:
    thinking = Thinking()
    async with running(file, thinking) as lobby:
        for terms, kind, what in REFUSED:
            with pytest.raises(kind) as caught:
                await lobby.open(terms, ANN)
            assert not what or caught.value.problem == what, terms
            assert problem(caught.value)
        assert not any("rm -rf" in str(asked) for asked in thinking.asked)
        for seat in (1, 2, -2):
            with pytest.raises(NotAllowed):
                await lobby.open(LEVEL, ANN, seat)
        for fits in (
            terms_of("divisor-duel:" + "8" * 100),
            terms_of("+".join(["divisor-duel:60"] * 12)),
            terms_of("divisor-duel:60", seconds=10),
        ):
            await lobby.open(fits, ANN)


@on_loop
async def test_moves_that_nobody_knows(file: str) -> None:
    """Two primes of 40 digits: there are moves, but nobody can name them."""
    hard = (10**40 + 121) * (10**39 + 3)
    async with running(file, Thinkers(seconds=PATIENT)) as lobby:
        for game in ("divisor-duel", "power-play"):
            with refused("unknown moves"):
                await lobby.open(terms_of(f"{game}:{hard}"), ANN)


@on_loop
async def test_as_many_rooms_as_are_kept(file: str) -> None:
    thinking = Thinking()
    thinking.error = TookTooLong(question="move", seconds=5)
    async with running(file, thinking, Bounds(digits=3, numbers=2, rooms=1)) as lobby:
        with pytest.raises(TookTooLong):
            await lobby.open(LEVEL, ANN)  # a computer must find a first move
        room = await lobby.open(Terms(DUEL), ANN)
        with pytest.raises(TooBusy, match="rooms are in use"):
            await lobby.open(Terms(DUEL), ANN)
        await lobby.delete(room.code, ANN)
        await lobby.open(Terms(DUEL), ANN)
        with pytest.raises(TooManyDigits):
            await lobby.open(terms_of("divisor-duel:1000"), ANN)


@on_loop
async def test_a_very_long_move_takes_nobodys_time(file: str) -> None:
    async with running(file) as lobby:
        terms = terms_of("prime-subtractor:23", overshoot="loses")
        room = await lobby.open(terms, ANN)
        await lobby.sit(room.code, BEN)
        began = time.process_time()
        for text in (str(2**11213 - 1), "7" * 103, "٣" * 200):
            with pytest.raises(TooManyDigits):
                await do_in(lobby, room.code, ANN, Play(text))
        assert time.process_time() - began < 0.5, "it is not tested for being prime"
        over = await do_in(lobby, room.code, ANN, Play(str(10**99 + 289)))
        assert over.over is not None, "a prime of 100 digits is a move like others"
        assert over.over.ending is Ending.OVERSHOT
