"""Several servers change the same rooms at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread

from numduel.errors import NotAllowed, NumduelError
from numduel.rooms import Play, Room
from rooms.opened import ANN, BEN, Servers, act, full, sit, terms_of


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What comes of the calls, or what they raise; they begin at the same time."""
    barrier, results = Barrier(len(calls)), list[object](calls)

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = calls[number]()
        except NumduelError as error:
            results[number] = error

    threads = [Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_one_of_many_moves_at_once_is_played(servers: Servers) -> None:
    """On every ply, each of two servers is sent all legal moves at the same moment."""
    both = [servers(), servers()]
    room = full(both[0], "digit-subtraction-duel:987654321")
    versions = [room.version]
    for ply in range(2):
        moves = [room.board.write_move(move) for move in room.board.moves()]
        who = (ANN, BEN)[ply % 2]
        results = at_once(
            *(
                partial(act, both[number % 2], room.code, who, room.version, Play(move))
                for number, move in enumerate(moves)
            )
        )
        won = [result for result in results if isinstance(result, Room)]
        assert len(won) == 1, results
        refusals = [error.word for error in results if isinstance(error, NotAllowed)]
        assert refusals == ["StaleChange"] * (len(moves) - 1)
        assert len(refusals) > 4
        [room] = won
        assert room == both[0].look(room.code) == both[1].look(room.code)
        versions.append(room.version)
    assert versions == list(range(2, 5)), "each change has a version of its own"


def test_one_of_many_sits_down(servers: Servers) -> None:
    both = [servers(), servers()]
    room = both[0].open(terms_of("divisor-duel:60"), ANN, 0)
    people = [f"{number:022}" for number in range(6)]
    results = at_once(*(partial(sit, both[i % 2], room.code, who) for i, who in enumerate(people)))
    [sat] = [result for result in results if isinstance(result, Room)]
    assert [sat.seat_of(who) for who in people].count(1) == 1
    assert both[0].look(room.code) == both[1].look(room.code) == sat
