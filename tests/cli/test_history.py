"""History, statistics and resuming from the command line."""

from __future__ import annotations

import gc
import json
import sqlite3
from pathlib import Path

import pytest

from numduel.match import read_records
from numduel.store import open_store
from terminal import Terminal, piped


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "history.sqlite3")


def run(place: str, *arguments: str, typed: str = "", code: int = 0) -> str:
    out, err, found = piped(arguments, typed, NUMDUEL_DATABASE_URL=place)
    assert found == code, out + err
    assert "Traceback" not in err
    return out + err


def play(place: str, *moves: str, options: tuple[str, ...] = ()) -> None:
    run(place, "play", "divisor-duel", *options, typed="".join(f"{move}\n" for move in moves))


def test_a_match_is_kept_from_its_first_move(place: str) -> None:
    assert run(place, "history").startswith("No matches yet. The history is ")
    play(place, "quit")
    play(place, "moves", "7", "quit")
    assert run(place, "history").startswith("No match"), "nothing was played"
    with Terminal("play", "divisor-duel", NUMDUEL_DATABASE_URL=place) as terminal:
        terminal.type("15")
        terminal.wait_for_prompt()
        shown = run(place, "history")
        assert "Divisor Duel from 60: Player 1 against Player 2, unfinished after 1 turn." in shown
        terminal.type("undo")
        terminal.type("3")
        terminal.type("resign")
        assert terminal.end() == 0
    shown = run(place, "history", "show", "1")
    assert "1. Player 1: 3 -> 57\n\nResult: Player 1 wins\nEnding: resigned\n" in shown


def test_matches_can_be_left_out(place: str) -> None:
    play(place, "15", "quit", options=("--no-save",))
    assert not Path(place).exists()
    run(place, "play", "divisor-duel:7")
    assert not Path(place).exists(), "nobody moved"
    play(place, "resign")
    assert "in 0 turns, by resignation." in run(place, "history")


def test_a_series_keeps_each_match(place: str) -> None:
    run(place, "play", "divisor-duel:6", "--best-of", "3", typed="3\n2\n2\n3\n")
    assert len(json.loads(run(place, "history", "--json"))) >= 2
    run(place, "play", "power-play:30", "--penalty", "1", typed="x\n2\nquit\n")
    assert "1. Player 1: pass\n2. Player 2: 2 -> 15\n" in run(place, "show")


def test_listing_exporting_and_deleting(place: str) -> None:
    for moves in (("15", "quit"), ("2", "quit"), ("3", "resign")):
        play(place, *moves)
    assert len(run(place, "history", "--last", "2").splitlines()) == 2
    listed = json.loads(run(place, "history", "--json"))
    assert [match["id"] for match in listed] == [1, 2, 3]
    assert listed[2]["ending"] == "resigned"
    exported = run(place, "history", "export")
    assert len(read_records(exported)) == 3
    assert "\n".join(map(str, read_records(exported))) == exported
    assert len(read_records(run(place, "history", "export", "2"))) == 1
    assert [m["id"] for m in json.loads(run(place, "history", "export", "3", "1", "--json"))] == [
        3,
        1,
    ]
    assert json.loads(run(place, "history", "show", "2", "--json"))["moves"] == ["2"]
    out = run(place, "history", "delete", "2", typed="no\n")
    assert out == "Delete match 2? Type yes: no\nNothing was deleted.\n"
    assert run(place, "history", "delete", "2", typed="yes\n").endswith("Deleted match 2.\n")
    assert "has no match 2" in run(place, "history", "delete", "2", "1", "--yes", code=1)
    assert len(run(place, "history").splitlines()) == 2, "all or nothing"
    assert "Name the matches to delete, or use --all." in run(place, "history", "delete", code=2)
    assert run(place, "history", "delete", "--all", "--yes") == "Deleted 2 matches.\n"
    assert run(place, "history", "delete", "--all", "--yes") == "No matches yet.\n"
    assert run(place, "stats") == "No matches yet.\n"


