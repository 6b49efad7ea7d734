"""Whatever is read, board, rule, notation, record, certificate or database file: a sentence, or a
value that reads back as it was; in bounded time and space. A second each in `make test`.

And generated nonsense at the prompt: never a traceback.
"""

import io
import json
import re
import tempfile
from collections.abc import Callable
from contextlib import closing, redirect_stdout, suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from guided import Fuzzing, Kind, kept
from match.test_board import boards
from match.test_record import FINISHED, played
from numduel import Board, NumduelError, solve
from numduel.classes import RoundPlan
from numduel.classes.actions import Action, Ask, CastVote, EndRound, ShowMap, StartRound
from numduel.classes.kept_classes import KeptClasses
from numduel.classes.learned import counted
from numduel.classes.roster import Invite, Join
from numduel.cli.console import EndOfInput, Left
from numduel.cli.table import Table
from numduel.games import keys, load
from numduel.match import Record, Setup, read_notation, read_records, write_notation
from numduel.research.verify import recheck
from numduel.rooms.actions import Outcome, Play, Resign, act
from numduel.rooms.changes import sit
from numduel.rooms.kept_rooms import Rooms
from numduel.rooms.room import Room, Terms
from numduel.solver.certificate import certificate
from numduel.solver.check import check
from numduel.store import PuzzleAnswer, is_whole, open_store
from research.test_hostile_certificates import CLAIMS, VERDICTS, changed, claim, sealed
from soaking import SOAK, batches, figure, time_for

pytestmark = [pytest.mark.no_cover, pytest.mark.soak("fuzzing", short=True)]
GAMES = list(keys())
RULES = ["subtract-1-3-4", "halve-or-subtract-1", "divide-by-2-3", "subtract-5-to-12", "halve",
         "subtract-prime", "subtract-power-of-2-or-subtract-6", "take away 1, 2 or 3"]  # fmt: skip
BOARDS = ["divisor-duel:60", "subtract-a-prime:20+power-play:30~misere", f"power-play:{10**60}",
          f"{RULES[0]}:12+{RULES[1]}:50", "divisor-duel:60,divisors=even"]  # fmt: skip
IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
ANN, BEN, TEACHER = "a" * 22, "b" * 22, "t" * 22
BOARD = Board.parse("divisor-duel:60")


def board(text: str) -> None:
    found = Board.parse(text)
    assert Board.parse(str(found)) == found


def rule(text: str) -> None:
    game = load(text)
    assert load(game.key).key == game.key
    list(zip(range(5), game.moves(50), strict=False))


def notation(text: str) -> None:
    found = read_notation(text)
    again = read_notation(write_notation(found))
    assert (again.setup, again.moves, again.winner) == (found.setup, found.moves, found.winner)


def record(text: str) -> None:
    for found in read_records(text):
        assert read_records(str(found)) == [found]


def any_certificate(text: str) -> None:
    data = None
    with suppress(ValueError, RecursionError):
        data = json.loads(text)
    if isinstance(data, dict) and data.get("format") == "numduel-claim":
        assert recheck(data, 0).left >= 0
    else:
        assert check(text).outcome in ("win", "loss")


def changed_certificate(text: str, chance: Random) -> str:
    try:
        data = changed(json.loads(text), chance)
        return json.dumps(sealed(data) if "blocks" in data else data)
    except (ValueError, TypeError, LookupError, RecursionError):
        return text


