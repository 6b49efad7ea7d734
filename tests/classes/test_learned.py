"""The class's map, against a plain count; what was learned, and that matches are judged once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from classes.taught import PLAN, four_rounds, kept_in_four_rounds, teaching
from loops import on_loop
from numduel import Board
from numduel.analysis import analyse, as_json
from numduel.classes.actions import EndRound, StartRound
from numduel.classes.learned import TOO_HARD, Learned, Seen, class_map, judged_text, learned
from numduel.classes.school_class import Played, Pupil, Round, RoundPlan
from numduel.errors import StoreError, TooBusy, TooManyRequests, Unanswerable
from numduel.games import keys, load
from numduel.match import Ending, Record, Referee, Setup, read_notation
from numduel.solver import Search
from numduel.thinking.questions import looking_back
from rooms.lobbies import Thinking, write

NAMES = ("Ada", "Bob", "Cleo")
ROUND = Round(1, RoundPlan(Board.of("subtract-1-3-4", 15)))


def judged(record: Record) -> str:
    return judged_text(as_json(analyse(record)))


def played(board: Board, random: Random, names: tuple[str, str] = ("Ada", "Bob")) -> Record:
    """A match by chance, to its end or to where somebody resigns."""
    referee = Referee(Setup(board, names, first=random.randrange(2)))
    referee.begin()
    while not referee.over:
        if random.random() < 0.05:
            referee.resign(random.randrange(2))
        else:
            referee.play(random.choice(list(referee.board.moves())))
    return Record.of(referee)


def counted(records: list[Record], key: str) -> dict[int, tuple[int, int]]:
    """The plain count: replay each match, and write down who was to move at each number."""
    tally: dict[int, list[int]] = {}
    for record in records:
        referee = record.replay()
        assert referee.over is not None
        boards = [record.setup.board, *(turn.board for turn in referee.turns)]
        for ply, board in enumerate(boards):
            if str(board.numbers[0]).startswith(key) and "opening=any" not in str(board):
                won, lost = tally.setdefault(board.numbers[0].value, [0, 0])
                mine = referee.over.winner == (record.setup.first + ply) % 2
                tally[board.numbers[0].value] = [won + mine, lost + (not mine)]
    return {number: (won, lost) for number, (won, lost) in tally.items()}


@pytest.mark.parametrize("key", [*keys(), "subtract-1-3-4"])
def test_the_map_is_a_plain_count(key: str) -> None:
    random = Random(key)
    game = load(key)
    records = [played(Board.of(game, random.randrange(6, 40)), random) for _ in range(60)]
    others = [played(Board.of("subtract-1-2", 9), random) for _ in range(3)]
    found = class_map([*records, *others], game)
    assert {number: (one.won, one.lost) for number, one in found.items()} == counted(records, key)


def test_only_finished_matches_of_one_number_colour_it() -> None:
    game = load("subtract-1-3-4")
    words = [
        "subtract-1-3-4:5/3",
        "subtract-1-3-4:5+divisor-duel:9/1:4",
        "subtract-1-3-4:2~misere/1.1",
    ]
    records = [read_notation(word) for word in words]
    assert class_map(records, game) == {}
    misere = class_map(records, game, misere=True)
    assert misere == {2: Seen(won=1), 1: Seen(lost=1), 0: Seen(won=1)}


def test_what_was_learned_is_what_plain_search_says() -> None:
    random, search = Random(17), Search()
    records = [played(Board.of("subtract-1-3-4", 15), random) for _ in range(20)]
    records = [
        replace(one, players=("person", "level:3")) if number % 3 == 0 else one
        for number, one in enumerate(records)
    ]
    kept = keepable = 0
    mistakes: dict[tuple[str, str], int] = {}
    for record in records:
        board = record.setup.board
        for turn, move in enumerate(record.turns):
            assert move is not None
            person = record.players[(record.setup.first + turn) % 2] == "person"
            if person and len({search.lost(board.play(one)) for one in board.moves()}) == 2:
                keepable += 1
                good = search.lost(board.play(move))
                kept += good
                if not good:
                    where = (str(board), board.write_move(move))
                    mistakes[where] = mistakes.get(where, 0) + 1
            board = board.play(move)
    ada, bob, cleo = (Pupil(number, name, "") for number, name in enumerate(NAMES, 1))
    matches = [
        Played(1, (1, 2 if one.players[1] == "person" else None), one, judged(one))
        for one in records
    ]
    found = learned(matches, [ada, bob, cleo], ROUND)
    assert (found.kept, found.keepable) == (kept, keepable)
    assert found.share == kept / keepable
    assert found.mistake is not None
    assert found.mistake.times == max(mistakes.values())
    said = (str(found.mistake.board), found.mistake.board.write_move(found.mistake.move))
    assert mistakes[said] == found.mistake.times
    assert found.mistake.best is not None
    assert search.lost(found.mistake.board.play(found.mistake.best))
    assert found.idle == ("Cleo",)
    assert (found.matches, found.finished) == (20, 20)


def test_a_round_without_a_move() -> None:
    """Resigning at once is no move, and a computer of a pupil's name is no pupil."""
    record = replace(
        read_notation("subtract-1-3-4:15/3"), players=("level:1", "person"),
        setup=Setup(Board.of("subtract-1-3-4", 15), ("Pip", "Ada")),
    )  # fmt: skip
    pupils = [Pupil(1, "Pip", ""), Pupil(2, "Ada", "")]
    found = learned([Played(1, (None, 2), record, judged(record))], pupils, ROUND)
    assert found.idle == ("Pip", "Ada")
    assert found.share is None
    assert found.mistake is None
    gone = replace(record, turns=(), winner=0, ending=Ending.RESIGNED)
    assert learned([Played(1, (None, 2), gone, judged(gone))], [], ROUND).finished == 1