def test_resuming(place: str) -> None:
    assert run(place, "resume", code=1) == "numduel: There is no unfinished match.\n"
    play(place, "15", "quit", options=("--names", "Alice,Bob", "--p2", "largest"))
    out = run(place, "resume", typed="15\nquit\n")
    assert out.startswith(
        "Match 1 continues: Divisor Duel from 60, after 2 turns. It is your latest"
    )
    assert (
        "\n\nAlice's turn.\nProper divisors of 30: 2,3,5,6,10,15\nEnter your chosen divisor: 15\n"
    ) in out
    out = run(place, "resume", "1", typed="undo\n2\nquit\n")
    assert "The last 2 turns are taken back." in out
    run(place, "resume", typed="resign\n")
    assert "Match 1 is over. numduel show 1 shows it." in run(place, "resume", "1", code=1)
    assert "has no match 7" in run(place, "resume", "7", code=1)
    record = run(place, "history", "show", "1")
    assert "Player 2: Bob, largest" in record
    assert len(json.loads(run(place, "history", "--json"))) == 1, "it is the same match"


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A history on each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "history.sqlite3")
    new: str = request.getfixturevalue("postgresql").new_history()
    return new


def told(terminal: Terminal, old: int, own: int) -> int:
    """How often it is said that what is played there has become a match of its own."""
    said = f"Match {old} was changed in another terminal. Your match is saved as match {own}."
    return " ".join(terminal.screen.split()).count(said)


def test_two_terminals_on_one_match(either: str) -> None:
    """Moves and undo crosswise: one goes on with the match, the other with one of its own."""
    play(either, "15", "quit")
    here = Terminal("resume", "1", NUMDUEL_DATABASE_URL=either)
    there = Terminal("resume", "1", NUMDUEL_DATABASE_URL=either)
    with here, there:
        there.wait_for_prompt()
        here.type("9")
        here.wait_for_prompt()
        for line in ("undo", "30", "15"):
            there.type(line)
        for terminal, line in ((here, "6"), (there, "5"), (here, "undo"), (here, "12")):
            terminal.type(line)
        for terminal in (here, there):
            terminal.type("quit")
            assert terminal.end() == 0
    assert (told(here, 1, 2), told(there, 1, 2)) == (0, 1)
    assert here.screen.endswith("saved. Continue with: numduel resume 1\n")
    assert there.screen.endswith("saved. Continue with: numduel resume 2\n")
    listed = json.loads(run(either, "history", "--json"))
    assert [match["moves"] for match in listed] == [["15", "9", "12"], ["30", "15", "5"]]


def test_a_match_that_is_over_elsewhere_goes_on_as_another(place: str) -> None:
    """Who plays on is sent to the analysis of what was played here; who leaves, to the result."""
    play(place, "15", "quit", options=("--p2", "largest"))
    with (
        Terminal("resume", "1", NUMDUEL_DATABASE_URL=place) as plays_on,
        Terminal("resume", "1", NUMDUEL_DATABASE_URL=place) as leaves,
    ):
        plays_on.wait_for_prompt()
        leaves.wait_for_prompt()
        run(place, "resume", "1", typed="resign\n")
        for line in ("15", "5"):
            plays_on.type(line)
        leaves.type("quit")
        assert (plays_on.end(), leaves.end()) == (0, 0)
    assert told(plays_on, 1, 2) == 1
    assert plays_on.screen.endswith("Where was it decided? numduel analyse 2\n")
    assert leaves.screen.endswith("Match 1 was finished in another terminal: numduel show 1\n")
    listed = json.loads(run(place, "history", "--json"))
    assert [match["ending"] for match in listed] == ["resigned", "no-move"]
    assert listed[1]["moves"] == ["15", "15", "15", "5", "5"]


def test_what_was_taken_back_or_deleted_elsewhere_is_kept_by_who_played_it(place: str) -> None:
    play(place, "15", "9", "quit")
    for gone in (["resume", "1"], ["history", "delete", "1", "--yes"]):
        with Terminal("resume", "1", NUMDUEL_DATABASE_URL=place) as terminal:
            terminal.wait_for_prompt()
            run(place, *gone, typed="undo\n15\nquit\n")
            for line in ("quit",) if gone[0] == "resume" else ("15", "quit"):
                terminal.type(line)
            assert terminal.end() == 0
    listed = json.loads(run(place, "history", "--json"))
    assert [match["moves"] for match in listed] == [["15", "9"], ["15", "15", "15"]]
    assert "Your match is saved as match 3." in " ".join(terminal.screen.split())