@cache
def database() -> tuple[bytes, str, str]:
    """A file with everything in it, the code of its room and that of its class."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "whole.sqlite3")
        with open_store(file) as store:
            for moves in (["15", "9"], ["15", "resign"]):
                store.add(Record.of(played("divisor-duel:60", *moves)))
            store.add_answer(PuzzleAnswer(datetime.now(UTC), "a", "divisor-duel", 900, True))
        with closing(Rooms(file, lambda *_: None)) as rooms:
            code = rooms.open(Terms(BOARD, seconds=600), ANN, 0).code
            rooms.change(code, lambda room, now: Outcome(sit(room, BEN, now)))
            rooms.change(code, lambda room, now: act(room, now, ANN, room.version, Play("15")))
            classes = KeptClasses(rooms)
            taught = classes.open(TEACHER)

            def teach(action: Action) -> None:
                version = classes.look(taught.code, TEACHER).version
                classes.act(taught.code, TEACHER, version, action)

            for token in (ANN, BEN):
                classes.act(taught.code, token, 0, Join(token))
            teach(StartRound(RoundPlan(BOARD)))
            (table,) = classes.look(taught.code, ANN).tables
            rooms.change(table.room, lambda room, now: act(room, now, ANN, room.version, Resign()))
            classes.add(
                taught.code, {one.id: counted(one) for one in classes.over(taught.code, 9)}, ""
            )
            for action in (EndRound(), Invite("c" * 22), Ask(BOARD)):
                teach(action)
            classes.act(taught.code, ANN, 0, CastVote(1, "15"))
            teach(ShowMap("divisor-duel"))
        return Path(file).read_bytes(), code, taught.code


def damaged(text: str) -> None:
    """The file with bytes changed as the text says: `17=ff 400=00`, counted without zeros."""
    whole, code, class_code = database()
    data, used = bytearray(whole), [place for place, byte in enumerate(whole) if byte]
    for place, byte in re.findall(r"([0-9]{1,9})=([0-9a-f]{2})", text):
        data[used[int(place) % len(used)]] = int(byte, 16)
    told: list[NumduelError] = []

    def use(one: Callable[[], object]) -> None:
        try:
            one()
        except NumduelError as error:
            told.append(error)

    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        file = Path(folder) / "damaged.sqlite3"
        file.write_bytes(data)
        use(lambda: use_history(str(file)))
        use(lambda: use_rooms(str(file), code, class_code, use))
    if told:
        raise told[0]


def use_history(file: str) -> None:
    with open_store(file) as store:
        for match in store.matches():
            if is_whole(match):
                assert read_records(str(match.record)) == [match.record]
        store.answers()
        store.add(Record.of(played("divisor-duel:60", "15")))


def use_rooms(
    file: str, code: str, taught: str, use: Callable[[Callable[[], object]], None]
) -> None:
    def play(room: Room, now: float) -> Outcome:
        return act(room, now, BEN, room.version, Play("15"))

    with closing(Rooms(file, lambda *_: None)) as rooms:
        use(lambda: rooms.replay(rooms.look(code).replay))
        use(lambda: rooms.change(code, play))
        classes = KeptClasses(rooms)
        for token in (TEACHER, ANN):
            for look in (classes.look, classes.wall, classes.learned, classes.figures):
                use(partial(look, taught, token))
            use(partial(classes.seen, taught, token, "divisor-duel"))
        use(lambda: classes.to_solve(taught))
        for done in (False, True):
            use(partial(classes.over, taught, 9, done))
        use(lambda: classes.act(taught, "d" * 22, 0, Join("Dan")))
        use(rooms.expire)


WORDS = [*GAMES, *RULES, "~misere", "divisors=prime", "or", "to", "subtract", "divide-by"]
LINES = FINISHED.split("\n")
KINDS: dict[str, Callable[[], Kind]] = {
    "board": lambda: Kind(board, BOARDS, WORDS),
    "rule": lambda: Kind(rule, RULES, WORDS),
    "notation": lambda: Kind(
        notation,
        [
            "divisor-duel:60/15.15.3",
            f"{BOARDS[1]}/1:3.2:5/first=2",
            "power-play:30/2.pass/penalty=1",
        ],
        [*WORDS, *["first=2", "overshoot=loses", "penalty=3", "resigned=1", "overshot=13", "pass"]],
    ),
    "record": lambda: Kind(record, [FINISHED, FINISHED * 2], [f"{line}\n" for line in LINES]),
    "certificate": lambda: Kind(
        any_certificate,
        [*map(certificate, map(solve, VERDICTS)), *map(json.dumps, map(claim, CLAIMS))],
        ['"kind": "walk"', '"misere": true', '"outcome": "win"', '"lost": ', '"e": 10'],
        changed_certificate,
    ),
    "database file": lambda: Kind(
        damaged,
        ["", "17=ff", "400=00 401=80"],
        [f"{place}=ff" for place in range(0, 40_000, 7)],
        short=15,
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_is_read_gets_a_sentence_or_reads_back(name: str) -> None:
    kind = KINDS[name]()
    fuzzing = Fuzzing(kind, kept().get(name, []), datetime.now(UTC) if SOAK else name)
    tries = fuzzing.run(kind.short, time_for(0.15 if SOAK else 0))
    figure(f"inputs read as a {name}, steps that they took", f"{tries:,}, {len(fuzzing.seen):,}")


LENGTH = 25
PROMPTS = settings(
    max_examples=40 if SOAK else 6, suppress_health_check=list(HealthCheck), database=None
)
TYPED = ["?", "help", "moves", "undo", "", "1", "2", "3", "5", "7", "1:2", "2:3", "0", "-1", "7.0"]
line = (
    st.sampled_from(TYPED)
    | st.text("0123456789", max_size=6)
    | st.text("0123456789:+-.,eE~= \t\x00\x1b\u0667\u00b2", max_size=12)
    | st.text(max_size=30)
    | st.integers(0, 10**200).map(str)
)
lines = st.lists(line, min_size=LENGTH, max_size=LENGTH)


def test_the_prompt() -> None:
    seen = set()

    @PROMPTS
    @given(boards(1, 12) | boards(3, 10**9), lines, st.sampled_from([None, 1, 3]))
    def play(board: Board, typed: list[str], penalty: int | None) -> None:
        if not any("penalty" in number.game.policies for number in board.numbers):
            penalty = None
        text = "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in typed)
        out = io.StringIO()
        table = Table(Setup(board, penalty=penalty))
        try:
            with mock.patch("sys.stdin", io.StringIO(text)), redirect_stdout(out):
                table.play()
            seen.add("finished")
        except EndOfInput:
            seen.add("unfinished")
        except Left:
            pass
        assert all(line.isprintable() for line in out.getvalue().split("\n"))

    for number in batches(0.15):
        seed(number)(play)()
    figure("lines typed at the prompt", PROMPTS.max_examples * LENGTH * (number + 1))
    assert seen == {"finished", "unfinished"}
