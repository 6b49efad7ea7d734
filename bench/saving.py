"""What a saved move costs, against a bare durable insert into SQLite on the same disk."""

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.measure import Result, sized
from numduel import Board
from numduel.match import Record, Referee, Setup
from numduel.store import Store, open_store

MOVES = sized(1000, 10)
START = "digit-subtraction-duel:100000"


def bare_inserts(file: Path) -> Callable[[], float]:
    """A measure of one insert and its commit, by sqlite3 alone, as durable as ours."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE moves (id INTEGER, turn INTEGER, move TEXT, PRIMARY KEY (id, turn))"
    )
    turns = iter(range(1, 10**9))

    def measure() -> float:
        start = time.perf_counter()
        connection.execute("INSERT INTO moves VALUES (1, ?, '9')", (next(turns),))
        return time.perf_counter() - start

    return measure


def saved_moves(store: Store) -> Callable[[], float]:
    """A measure of what saving one move adds to playing it."""
    referee = Referee(Setup(Board.parse(START)))
    referee.begin()
    referee.play(next(referee.board.moves()))
    kept = store.add(Record.of(referee))

    def measure() -> float:
        nonlocal kept
        referee.play(next(referee.board.moves()))
        start = time.perf_counter()
        kept = store.save(kept, Record.of(referee))
        return time.perf_counter() - start

    return measure


def run() -> Iterator[Result]:
    """The medians of moves and inserts that take turns."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        place = Path(folder)
        with open_store(str(place / "history.sqlite3")) as store:
            bare, saved = bare_inserts(place / "bare.sqlite3"), saved_moves(store)
            times = [(bare(), saved()) for _ in range(MOVES)]
    insert, move = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"bare durable insert {insert * 1e6:.0f} us, saved move {move * 1e6:.0f} us")
    yield Result("saved move / bare durable insert into SQLite", move / insert, 2)