def test_a_damaged_match_is_listed_with_the_others(place: str) -> None:
    play(place, "15", "15", "quit")
    play(place, "2", "resign")
    play(place, "3", "resign")
    with sqlite3.connect(place) as connection:
        connection.execute("DELETE FROM turns WHERE match_id = 1 AND turn = 1")
    connection.close()
    lines = run(place, "history").splitlines()
    assert lines[0] == "1  This match is damaged and cannot be read."
    assert ["Divisor Duel from 60" in line for line in lines] == [False, True, True]
    listed = json.loads(run(place, "history", "--json"))
    assert listed[0] == {"id": 1, "damaged": True}
    assert [match["moves"] for match in listed[1:]] == [["2"], ["3"]]
    out, err, code = piped(["history", "export"], NUMDUEL_DATABASE_URL=place)
    assert (err, code) == ("numduel: Match 1 is damaged and was left out.\n", 0)
    assert len(read_records(out)) == 2
    out, err, code = piped(["stats"], NUMDUEL_DATABASE_URL=place)
    assert (err, code) == ("numduel: Match 1 is damaged and was left out.\n", 0)
    assert "Divisor Duel" in out
    told = "numduel: Match 1 is damaged and cannot be read. The other matches can."
    for arguments in (["show", "1"], ["resume", "1"], ["resume"], ["analyse", "1"]):
        assert run(place, *arguments, code=1).startswith(told), arguments
    assert run(place, "history", "delete", "1", "--yes") == "Deleted match 1.\n"
    assert "damaged" not in run(place, "history")


def test_resuming_between_computers_and_as_json(place: str) -> None:
    with open_store(place) as store:
        from match.test_record import played
        from numduel.match import Record

        store.add(Record.of(played("divisor-duel:60", "15"), players=("random", "largest")))
        store.add(Record.of(played("divisor-duel:60", "15"), players=("engine:x", "largest")))
    assert "is not available here." in run(place, "resume", code=1)
    events = [json.loads(line) for line in run(place, "resume", "1", "--json").splitlines()]
    assert events[0]["event"] == "note"
    assert events[1] == {"event": "turn", "turn": 2, "player": 2, "board": "divisor-duel:45"}
    assert events[-1]["event"] == "over"
    assert run(place, "stats") == "2 matches between computers.\n"


def test_statistics(place: str, tmp_path: Path) -> None:
    play(place, "15", "15", "15", "resign")
    play(place, "3", "resign", options=("--p2", "largest"))
    run(place, "play", "power-play:30", "--p2", "random", typed="2\n5\n3\n")
    lines = run(place, "stats").splitlines()
    assert lines[0].split() == [
        "Game", "Player", "Against", "Played", "Won", "Lost", "Open", "Accuracy",
    ]  # fmt: skip
    assert lines[1].split()[-5:] == ["1", "1", "0", "0", "100%"]
    assert any(line.split()[-1] == "-" for line in lines if line.startswith("Power Play"))
    assert "Accuracy over time, match by match" in lines
    file = tmp_path / "plot.svg"
    assert run(place, "stats", "--output", str(file)).endswith(f"The plot: {file}\n")
    assert "<svg" in file.read_text()
    assert len(json.loads(run(place, "stats", "--json"))["points"]) == 2
    run(f"{place}2", "stats", "--output", str(tmp_path / "empty.png"))


@pytest.mark.parametrize("typed", ["15\nresign\n", "15\nquit\n", "15\n"])
def test_a_match_lets_go_of_the_history(place: str, typed: str) -> None:
    """The menu plays on in the same process: what stays open loses its locks to the next match."""
    gc.disable()  # which would let go of it sooner or later
    try:
        piped(["play", "divisor-duel"], typed, NUMDUEL_DATABASE_URL=place)
        assert Path(place).exists()
        assert not Path(f"{place}-wal").exists(), "SQLite's log goes with the last connection"
    finally:
        gc.enable()
