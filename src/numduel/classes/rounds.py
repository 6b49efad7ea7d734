"""Rounds: the rooms of a class are opened, held and let go, in the transaction of its change."""

from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import takewhile
from random import SystemRandom
from typing import Any

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
STAND_IN = "level:3"  # the computer that plays where a pupil is missing
REMOVED = "A pupil"  # who was removed, in the rounds that are over


class Rounds:
    """Changes the rooms of one class, whose row is locked. `touched` are the rooms that changed."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.touched: list[Room] = []

    def start(self, found: SchoolClass, plan: RoundPlan, away: Set[int]) -> SchoolClass:
        """The class with its next round; who is away sits out, but by hand. Raises `NotAllowed`."""
        numbers = [pupil.number for pupil in found.pupils]
        if not numbers:
            raise NotAllowed(problem="no pupils")
        if len(found.rounds) >= MOST_ROUNDS:
            raise NotAllowed(problem="rounds", limit=MOST_ROUNDS)
        self._rooms.make_space(len(numbers))  # at most: most of them share one
        new = Round(len(found.rounds) + 1, plan._replace(pairs=()))
        if plan.opponent == PERSON:
            past = self._past(found)
            away = away - {number for pair in plan.pairs for number in pair}
            numbers = [number for number in numbers if number not in away] or numbers
            pairs = paired(numbers, plan.pairing, plan.pairs, past, SystemRandom())
        else:
            pairs = alone(numbers, _times_again((*found.rounds, new)))
        found = self.end(found)
        found = replace(
            found,
            rounds=(*found.rounds, new),
            stage=Stage.ROUND,
            locked=found.locked or new.number == 1,
            version=found.version + 1,
        )
        tables = [self._table(found, pair) for pair in pairs]
        return replace(found, all_tables=(*found.all_tables, *tables))

    def end(self, found: SchoolClass) -> SchoolClass:
        if not found.is_playing:
            return found
        self._hold(found.tables, "round over")
        *before, last = found.rounds
        rounds = (*before, last._replace(ended=True))
        return replace(found, rounds=rounds, stage=Stage.GATHERING, version=found.version + 1)

    def show(self, found: SchoolClass, stage: Stage, **values: Any) -> SchoolClass:
        """The class with something else on every screen; nobody plays on behind it."""
        if found.is_playing:
            self._hold(found.tables, None if stage == Stage.ROUND else "paused")
        return replace(found, stage=stage, version=found.version + 1, **values)

    def seat_late(self, found: SchoolClass, pupil: Pupil) -> SchoolClass:
        """Somebody comes late: plays a pupil who has met only the computer so far, or else that.
        Once a move was played, nobody is taken away from their match.
        """
        if found.round is None or found.round.ended:
            return found
        meets_pupils = found.round.plan.opponent == PERSON
        for table in found.tables if meets_pupils else ():
            if None in table.pupils:
                seat = table.pupils.index(None)

                def seated(room: Room, moment: float, seat: int = seat) -> Room | None:
                    if room.ply or room.over or room.round > 1:
                        return None
                    name, token = pupil.name, pupil.token
                    return changes.seated_by_class(room, seat, moment, PERSON, name, token)

                if pupil.token in self._change(table.room, seated).tokens:
                    pupils = changes.with_seat(table.pupils, seat, pupil.number)
                    return _with_table(found, table._replace(pupils=pupils))
        (pair,) = alone([pupil.number], _times_again(found.rounds))
        return replace(found, all_tables=(*found.all_tables, self._one_more(found, pair)))

    def relieve(self, found: SchoolClass, number: int, by: int) -> SchoolClass:
        """Somebody is away: a computer takes the seat, or the other one plays this lone pupil.
        Those two begin a match of their own, and what they have begun stays unfinished.
        """
        table, lone = found.table_of(number), found.table_of(by)
        other = table and table.pupils[1 - table.pupils.index(number)]
        if table is None or other is None or not found.is_playing:
            raise NotAllowed(problem="nobody waits", name=found.name_of(number))
        found = replace(found, version=found.version + 1)
        if not by:
            return _with_table(found, self._relieved(found, table, number))
        if lone is None or None not in lone.pupils:
            raise NotAllowed(problem="not alone", name=found.name_of(by) or "")
        self._hold((table, lone), "round over")
        others = [each for each in found.all_tables if each not in (table, lone)]
        left_alone = [each._replace(pupils=(None, None)) for each in (table, lone)]
        new = self._one_more(found, Pair((other, by)))
        return replace(found, all_tables=(*others, *left_alone, new))

    def change_seats(
        self, found: SchoolClass, number: int, alter: Callable[[int, Room, float], Room]
    ) -> None:
        """Change each room of the class where this pupil has a seat, which it is told."""
        for table in found.all_tables:
            if number in table.pupils:
                seated = partial(alter, table.pupils.index(number))
                self._change(table.room, seated)

    def free_seats(self, found: SchoolClass, number: int) -> SchoolClass:
        """A pupil is removed: what they played stays a pupil's, without the name. In a round that
        goes on, a computer takes the seat, so that the other pupil can play on: ending the match
        would punish somebody who did nothing.
        """
        self.change_seats(found, number, partial(_seated, player=PERSON, called=REMOVED))
        freed = (
            self._relieved(found, one, number) if number in one.pupils else one
            for one in found.all_tables
        )
        return replace(found, all_tables=tuple(freed))

    def _relieved(self, found: SchoolClass, table: Table, number: int) -> Table:
        """The table without this pupil. In a round that goes on, a computer takes the seat, in
        another match where the last one is over; a table where nobody is left is closed.
        """
        seat = table.pupils.index(number)
        left = changes.with_seat(table.pupils, seat, None)

        def taken_over(room: Room, moment: float) -> Room | None:
            if left == (None, None):
                return changes.held(room, "round over", moment)
            if room.over:
                room = changes.next_round(room, moment).but(wins=(0, 0))
            called = computer_name(STAND_IN)
            room = _seated(seat, room, moment, STAND_IN, called)
            return room if room.held is None else changes.stopped(room)

        if not found.rounds[table.round - 1].ended:
            self._change(table.room, taken_over)
        return table._replace(pupils=left)

    def _change(self, code: str, alter: Callable[[Room, float], Room | None]) -> Room:
        room = self._rooms.change(code, lambda room, moment: Outcome(alter(room, moment)))
        self.touched.append(room)
        return room

    def _hold(self, tables: Sequence[Table], why: str | None) -> None:
        for table in tables:
            self._change(table.room, lambda room, moment: changes.held(room, why, moment))

    def _one_more(self, found: SchoolClass, pair: Pair) -> Table:
        """A table in a round that goes on. Raises `TooBusy`."""
        self._rooms.make_space()
        return self._table(found, pair)

    def _table(self, found: SchoolClass, pair: Pair) -> Table:
        assert found.round is not None
        number, plan, _ = found.round
        computer = STAND_IN if plan.opponent == PERSON else plan.opponent
        known = {pupil.number: pupil for pupil in found.pupils}
        one, two = known[pair.pupils[0]], known.get(pair.pupils[1] or 0)
        names = (one.name, two.name if two else name_beside(one.name, computer_name(computer)))
        players = (PERSON, PERSON if two else computer)
        terms = Terms(
            plan.board, players, pair.first, takeback=plan.takebacks, seconds=plan.seconds
        )
        tokens = (one.token, two.token if two else None)
        room = changes.opened_by_class(terms, names, tokens, found.code, plan.hints, now())
        if found.stage != Stage.ROUND:
            room = changes.held(room, "paused", now()) or room
        self.touched.append(self._rooms.add(room))
        return Table(room.code, number, pair.pupils)

    def _past(self, found: SchoolClass) -> Past:
        met = Counter(
            number
            for table in found.all_tables
            if None in table.pupils and found.rounds[table.round - 1].plan.opponent == PERSON
            for number in table.pupils
            if number is not None
        )
        pairs, won = [], {}
        for table in found.tables:
            room = self._rooms.look(table.room, lock=True)
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


def _seated(seat: int, room: Room, moment: float, player: str, called: str) -> Room:
    """The room with this player, of this name, where a pupil sat."""
    name = name_beside(room.setup.names[1 - seat], called)
    return changes.seated_by_class(room, seat, moment, player, name, None)


def name_beside(other: str, name: str) -> str:
    """The name, with a number where the other player has it."""
    return name if name.casefold() != other.casefold() else f"{name} 2"


def _times_again(rounds: Sequence[Round]) -> int:
    """How often the last round, in which all meet the computer, is one that was played again."""
    alone = list(takewhile(lambda one: one.plan.opponent != PERSON, reversed(rounds)))
    return len(list(takewhile(lambda one: one.plan.pairing == "same", alone[:-1])))


def _with_table(found: SchoolClass, table: Table) -> SchoolClass:
    others = (each for each in found.all_tables if each.room != table.room)
    return replace(found, all_tables=(*others, table))
