"""The class's map, against a plain count; what was learned, and that matches are judged once."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from string import ascii_letters
from typing import Any

import pytest
from sqlalchemy import insert

from classes.taught import PLAN, four_rounds, kept_in_four_rounds, teaching
from loops import on_loop
from numduel import Board
from numduel.analysis import analyse, as_json
from numduel.classes.actions import EndRound, StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.learned import (
    EVERYBODY,
    LONGEST_BOARD,
    Count,
    Figures,
    Learned,
    Seen,
    counted,
    judged,
)
from numduel.classes.parts import Played, board_of, rules_of
from numduel.errors import StoreError, TooBusy, TooManyRequests, Unanswerable
from numduel.games import keys, load
from numduel.games.own_text import LONGEST
from numduel.match import Ending, Record, Referee, Setup, read_notation
from numduel.rooms import Bounds, new_token
from numduel.solver import Search
from numduel.store.schema import GUESSES, MISTAKES, SEEN
from numduel.thinking.meter import VISIT, Meter, Visit
from numduel.thinking.questions import looking_back
from patience import PATIENT
from rooms.lobbies import Thinking, write
from rooms.opened import Servers


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


def sums(counts: list[Count]) -> dict[tuple[int, int], Figures]:
    """What these add up to, by round and pupil."""
    found: dict[tuple[int, int], Figures] = {}
    for whose, figures in (one for count in counts for one in count.figures.items()):
        before = found.get(whose, Figures())
        found[whose] = Figures(*map(sum, zip(before, figures, strict=True)))
    return found


def class_map(records: list[Record], rules: str) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    for record in records:
        for (where, number), (won, lost) in counted(Played(1, (1, 2), record)).seen.items():
            if where == rules:
                before = found.get(number, (0, 0))
                found[number] = (before[0] + won, before[1] + lost)
    return found


def plainly_counted(records: list[Record], key: str) -> dict[int, tuple[int, int]]:
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
    assert class_map([*records, *others], key) == plainly_counted(records, key)


def test_only_finished_matches_of_one_number_colour_it() -> None:
    words = ["subtract-1-3-4:5/3", "subtract-1-3-4:5+divisor-duel:9/1:4", "subtract-1-to-60:300/1"]
    for word in words:
        assert counted(Played(1, (1, 2), read_notation(word))).seen == {}, word
    misere = counted(Played(1, (1, 2), read_notation("subtract-1-3-4:2~misere/1.1"))).seen
    rules = "subtract-1-3-4~misere"
    assert misere == {(rules, 2): Seen(won=1), (rules, 1): Seen(lost=1), (rules, 0): Seen(won=1)}


@pytest.mark.parametrize(
    "text",
    ["divisor-duel:60", "divisor-duel:1,divisors=even~misere", "subtract-1-3-4:31",
     "prime-subtractor:3,opening=any", "digit-subtraction-duel:10~misere"],
)  # fmt: skip
def test_rules_are_a_board_without_its_value(text: str) -> None:
    board = Board.parse(text)
    assert board_of(rules_of(board), board.numbers[0].value) == board
    assert board_of(rules_of(board)).numbers[0].value == max(1, board.numbers[0].game.least)
    assert rules_of(board_of(rules_of(board))) == rules_of(board)


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
    matches = [Played(1, (1, 2 if one.players[1] == "person" else None), one) for one in records]
    counts = [judged(one, as_json(analyse(one.record))) for one in matches]
    found = sums(counts)
    assert (found[1, EVERYBODY].kept, found[1, EVERYBODY].keepable) == (kept, keepable)
    assert found[1, EVERYBODY].share == kept / keepable
    assert sum(found[1, number].kept for number in (1, 2)) == kept
    made = Counter((board, move) for count in counts for _, board, move, _ in count.mistakes)
    assert made == mistakes
    for _, where, _, best in (mistake for count in counts for mistake in count.mistakes):
        board = Board.parse(where)
        assert search.lost(board.play(board.parse_move(best or "")))
    done = sums([counted(one) for one in matches])
    assert (done[1, EVERYBODY].matches, done[1, EVERYBODY].finished) == (20, 20)
    won = [sum(one.winner == seat for one in records) for seat in (0, 1)]
    computers = sum(one.winner == 1 and one.players[1] != "person" for one in records)
    assert (done[1, 1].won, done[1, 2].won) == (won[0], won[1] - computers)


@pytest.mark.parametrize(("numbers", "kept"), [(5, 1), (99, 0)])
def test_a_mistake_on_a_long_board_counts_but_is_not_shown(numbers: int, kept: int) -> None:
    board = Board.parse("+".join(["subtract-1-3-4:5"] * numbers))
    assert (len(str(board)) <= LONGEST_BOARD) == kept
    referee = Referee(Setup(board, ("Ann", "Ben")))
    referee.begin()
    referee.play(board.parse_move("1:4"))
    referee.resign(1)
    record = Record.of(referee)
    found = judged(Played(1, (1, 2), record), as_json(analyse(record)))
    assert found.figures[1, EVERYBODY] == Figures(kept=0, keepable=1, judged=1)
    assert len(found.mistakes) == kept


def test_the_longest_texts_fit_into_keys(servers: Servers) -> None:
    """However little they can be compressed."""
    rooms, random = servers(), Random(1)
    code = KeptClasses(rooms).open(new_token()).code
    moves, rule, board = (
        "".join(random.choices(ascii_letters, k=length))
        for length in (Bounds().digits + 5, 2 * LONGEST, LONGEST_BOARD)
    )
    with rooms.database.writing() as connection:
        for table, row in (
            (MISTAKES, (code, 1, board, moves, None, 1)),
            (SEEN, (code, rule, 1, 1, 1)),
            (GUESSES, (code, rule, 1, 1, True)),
        ):
            connection.execute(insert(table).values(row))


def test_a_match_without_a_move() -> None:
    """Resigning at once is no move, and a computer is no pupil."""
    record = replace(read_notation("subtract-1-3-4:15/3"), players=("level:1", "person"))
    found = counted(Played(1, (None, 2), record)).figures
    assert found[1, 2] == Figures(matches=1)
    gone = replace(record, turns=(), winner=0, ending=Ending.RESIGNED)
    found = counted(Played(1, (None, 2), gone)).figures
    assert found == {(1, 2): Figures(1, 1), (1, EVERYBODY): Figures(1, 1, won=1)}
    assert judged(Played(1, (None, 2), gone), None).figures[1, 2] == Figures(too_hard=1)


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
    async with teaching(file, *(f"Pupil {n}" for n in range(30)), thinking=thinking) as taught:
        await four_rounds(taught)
        waiting = True
        while waiting:
            found = [one for _, one in await taught.classes.learned(taught.code, taught.teacher)]
            for one in found:
                assert one.figures[:2] == (15, 15)
                assert (one.playing, one.idle) == (0, ())
            waiting = any(one.figures.waiting for one in found)
        kept = [(one.figures.kept, one.figures.keepable) for one in found]
        assert kept == kept_in_four_rounds()
        assert len(thinking.judged) == 60, "none twice, and none again for another look"
        assert thinking.tries == 4 * 60


@on_loop
async def test_judging_is_paid_for_by_the_class_and_not_by_whose_match_was_over_first(
    file: str,
) -> None:
    judging: list[Visit] = []

    class Asked(Thinking):
        async def ask(self, question: Callable[..., Any], /, **values: Any) -> Any:
            if question is looking_back.analysis:
                judging.append(VISIT.get())
            return await super().ask(question, **values)

    async with teaching(file, "Ann", "Ben", thinking=Asked()) as taught:
        await taught.teach(StartRound(PLAN))
        meter, token = Meter(thinking=30), taught.tokens["Ann"]
        meter.remember(token, taught.code)
        VISIT.set(ann := meter.visit(b"school", token, {}))
        assert ann.member
        await taught.play(await taught.to_move(await taught.room("Ann")), "30")
        await taught.resign("Ann")
        await taught.lobby.tasks.wait(("judging", taught.code), PATIENT)
    assert [(one.limited, one.member) for one in judging] == [(ann.limited, b"")]


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
        assert (found.playing, found.figures) == (2, Figures())
        assert (len(found.idle), len(found.waited)) == (2, 1), "who answers a first move waited"
        version = await taught.classes.wall_version(taught.code, taught.teacher)
        await taught.teach(EndRound())
        found = await learned()
        assert (found.playing, found.figures.waiting, found.figures.too_hard) == (0, 0, 1)
        assert (found.figures.finished, found.figures.kept, found.figures.keepable) == (0, 0, 1)
        assert found.mistake is not None
        assert await taught.classes.wall_version(taught.code, taught.teacher) > version + 3
        for wrong in ("board = 'x'", "board = 'subtract-1:9', move = 'x'"):
            write(place, f"UPDATE mistakes SET {wrong}")
            with pytest.raises(StoreError):
                await learned()
