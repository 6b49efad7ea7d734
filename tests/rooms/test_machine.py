"""Two players and a stranger do anything at all; a plain model says what has to come of it.

Whatever they do goes through one of two servers on one database, by turns.
"""

from __future__ import annotations

import os
from collections.abc import Callable

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
from numduel.rooms import Room
from numduel.rooms.keeping import Rooms
from rooms.opened import ANN, BEN, EVE, terms_of
from rooms.reference import MOVES, PlainRoom

EXAMPLES = 300 if os.environ.get("NUMDUEL_SOAK") else 8
people = st.sampled_from([ANN, BEN, ANN, BEN, EVE])


class RoomMachine(RuleBasedStateMachine):
    """Random actions, on the rooms of a database and on the model."""

    def __init__(self, servers: list[Rooms]) -> None:
        super().__init__()
        self.servers = servers
        self.turn = 0

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
        self.code, self.version = room.code, room.version
        sitting = [ANN if seat == 0 else None, ANN if seat == 1 else None]
        self.model = PlainRoom(game, start, misere, penalty, takeback, first, sitting)

    def do(self, act: Callable[[Rooms], Room], expected: bool | str) -> None:
        """Act through the next server, and compare what comes of it."""
        self.turn = 1 - self.turn
        try:
            room = act(self.servers[self.turn])
            happened: bool | str = room.version != self.version
        except NumduelError as error:
            bad = isinstance(error, UnreadableText) or type(error).__name__ == "IllegalMove"
            happened = "bad" if bad else type(error).__name__
        assert happened == (expected if isinstance(expected, bool) else expected.split(",")[0])
        self.version += expected is True or expected == "bad"

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
        self.play(who, len(self.model.turns), str(move))

    @rule(who=people, ply=st.integers(-1, 1), text=st.sampled_from(["2", "3", "7", "x", ""]))
    def play_anything(self, who: str, ply: int, text: str) -> None:
        self.play(who, len(self.model.turns) + ply, text)

    @precondition(lambda self: self.model.turns)
    @rule(data=st.data())
    def play_again(self, data: st.DataObject) -> None:
        ply = data.draw(st.integers(0, len(self.model.turns) - 1))
        who = self.model.sitting[(self.model.first + ply) % 2]
        assert who is not None
        self.play(who, ply, self.model.turns[ply][0])

    def play(self, who: str, ply: int, text: str) -> None:
        if text == "pass":  # what was typed is not remembered
            text = "x"
        expected = self.model.play(who, ply, text)
        self.do(lambda rooms: rooms.play(self.code, who, ply, text), expected)

    @rule(who=people)
    def resign(self, who: str) -> None:
        self.do(lambda rooms: rooms.resign(self.code, who), self.model.resign(who))

    @rule(who=people)
    def ask(self, who: str) -> None:
        self.do(lambda rooms: rooms.ask_takeback(self.code, who), self.model.ask(who))

    @rule(who=people, yes=st.booleans())
    def answer(self, who: str, yes: bool) -> None:
        expected = self.model.answer(who, yes)
        self.do(lambda rooms: rooms.answer_takeback(self.code, who, yes), expected)

    @rule(who=people)
    def rematch(self, who: str) -> None:
        self.do(lambda rooms: rooms.rematch(self.code, who), self.model.rematch(who))

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


@pytest.mark.soak
def test_anything_that_people_do_keeps_the_rules(place: str) -> None:
    servers = [Rooms(place, lambda _code, _version: None) for _ in range(2)]
    try:
        run_state_machine_as_test(
            lambda: RoomMachine(servers),
            settings=settings(
                max_examples=EXAMPLES,
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
