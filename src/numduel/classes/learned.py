"""What the matches of a class tell, counted as each of them ends: its map, and what was learned."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from numduel.analysis import AnalysisFacts
from numduel.board import Board, Move
from numduel.classes.parts import (
    LARGEST,
    UNKNOWN,
    Answer,
    Guess,
    Played,
    Pupil,
    Vote,
    rules_of,
)
from numduel.classes.school_class import SchoolClass, Wall
from numduel.players import PERSON

_Said = TypeVar("_Said", Vote, Guess, Answer)
EVERYBODY = 0  # the number under which all pupils of a round are counted together
LONGEST_BOARD = 1_000
"""Letters of a board in whose text a mistake is kept: it is part of a key, and PostgreSQL refuses
keys of more than 2,704 bytes. Longer ones have many numbers and rules, and teach a class little."""


class Seen(NamedTuple):
    """How often the player to move at a number went on to win, and to lose."""

    won: int = 0
    lost: int = 0


class Figures(NamedTuple):
    """What is counted of a pupil in a round, or of everybody in it."""

    matches: int = 0
    finished: int = 0
    moved: int = 0  # matches in which they made a move
    won: int = 0
    kept: int = 0  # wins that were kept, in the matches that were judged
    keepable: int = 0  # positions with a win to keep, and a move that throws it away
    judged: int = 0
    too_hard: int = 0

    @property
    def share(self) -> float | None:
        """The share of wins kept; None where there was nothing to keep."""
        return self.kept / self.keepable if self.keepable else None

    @property
    def waiting(self) -> int:
        """Matches that are over, and not judged yet."""
        return self.matches - self.judged - self.too_hard


Mistake = tuple[int, str, str, str | None]  # round, board, move that threw a win away, winning move


@dataclass(frozen=True)
class Count:
    seen: dict[tuple[str, int], Seen]
    figures: dict[tuple[int, int], Figures]  # by round and pupil
    mistakes: tuple[Mistake, ...] = ()


class CommonMistake(NamedTuple):
    board: Board
    move: Move
    times: int
    best: Move | None  # one that would have won


@dataclass(frozen=True, slots=True)
class Learned:
    """One round, of all its pupils together."""

    figures: Figures
    mistake: CommonMistake | None
    idle: tuple[str, ...]
    waited: tuple[str, ...]  # those of a match that the other player did not begin
    playing: int  # matches that go on: they are counted when they end, or the round does


class Share(NamedTuple):
    right: int
    of: int


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    rounds: int  # in which they made a move in a match that is over
    won: int
    matches: int
    first: Figures | None  # the first round in which they had a win to keep
    last: Figures | None
    votes: Share
    guesses: Share
    puzzles: Share
    waiting: int  # matches and votes that are not looked at yet


def results(
    school_class: SchoolClass,
    figures: Mapping[tuple[int, int], Figures],
    traps: Mapping[str, Collection[int]],
) -> list[Result]:
    """One for each pupil; `traps` are those of each game whose map was guessed at."""
    winning = {one.number: one.winning for one in school_class.questions}
    sizes = Counter(one.set for one in school_class.all_puzzles)
    # Each list is gone through once, however many pupils there are.
    figured: defaultdict[int, list[Figures]] = defaultdict(list)
    for (_, whose), one in sorted(figures.items()):
        figured[whose].append(one)
    voted, guessed = _by_pupil(school_class.all_votes), _by_pupil(school_class.all_guesses)
    answered = _by_pupil(school_class.all_answers)

    def result(pupil: Pupil) -> Result:
        mine, votes = figured[pupil.number], voted[pupil.number]
        guesses, answers = guessed[pupil.number], answered[pupil.number]
        kept = [one for one in mine if one.keepable]
        # At a trap no vote is right.
        judged = [(one.move, winning[one.question] or UNKNOWN) for one in votes]
        fair = [(move, right.split()) for move, right in judged if right != UNKNOWN]
        posed = sum(sizes[number] for number in {one.set for one in answers})
        return Result(
            pupil.name,
            sum(one.moved > 0 for one in mine),
            sum(one.won for one in mine),
            sum(one.finished for one in mine),
            kept[0] if kept else None,
            kept[-1] if kept else None,
            Share(sum(move in right for move, right in fair), len(fair)),
            Share(sum((one.value in traps[one.game]) == one.trap for one in guesses), len(guesses)),
            Share(sum(one.right for one in answers), posed),
            sum(one.waiting for one in mine) + sum(winning[v.question] is None for v in votes),
        )

    return [result(pupil) for pupil in school_class.pupils]


def _by_pupil(said: Iterable[_Said]) -> defaultdict[int, list[_Said]]:
    found: defaultdict[int, list[_Said]] = defaultdict(list)
    for one in said:
        found[one.pupil].append(one)
    return found


def never_played(wall: Wall, figures: Mapping[tuple[int, int], Figures]) -> list[int]:
    """Numbers of those who are away, have made no move, and hold no seat that is played for."""
    moved = {number for (_, number), one in figures.items() if one.moved}
    for table in wall.school_class.tables:
        turns = wall.rooms[table.room].turns if table.room in wall.rooms else ()
        moved |= {table.pupils[turn.player] or EVERYBODY for turn in turns}
        moved |= {number or EVERYBODY for number in table.pupils if wall.school_class.is_playing}
    return sorted(wall.away - moved)


def counted(played: Played) -> Count:
    """What a match tells that is over, or whose round is."""
    record, moved = played.record, set()
    for turn, move in enumerate(record.turns):
        if move is not None:
            moved.add((record.setup.first + turn) % 2)

    def figures(seat: int) -> Figures:
        over = record.winner is not None
        return Figures(1, int(over), int(seat in moved), int(record.winner == seat))

    return Count(_seen(played), _figures(played, figures))


def judged(played: Played, told: AnalysisFacts | None) -> Count:
    """What was found in it; None where it was too hard."""
    if told is None:
        return Count({}, _figures(played, lambda _: Figures(too_hard=1)))
    people = _people(played)
    mistakes = [
        (played.round, move["board"], move["move"], move["best"])
        for move in told["moves"]
        if move["mistake"] and move["move"] != "pass" and move["player"] - 1 in people
        if len(move["board"]) <= LONGEST_BOARD
    ]
    kept, keepable = told["kept"], told["keepable"]
    found = _figures(played, lambda at: Figures(kept=kept[at], keepable=keepable[at], judged=1))
    return Count({}, found, tuple(mistakes))


def _people(played: Played) -> list[int]:
    return [seat for seat in (0, 1) if played.record.players[seat] == PERSON]


def _figures(played: Played, of: Callable[[int], Figures]) -> dict[tuple[int, int], Figures]:
    """What pupils did, not computers; of everybody, a match counts once."""
    people = _people(played)
    each = {(played.round, n): of(seat) for seat in people if (n := played.pupils[seat])}
    kept, keepable = (sum(of(seat)[at] for seat in people) for at in (4, 5))
    each[played.round, EVERYBODY] = of(0)._replace(kept=kept, keepable=keepable)
    return each


def _seen(played: Played) -> dict[tuple[str, int], Seen]:
    """Each number that a finished match went through, under the very rules that it had there: a
    first move may have a rule of its own. The last number counts too, where somebody had no move or
    gave up. Boards of several numbers are left out: they tell nothing of one number alone.
    """
    found: dict[tuple[str, int], Seen] = {}
    record = played.record
    board, winner = record.setup.board, record.winner
    if winner is None or len(board.numbers) != 1:
        return found
    for turn, move in enumerate((*record.turns, None)):
        if (value := board.numbers[0].value) <= LARGEST:
            won = (record.setup.first + turn) % 2 == winner
            before = found.get(where := (rules_of(board), value), Seen())
            found[where] = Seen(before.won + won, before.lost + (not won))
        if move is not None:
            board = board.play(move)
    return found
