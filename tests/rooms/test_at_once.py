"""Several servers change the same rooms at the same moment."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread

from numduel.errors import NotAllowed, NumduelError
from numduel.rooms import Play, Room
from patience import PATIENT
from rooms.opened import ANN, BEN, full, terms_of
from rooms.servers import Servers


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
                partial(both[number % 2].act, room.code, who, room.version, Play(move))
                for number, move in enumerate(moves)
            )
        )
        won = [result for result in results if isinstance(result, Room)]
        assert len(won) == 1, results
        assert (
            [error.word for error in results if isinstance(error, NotAllowed)].count("StaleChange")
            == len(moves) - 1
            > 4
        )
        [room] = won
        assert room == both[0].look(room.code) == both[1].look(room.code)
        versions.append(room.version)
    assert versions == list(range(2, 5)), "each change has a version of its own"


def test_one_of_many_sits_down(servers: Servers) -> None:
    both = [servers(), servers()]
    room = both[0].open(terms_of("divisor-duel:60"), ANN, 0)
    people = [f"{number:022}" for number in range(6)]
    results = at_once(*(partial(both[i % 2].sit, room.code, who) for i, who in enumerate(people)))
    [sat] = [result for result in results if isinstance(result, Room)]
    assert [sat.seat_of(who) for who in people].count(1) == 1
    assert both[0].look(room.code) == both[1].look(room.code) == sat


PLAY = """
import json, sys
from numduel.errors import NumduelError
from numduel.rooms import Play
from numduel.rooms.kept_rooms import Rooms
place, code, *tokens = sys.argv[1:]
rooms = Rooms(place, lambda code, version: None)
room, won = rooms.look(code), []
while not room.over:
    ply = room.ply
    move = room.board.write_move(next(room.board.moves()))
    try:
        room = rooms.act(code, tokens[room.player], room.version, Play(move))
    except NumduelError:
        room = rooms.look(code)
        continue
    won.append([ply, room.version])
print(json.dumps(won))
rooms.close()
"""


def test_two_processes_play_in_one_room(servers: Servers, place: str) -> None:
    rooms = servers()
    room = full(rooms, "digit-subtraction-duel:60")
    command = [sys.executable, "-c", PLAY, place, room.code, ANN, BEN]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    won = [json.loads(process.communicate(timeout=PATIENT)[0]) for process in both]
    over = rooms.look(room.code)
    assert over.over is not None
    assert over.version == room.version + over.ply, "one version a move"
    plies = {ply for own in won for ply, _ in own}
    assert plies == set(range(over.ply))
    assert sum(over.wins) == 1