def test_a_match_that_is_not_judged_is_counted_as_missing_and_as_played() -> None:
    over = read_notation("subtract-1-3-4:5/3.1.1")
    going = read_notation("subtract-1-3-4:5/3")
    matches = [Played(1, (1, 2), over), Played(1, (3, 4), going), Played(1, (5, 6), over, TOO_HARD)]
    pupils = [Pupil(number, str(number), "") for number in range(1, 7)]
    found = learned(matches, pupils, ROUND)
    assert (found.matches, found.playing, found.waiting, found.too_hard) == (3, 1, 1, 1)
    assert (found.keepable, found.mistake) == (0, None)
    assert found.idle == ("4",), "the others have moved"
    ended = learned(matches, pupils, ROUND._replace(ended=True))
    assert (ended.playing, ended.waiting) == (0, 2)


class Refusing(Thinking):
    """Their line is full, and whoever asks has no time left, three times out of four."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0
        self.judged: list[str] = []

    async def ask(self, question: Callable[..., Any], /, **values: Any) -> Any:
        if question is looking_back.analysis:
            self.tries += 1
            if self.tries % 4:
                raise TooManyRequests(what="questions", seconds=0) if self.tries % 2 else TooBusy()
            self.judged.append(values["match"])
        return await super().ask(question, **values)


@on_loop
async def test_four_rounds_of_30_pupils_are_judged_once(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.classes.classes._AGAIN", 0.0)
    thinking = Refusing()
    async with teaching(file, *map(str, range(30)), thinking=thinking) as taught:
        await four_rounds(taught)
        waiting = True
        while waiting:
            found = [one for _, one in await taught.classes.learned(taught.code, taught.teacher)]
            for one in found:
                assert (one.matches, one.finished, one.playing, one.idle) == (15, 15, 0, ())
            waiting = any(one.waiting for one in found)
        assert [(one.kept, one.keepable) for one in found] == kept_in_four_rounds()
        assert len(thinking.judged) == 60, "none twice, and none again for another look"
        assert thinking.tries == 4 * 60


@on_loop
async def test_a_match_that_goes_on_is_judged_when_its_round_ends(place: str) -> None:
    class Stumped(Thinking):
        async def ask(self, question: Callable[..., Any], /, **values: Any) -> Any:
            if question is looking_back.analysis and not read_notation(values["match"]).turns:
                raise Unanswerable(kind="Lost", message="")
            return await super().ask(question, **values)

    async with teaching(place, "Ann", "Ben", "Cleo", "Dan", thinking=Stumped()) as taught:
        await taught.teach(StartRound(PLAN))
        await taught.play(await taught.to_move(await taught.room("Ann")), "30")

        async def learned() -> Learned:
            ((_, found),) = await taught.classes.learned(taught.code, taught.teacher)
            return found

        found = await learned()
        assert (found.playing, found.waiting, found.keepable, len(found.idle)) == (2, 0, 0, 3)
        version = await taught.classes.wall_version(taught.code, taught.teacher)
        await taught.teach(EndRound())
        found = await learned()
        assert (found.playing, found.waiting, found.too_hard) == (0, 0, 1)
        assert (found.finished, found.kept, found.keepable) == (0, 0, 1)
        assert found.mistake is not None
        assert await taught.classes.wall_version(taught.code, taught.teacher) > version + 3
        for wrong in ("nonsense", "[1]", "[[1], 2, 3]", '[[0, 0], [0, 0], [[1, "x", "1", null]]]'):
            write(place, f"UPDATE rounds SET judged = '{wrong}'")
            with pytest.raises(StoreError):
                await learned()
