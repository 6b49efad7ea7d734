"""Rounds: the rooms of a class are opened, held and let go, in the transaction of its change."""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import takewhile
from random import SystemRandom
from typing import Any

from sqlalchemy import Connection

from numduel.classes.pairing import Pair, Past, alone, paired
from numduel.classes.parts import Pupil, Round, RoundPlan, Stage, Table
from numduel.classes.school_class import SchoolClass
from numduel.errors import NotAllowed
from numduel.players import PERSON
from numduel.rooms import changes
from numduel.rooms.actions import Outcome
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.room import Room, Terms
from numduel.rooms.steady_time import now
from numduel.wording.players import computer_name

MOST_ROUNDS = 100
STAND_IN = "level:3"
"""The computer that plays where a pupil is missing."""
REMOVED = "A pupil"
"""Who was removed, in the rounds that are over."""


class Rounds:
    """Changes the rooms of one class, whose row is locked. `touched` are the rooms that changed."""

    def __init__(self, rooms: Rooms, connection: Connection) -> None:
        self._rooms, self._connection = rooms, connection
        self.touched: list[Room] = []

    def start(self, school_class: SchoolClass, plan: RoundPlan, away: Set[int]) -> SchoolClass:
        """The class with its next round; who is away sits out, but by hand. Raises `NotAllowed`."""
        numbers = [pupil.number for pupil in school_class.pupils]
        if not numbers:
            raise NotAllowed(problem="no pupils")
        if len(school_class.rounds) >= MOST_ROUNDS:
            raise NotAllowed(problem="rounds", limit=MOST_ROUNDS)
        self._rooms.make_space(len(numbers))  # at most: most of them share one
        number = len(school_class.rounds) + 1
        rounds = (*school_class.rounds, Round(number, plan._replace(pairs=())))
        if plan.opponent == PERSON:
            past = self._past(school_class)
            away = away - {number for pair in plan.pairs for number in pair}
            numbers = [number for number in numbers if number not in away] or numbers
            pairs = paired(numbers, plan.pairing, plan.pairs, past, SystemRandom())
        else:
            pairs = alone(numbers, _times_again(rounds))
        school_class = self.end(school_class)
        rounds = (*school_class.rounds, rounds[-1])
        school_class = replace(
            school_class,
            rounds=rounds,
            stage=Stage.ROUND,
            locked=school_class.locked or number == 1,
            version=school_class.version + 1,
        )
        tables = [self._table(school_class, pair) for pair in pairs]
        return replace(school_class, all_tables=(*school_class.all_tables, *tables))

    def end(self, school_class: SchoolClass) -> SchoolClass:
        if not school_class.is_playing:
            return school_class
        self._hold(school_class, "round over")
        *before, last = school_class.rounds
        return replace(
            school_class,
            rounds=(*before, last._replace(ended=True)),
            stage=Stage.GATHERING,
            version=school_class.version + 1,
        )

    def show(self, school_class: SchoolClass, stage: Stage, **values: Any) -> SchoolClass:
        """The class with something else on every screen; nobody plays on behind it."""
        if school_class.is_playing:
            self._hold(school_class, None if stage == Stage.ROUND else "paused")
        return replace(school_class, stage=stage, version=school_class.version + 1, **values)

    def seat_late(self, school_class: SchoolClass, pupil: Pupil) -> SchoolClass:
        """Somebody comes late: plays a pupil who has met only the computer so far, or else that.

        Once a move was played, nobody is taken away from their match.
        """
        current = school_class.round
        if current is None or current.ended:
            return school_class
        if current.plan.opponent == PERSON:
            for table in school_class.tables:
                if None in table.pupils:
                    seat = table.pupils.index(None)
                    room = self._seat_before_a_move(table.room, seat, pupil)
                    if pupil.token in room.tokens:
                        return _with_table(school_class, table, seat, pupil.number)
        (pair,) = alone([pupil.number], _times_again(school_class.rounds))
        table = self._table(school_class, pair)
        return replace(school_class, all_tables=(*school_class.all_tables, table))

    def relieve(self, school_class: SchoolClass, number: int, by: int) -> SchoolClass:
        """Somebody is away: a computer takes the seat, or the other one plays this lone pupil.

        Those two begin a match of their own, and what they have begun stays unfinished.
        """
        table, lone = school_class.table_of(number), school_class.table_of(by)
        other = table and table.pupils[1 - table.pupils.index(number)]
        if table is None or other is None or not school_class.is_playing:
            raise NotAllowed(problem="nobody waits", name=school_class.name_of(number))
        school_class = replace(school_class, version=school_class.version + 1)
        if not by:
            seat = table.pupils.index(number)
            self._change(table.room, partial(self._freed, school_class, table, seat))
            return _with_table(school_class, table, seat, None)
        if lone is None or None not in lone.pupils:
            raise NotAllowed(problem="not alone", name=school_class.name_of(by) or "")
        for left in (table, lone):
            self._change(left.room, lambda room, moment: changes.held(room, "round over", moment))
        others = [each for each in school_class.all_tables if each not in (table, lone)]
        left_alone = [each._replace(pupils=(None, None)) for each in (table, lone)]
        new = self._table(school_class, Pair((other, by)))
        return replace(school_class, all_tables=(*others, *left_alone, new))

    def hand_over(self, school_class: SchoolClass, number: int, token: str) -> None:
        """The pupil comes with another device: this token, hashed, has the seats from now on."""

        def handed(_table: Table, seat: int, room: Room, moment: float) -> Room:
            tokens = changes.with_seat(room.tokens, seat, token)
            return changes.touched(room, moment, tokens=tokens)

        self._change_seats(school_class, number, handed)

    def rename(self, school_class: SchoolClass, number: int, name: str) -> None:
        def called(_table: Table, seat: int, room: Room, moment: float) -> Room:
            unlike = name_beside(room.setup.names[1 - seat], name)
            return changes.renamed(room, seat, unlike, moment)

        self._change_seats(school_class, number, called)

    def free_seats(self, school_class: SchoolClass, number: int) -> SchoolClass:
        """A pupil is removed: a computer takes the seat in a round that goes on.

        So the other pupil can play on: ending the match would punish somebody who did nothing.
        A table where nobody else sits is closed. What was played in rounds that are over stays
        a pupil's, without the name.
        """
        self._change_seats(school_class, number, partial(self._freed, school_class))
        for table in school_class.all_tables:
            if number in table.pupils:
                seat = table.pupils.index(number)
                school_class = _with_table(school_class, table, seat, None)
        return school_class

    @staticmethod
    def _freed(
        school_class: SchoolClass, table: Table, seat: int, room: Room, moment: float
    ) -> Room:
        over = school_class.rounds[table.round - 1].ended
        player, called = (PERSON, REMOVED) if over else (STAND_IN, computer_name(STAND_IN))
        name = name_beside(room.setup.names[1 - seat], called)
        room = changes.seated_by_class(room, seat, moment, player, name, None)
        alone = table.pupils[1 - seat] is None
        return (changes.held(room, "round over", moment) if alone else None) or room

    def _change_seats(
        self,
        school_class: SchoolClass,
        number: int,
        alter: Callable[[Table, int, Room, float], Room],
    ) -> None:
        for table in school_class.all_tables:
            if number in table.pupils:
                self._change(table.room, partial(alter, table, table.pupils.index(number)))

    def _seat_before_a_move(self, code: str, seat: int, pupil: Pupil) -> Room:
        def seated(room: Room, moment: float) -> Room | None:
            if room.ply or room.over or room.round > 1:
                return None
            return changes.seated_by_class(room, seat, moment, PERSON, pupil.name, pupil.token)

        return self._change(code, seated)

    def _change(self, code: str, alter: Callable[[Room, float], Room | None]) -> Room:
        def altered(room: Room, moment: float) -> Outcome:
            return Outcome(alter(room, moment))

        room, _ = self._rooms.change_in(self._connection, code, altered)
        self.touched.append(room)
        return room

    def _hold(self, school_class: SchoolClass, why: str | None) -> None:
        for table in school_class.tables:
            self._change(table.room, lambda room, moment: changes.held(room, why, moment))

    def _table(self, school_class: SchoolClass, pair: Pair) -> Table:
        assert school_class.round is not None
        number, plan, _ = school_class.round
        computer = STAND_IN if plan.opponent == PERSON else plan.opponent
        known = {pupil.number: pupil for pupil in school_class.pupils}
        one, two = known[pair.pupils[0]], known.get(pair.pupils[1] or 0)
        names = (one.name, two.name if two else name_beside(one.name, computer_name(computer)))
        players = (PERSON, PERSON if two else computer)
        terms = Terms(
            plan.board, players, pair.first, takeback=plan.takebacks, seconds=plan.seconds
        )
        tokens = (one.token, two.token if two else None)
        room = changes.opened_by_class(terms, names, tokens, school_class.code, plan.hints, now())
        if school_class.stage != Stage.ROUND:
            room = changes.held(room, "paused", now()) or room
        self.touched.append(self._rooms.add_in(self._connection, room))
        return Table(room.code, number, pair.pupils)

    def _past(self, school_class: SchoolClass) -> Past:
        met = Counter(
            number
            for table in school_class.all_tables
            if None in table.pupils and school_class.rounds[table.round - 1].plan.opponent == PERSON
            for number in table.pupils
            if number is not None
        )
        pairs, won = [], {}
        for table in school_class.tables:
            room = self._rooms.read_in(self._connection, table.room, lock=True)
            one, two = table.pupils
            if one is not None and two is not None:
                # In rematches of two pupils they begin in turn: this is who began the round.
                pairs.append(Pair((one, two), (room.setup.first + room.round - 1) % 2))
            elif one is not None:
                pairs.append(Pair((one, None), room.setup.first))
            elif two is not None:
                pairs.append(Pair((two, None), 1 - room.setup.first))
            if room.wins[0] != room.wins[1]:
                for seat, number in enumerate(table.pupils):
                    if number is not None:
                        won[number] = room.wins[seat] > room.wins[1 - seat]
        return Past(pairs, won, met)


def name_beside(other: str, name: str) -> str:
    """The name, with a number where the other player has it."""
    return name if name.casefold() != other.casefold() else f"{name} 2"


def _times_again(rounds: Sequence[Round]) -> int:
    """How often the last round, in which all meet the computer, is one that was played again."""
    alone = list(takewhile(lambda one: one.plan.opponent != PERSON, reversed(rounds)))
    again = takewhile(lambda one: one.plan.pairing == "same", alone[:-1])
    return sum(1 for _ in again)


def _with_table(
    school_class: SchoolClass, table: Table, seat: int, number: int | None
) -> SchoolClass:
    seated = table._replace(pupils=changes.with_seat(table.pupils, seat, number))
    others = (each for each in school_class.all_tables if each.room != table.room)
    return replace(school_class, all_tables=(*others, seated))
