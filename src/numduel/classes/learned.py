"""What the matches of a class tell: what was learned in a round, and the map that they make."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from numduel.analysis import AnalysisFacts
from numduel.board import Board, Move
from numduel.classes.school_class import Played, Pupil, Round, SchoolClass
from numduel.errors import NumduelError, StoreError
from numduel.games import Game
from numduel.match import Record
from numduel.players import PERSON

TOO_HARD = "null"
"""What is kept of a match that could not be judged."""


@dataclass(frozen=True, slots=True)
class CommonMistake:
    """A move that threw a win away, how often it was played, and one that would have won."""

    board: Board
    move: Move
    times: int
    best: Move | None


@dataclass(frozen=True, slots=True)
class Learned:
    """One round, of all its pupils together."""

    matches: int
    finished: int
    kept: int
    """Wins that pupils kept, in the matches that were judged."""
    keepable: int
    """Positions where a pupil had a win to keep, and a move that throws it away."""
    mistake: CommonMistake | None
    idle: tuple[str, ...]
    playing: int
    """Matches that go on: they are judged when they end, or the round does."""
    waiting: int
    """Matches that are over, and not judged yet."""
    too_hard: int

    @property
    def share(self) -> float | None:
        """The share of wins kept; None where there was nothing to keep."""
        return self.kept / self.keepable if self.keepable else None


def judged_text(told: AnalysisFacts) -> str:
    """What is kept of a match that was judged: nothing that names anybody."""
    mistakes = [
        (move["player"], move["board"], move["move"], move["best"])
        for move in told["moves"]
        if move["mistake"] and move["move"] != "pass"
    ]
    return json.dumps([told["kept"], told["keepable"], mistakes])


def is_settled(record: Record, round: Round) -> bool:
    """Is the match over, or the round to which it belongs? Then no move is added."""
    return record.winner is not None or round.ended


def by_round(school_class: SchoolClass, played: list[Played]) -> list[tuple[Round, Learned]]:
    """Each round of the class. Raises `StoreError` where what was kept is damaged."""
    found = []
    for each in school_class.rounds:
        matches = [one for one in played if one.round == each.number]
        tables = [one for one in school_class.all_tables if one.round == each.number]
        seated = {number for table in tables for number in table.pupils}
        there = [pupil for pupil in school_class.pupils if pupil.number in seated]
        try:
            found.append((each, learned(matches, there, each)))
        except (ValueError, TypeError, IndexError, NumduelError) as error:
            raise StoreError(problem="damaged") from error
    return found


def learned(matches: Iterable[Played], pupils: Iterable[Pupil], round: Round) -> Learned:
    """What these pupils, not computers, did in a round; of equally common mistakes, the first."""
    kept = keepable = count = finished = playing = waiting = too_hard = 0
    mistakes: Counter[tuple[str, str]] = Counter()
    best: dict[str, str | None] = {}
    moved: set[int | None] = set()
    for played in matches:
        record = played.record
        count += 1
        finished += record.winner is not None
        people = [seat for seat in (0, 1) if record.players[seat] == PERSON]
        for turn, move in enumerate(record.turns):
            seat = (record.setup.first + turn) % 2
            if seat in people and move is not None:
                moved.add(played.pupils[seat])
        if played.judged is None:
            settled = is_settled(record, round)
            playing, waiting = playing + (not settled), waiting + settled
            continue
        if played.judged == TOO_HARD:
            too_hard += 1
            continue
        own, of, made = json.loads(played.judged)
        for seat in people:
            kept, keepable = kept + own[seat], keepable + of[seat]
        for player, board, move, better in made:
            if player - 1 in people:
                mistakes[board, move] += 1
                best[board] = better
    common = None
    if mistakes:
        (where, wrong), times = mistakes.most_common(1)[0]
        board, right = Board.parse(where), best[where]
        better = None if right is None else board.parse_move(right)
        common = CommonMistake(board, board.parse_move(wrong), times, better)
    idle = tuple(pupil.name for pupil in pupils if pupil.number not in moved)
    return Learned(count, finished, kept, keepable, common, idle, playing, waiting, too_hard)


@dataclass(frozen=True, slots=True)
class Seen:
    """How often the player to move at a number went on to win, and to lose."""

    won: int = 0
    lost: int = 0

    def and_then(self, won: bool) -> Seen:
        return Seen(self.won + won, self.lost + (not won))


def class_map(records: Iterable[Record], game: Game, misere: bool = False) -> dict[int, Seen]:
    """Each number that the class has met in a finished match under the game's very rules.

    Only boards of one number tell of a number alone. The last number of a match counts too:
    there somebody was to move, and had no move or gave up. Where a first move has a rule of
    its own, the numbers after it are under other rules.
    """
    found: dict[int, Seen] = {}
    for record in records:
        board, winner = record.setup.board, record.winner
        if winner is None or len(board.numbers) != 1 or board.misere != misere:
            continue
        for turn, move in enumerate((*record.turns, None)):
            rules, number = board.numbers[0]
            if rules == game:
                to_move = (record.setup.first + turn) % 2
                found[number] = found.get(number, Seen()).and_then(to_move == winner)
            if move is not None:
                board = board.play(move)
    return found
