"""Two players and a stranger do anything at all, through one of two servers, by turns or at once.

A plain model says what has to come of it.
"""

from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest

from numduel.errors import IllegalMove, NotAllowed, NumduelError, UnreadableText
from numduel.match import Ending
from numduel.rooms import Action, AnswerTakeback, AskTakeback, Play, Rematch, Resign, Room
from numduel.rooms.kept_rooms import Rooms
from rooms.opened import ANN, BEN, EVE, Servers, act, at_once, full, sit, terms_of
from rooms.reference import MOVES, PlainRoom
from soaking import SOAK, figure, time_for

STEPS = 30
MET = {
    *("True", "False", "bad", "bad, and nothing changes"),
    *("NotSeated", "SeatsTaken", "NotYourTurn", "StaleChange", "MatchOver"),
    *("NotAllowed: seat is free", "NotAllowed: no takeback", "NotAllowed: nothing to take back"),
    *("NotAllowed: answer first", "NotAllowed: not asked", "NotAllowed: own question"),
    "NotAllowed: match goes on",
}
"""All that may come of an action; a few walks meet each of it."""

ACTIONS: dict[str, Callable[..., Action]] = {
    "play": Play,
    "resign": Resign,
    "ask": AskTakeback,
    "answer": AnswerTakeback,
    "rematch": Rematch,
}


class Walk:
    def __init__(self, servers: list[Rooms], seed: int) -> None:
        self.servers, self.seed, self.random = servers, seed, Random(seed)
        self.turn, self.version = 0, 1
        self.sent: list[tuple[Any, ...]] = []
        self.met: set[str] = set()
        choice = self.random.choice
        game, start, misere = choice(list(MOVES)), choice([12, 30, 36, 60]), choice([False, True])
        penalty = choice([None, 1, 2]) if game == "power-play" else None
        takeback, first, seat = choice([True, True, False]), choice([0, 1]), choice([0, 1, None])
        board = f"{game}:{start}{'~misere' if misere else ''}"
        terms = terms_of(board, first=first, penalty=penalty, takeback=takeback)
        self.code = servers[0].open(terms, ANN, seat).code
        sitting = [ANN if seat == place else None for place in (0, 1)]
        self.model = PlainRoom(game, start, misere, penalty, takeback, first, sitting)

    def step(self) -> None:
        model, choice = self.model, self.random.choice
        who, age = choice([ANN, BEN, ANN, BEN, EVE]), choice([*[0] * 9, 1, 2, 5, -1])
        kinds = ["sit", "play", "play", "resign", "ask", "answer", "rematch", "again"]
        if None in model.sitting:
            kinds += ["fill"] * 6
        elif model.winner is not None:
            kinds += ["rematch"] * 6
        else:
            kinds += ["move"] * 4 + ["ask", "answer"] * (1 if model.asked is None else 4)
        what = choice(kinds)
        if what == "sit":
            self.sit(who)
        elif what == "fill":  # so that most come to play
            self.sit(BEN if BEN not in model.sitting else ANN)
        elif what == "again":
            self.act(*choice([*self.sent[-6:], (who, model.version, "resign")]))
        elif what == "move":
            player = model.sitting[model.to_move]
            self.act(player, model.version, "play", str(choice(sorted(model.moves))))
        elif what == "play":
            self.act(who, model.version - age, what, choice(["2", "7", "x", ""]))
        elif what == "answer":
            self.act(who, model.version - age, what, choice([True, False]))
        else:
            self.act(who, model.version - age, what)

    def sit(self, who: str) -> None:
        self.do(lambda rooms: sit(rooms, self.code, who), self.model.sit(who))

    def act(self, who: str | None, version: int, *said: Any) -> None:
        self.sent.append((who, version, *said))
        action = ACTIONS[said[0]](*said[1:])
        expected = self.model.act(who, version, said)
        self.do(lambda rooms: act(rooms, self.code, who, version, action), expected)

    def do(self, act: Callable[[Rooms], Room], expected: bool | str) -> None:
        """Act through the next server, and compare what comes of it."""
        self.turn, seen, self.version = 1 - self.turn, self.version, self.model.version
        try:
            happened = str(act(self.servers[self.turn]).version != seen)
        except NumduelError as error:
            bad = isinstance(error, UnreadableText | IllegalMove)
            happened = "bad" if bad else error.word
            if happened == "NotAllowed":
                happened += f": {error.problem}"
        self.met.add(str(expected))
        assert happened == str(expected).split(",")[0], (self.seed, self.sent)
        self.agree()

    def agree(self) -> None:
        model, known = self.model, self.servers[self.turn].look(self.code)
        assert known.version == self.version
        assert [turn.board.numbers[0].value for turn in known.turns] == [n for _, n in model.turns]
        assert (known.player, known.round) == (model.to_move, model.round)
        assert (known.over and known.over.winner) == model.winner
        assert (known.wins, known.bad_inputs) == (tuple(model.wins), model.bad)
        assert (known.asked, known.offered) == (model.asked, model.offered)
        assert [known.seat_of(who) for who in (ANN, BEN, EVE)] == [
            model.sitting.index(who) if who in model.sitting else None for who in (ANN, BEN, EVE)
        ]
        assert known == self.servers[1 - self.turn].look(self.code)
        if not self.random.randrange(4):
            self.servers[0].drop(self.code)
            assert known == self.servers[0].look(self.code), "read again"
            assert self.servers[0].replay(known.replay) == known.record
        if known.over:
            assert known.record.replay().over == known.over
            assert known.board.is_over == (known.over.ending is Ending.NO_MOVE)


@pytest.mark.soak("fuzzing", short=True)
def test_anything_that_people_do_keeps_the_rules(place: str) -> None:
    servers = [Rooms(place, lambda _code, _version: None) for _ in range(2)]
    there_is_time, met = time_for(0.1 if SOAK else 0), set[str]()
    walks = 2 if "://" in place else 8
    try:
        for seed in count():
            if seed >= walks and not there_is_time():
                break
            walk = Walk(servers, Random().getrandbits(32) if SOAK else 12 + seed)
            for _ in range(STEPS):
                walk.step()
            met |= walk.met
            servers[0].delete(walk.code, ANN)
        figure("rooms in which people did anything", seed)
        assert servers[0].count() == 0
        assert "://" in place or met == MET
    finally:
        for rooms in servers:
            rooms.close()


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
