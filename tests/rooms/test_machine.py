"""Two players and a stranger do anything at all; a plain model says what has to come of it.

Whatever they do goes through one of two servers on one database, by turns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from numduel.errors import NumduelError, UnreadableText
from numduel.match import Ending
from numduel.rooms import Action, AnswerTakeback, AskTakeback, Play, Rematch, Resign, Room
from numduel.rooms.kept_rooms import Rooms
from rooms.opened import ANN, BEN, EVE, terms_of
from rooms.reference import MOVES, PlainRoom
from soaking import SOAK

EXAMPLES = 300 if SOAK else 8
people = st.sampled_from([ANN, BEN, ANN, BEN, EVE])
ages = st.sampled_from([0, 0, 0, 0, 1, 2, 5, -1])
"""How many versions ago somebody has last seen the room."""

ACTIONS: dict[str, Callable[..., Action]] = {
    "play": Play,
    "resign": Resign,
    "ask": AskTakeback,
    "answer": AnswerTakeback,
    "rematch": Rematch,
}


class RoomMachine(RuleBasedStateMachine):
    """Random actions, on the rooms of a database and on the model."""

    def __init__(self, servers: list[Rooms]) -> None:
        super().__init__()
        self.servers = servers
        self.turn = 0
        self.version = 1
        self.sent: list[tuple[Any, ...]] = []

    @initialize(
        game=st.sampled_from(list(MOVES)),
        start=st.sampled_from([12, 30, 36, 60]),
        misere=st.booleans(),
        penalty=st.sampled_from([None, 1, 2]),
        takeback=st.sampled_from([True, True, False]),
        first=st.sampled_from([0, 1]),
        seat=st.sampled_from([0, 1, None]),
    )
    def open(
        self,
        game: str,
        start: int,
        misere: bool,
        penalty: int | None,
        takeback: bool,
        first: int,
        seat: int | None,
    ) -> None:
        penalty = penalty if game == "power-play" else None
        board = f"{game}:{start}{'~misere' if misere else ''}"
        terms = terms_of(board, first=first, penalty=penalty, takeback=takeback)
        room = self.servers[0].open(terms, ANN, seat)
        self.code = room.code
        sitting = [ANN if seat == 0 else None, ANN if seat == 1 else None]
        self.model = PlainRoom(game, start, misere, penalty, takeback, first, sitting)

    def do(self, act: Callable[[Rooms], Room], expected: bool | str) -> None:
        """Act through the next server, and compare what comes of it."""
        self.turn = 1 - self.turn
        seen = self.version
        self.version = self.model.version
        try:
            room = act(self.servers[self.turn])
            happened: bool | str = room.version != seen
        except NumduelError as error:
            bad = isinstance(error, UnreadableText) or type(error).__name__ == "IllegalMove"
            happened = "bad" if bad else type(error).__name__
        assert happened == (expected if isinstance(expected, bool) else expected.split(",")[0])

    @rule(who=people)
    def sit(self, who: str) -> None:
        self.do(lambda rooms: rooms.sit(self.code, who), self.model.sit(who))

    @precondition(lambda self: None in self.model.sitting)
    @rule()
    def fill(self) -> None:
        """So that most runs come to play."""
        self.sit(BEN if BEN not in self.model.sitting else ANN)

    @precondition(lambda self: self.model.stopped() is None)
    @rule(data=st.data())
    def play_well(self, data: st.DataObject) -> None:
        who = self.model.sitting[self.model.to_move]
        assert who is not None
        move = data.draw(st.sampled_from(sorted(self.model.moves)))
        self.act(who, self.model.version, "play", str(move))

    @rule(who=people, age=ages, text=st.sampled_from(["2", "3", "7", "x", ""]))
    def play_anything(self, who: str, age: int, text: str) -> None:
        self.act(who, self.model.version - age, "play", text)

    @rule(who=people, age=ages)
    def resign(self, who: str, age: int) -> None:
        self.act(who, self.model.version - age, "resign")

    @rule(who=people, age=ages)
    def ask(self, who: str, age: int) -> None:
        self.act(who, self.model.version - age, "ask")

    @rule(who=people, age=ages, yes=st.booleans())
    def answer(self, who: str, age: int, yes: bool) -> None:
        self.act(who, self.model.version - age, "answer", yes)

    @rule(who=people, age=ages)
    def rematch(self, who: str, age: int) -> None:
        self.act(who, self.model.version - age, "rematch")

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        """Something that was sent before, lately or long ago."""
        self.act(*data.draw(st.sampled_from(self.sent[-6:])))

    def act(self, who: str, version: int, *said: Any) -> None:
        self.sent.append((who, version, *said))
        action = ACTIONS[said[0]](*said[1:])
        expected = self.model.act(who, version, said)
        self.do(lambda rooms: rooms.act(self.code, who, version, action), expected)

    @invariant()
    def the_model_and_all_servers_agree(self) -> None:
        model, known = self.model, self.servers[self.turn].look(self.code)
        assert known.version == self.version
        assert [turn.board.numbers[0].value for turn in known.turns] == [n for _, n in model.turns]
        assert (known.player, known.round) == (model.to_move, model.round)
        assert (known.over and known.over.winner) == model.winner
        assert (known.wins, known.kept.bad_inputs) == (tuple(model.wins), model.bad)
        assert (known.asked, known.offered) == (model.asked, model.offered)
        assert [known.seat_of(who) for who in (ANN, BEN, EVE)] == [
            model.sitting.index(who) if who in model.sitting else None for who in (ANN, BEN, EVE)
        ]
        assert known == self.servers[1 - self.turn].look(self.code)
        assert known == Room.of(self.servers[0].store.load(self.code), known.days), "as reloaded"
        replayed = self.servers[0].replay(known.replay)
        assert replayed == known.record
        if known.over and known.over.ending is Ending.NO_MOVE:
            assert known.board.is_over

    def teardown(self) -> None:
        if hasattr(self, "code"):
            self.servers[0].delete(self.code, ANN)


@pytest.mark.soak("fuzzing", short=True)
def test_anything_that_people_do_keeps_the_rules(place: str) -> None:
    servers = [Rooms(place, lambda _code, _version: None) for _ in range(2)]
    try:
        run_state_machine_as_test(
            lambda: RoomMachine(servers),
            settings=settings(
                max_examples=EXAMPLES if "://" not in place else -(-EXAMPLES // 2),
                stateful_step_count=30,
                deadline=None,
                database=None,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert servers[0].store.count() == 0
    finally:
        for rooms in servers:
            rooms.close()
