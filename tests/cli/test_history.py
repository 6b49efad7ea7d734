"""History, statistics and resuming from the command line."""

import gc
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from match.test_record import played
from numduel.match import Record, read_records
from numduel.store import open_store
from terminal import Terminal, piped, run


def play(*moves: str, options: tuple[str, ...] = ()) -> None:
    run("play", "divisor-duel", *options, typed="".join(f"{move}\n" for move in moves))


def listed(**environment: str) -> Any:
    return json.loads(run("history", "--json", **environment))


def test_a_match_is_kept_from_its_first_move() -> None:
    assert run("history").startswith("No matches yet. The history is ")
    play("quit")
    play("moves", "7", "quit")
    assert run("history").startswith("No match"), "nothing was played"
    with Terminal("play", "divisor-duel") as terminal:
        terminal.type("15")
        terminal.wait_for_prompt()
        shown = run("history")
        assert "Divisor Duel from 60: Player 1 against Player 2, unfinished after 1 turn." in shown
        terminal.type("undo", "3", "resign")
        assert terminal.end() == 0
    shown = run("history", "export", "1")
    assert "1. Player 1: 3 -> 57\n\nResult: Player 1 wins\nEnding: resigned\n" in shown


def test_matches_can_be_left_out(kept: Path) -> None:
    play("15", "quit", options=("--no-save",))
    piped(["play", "subtract-a-prime:4", "--best-of", "3", "--no-save"], "3\n")
    run("play", "divisor-duel:7")
    assert not kept.exists(), "nobody moved"
    play("resign")
    assert "in 0 turns, by resignation." in run("history")
    run("play", "power-play:30", "--penalty", "1", typed="x\n2\nquit\n")
    assert "1. Player 1: pass\n2. Player 2: 2 -> 15\n" in run("show")


def test_listing_exporting_and_deleting() -> None:
    for moves in (("15", "quit"), ("2", "quit"), ("3", "resign")):
        play(*moves)
    assert len(run("history", "--last", "2").splitlines()) == 2
    assert [match["id"] for match in listed()] == [1, 2, 3]
    assert listed()[2]["ending"] == "resigned"
    exported = run("history", "export")
    assert len(read_records(exported)) == 3
    assert "\n".join(map(str, read_records(exported))) == exported
    assert len(read_records(run("history", "export", "2"))) == 1
    some = json.loads(run("history", "export", "3", "1", "--json"))
    assert [match["id"] for match in some] == [3, 1]
    assert json.loads(run("history", "export", "2", "--json"))[0]["moves"] == ["2"]
    out = run("history", "delete", "2", typed="no\n")
    assert out == "Delete match 2? [y/N]: Nothing was deleted.\n"
    assert run("history", "delete", "2", typed="yes\n").endswith("Deleted match 2.\n")
    assert "has no match 2" in run("history", "delete", "2", "1", "--yes", code=1)
    assert len(run("history").splitlines()) == 2, "all or nothing"
    assert run("history", "delete", "--all", "--yes") == "Deleted 2 matches.\n"
    assert run("history", "delete", "--all", "--yes") == "No matches yet.\n"
    assert run("stats") == "No matches yet.\n"


def test_resuming() -> None:
    play("15", "quit", options=("--names", "Alice,Bob", "--p2", "largest"))
    out = run("resume", typed="15\nquit\n")
    assert re.match(
        r"Match 1 continues: Divisor Duel from 60, after 2 turns\.\n\nAlice's turn\.\n"
        "Proper divisors of 30: 2,3,5,6,10,15\nEnter your chosen divisor: 15\n",
        out,
    )
    assert "The last 2 turns are taken back." in run("resume", "1", typed="undo\n2\nquit\n")
    run("resume", typed="resign\n")
    assert "Match 1 is over. numduel show 1 shows it." in run("resume", "1", code=1)
    assert "has no match 7" in run("resume", "7", code=1)
    assert "Player 2: Bob, largest" in run("history", "export", "1")
    assert len(listed()) == 1, "it is the same match"


def told(terminal: Terminal, old: int, own: int) -> int:
    """How often it is said that what is played there has become a match of its own."""
    said = f"Match {old} was changed in another terminal. Your match is saved as match {own}."
    return " ".join(terminal.screen.split()).count(said)


def test_two_terminals_on_one_match(place: str) -> None:
    """Moves and undo crosswise: one goes on with the match, the other with one of its own."""
    here_too = {"NUMDUEL_DATABASE_URL": place}
    run("play", "divisor-duel", typed="15\nquit\n", **here_too)
    with Terminal("resume", "1", **here_too) as here, Terminal("resume", **here_too) as there:
        there.wait_for_prompt()
        here.type("9")
        here.wait_for_prompt()
        there.type("undo", "30", "15")
        for terminal, line in ((here, "6"), (there, "5"), (here, "undo"), (here, "12")):
            terminal.type(line)
        for terminal in (here, there):
            terminal.type("quit")
            assert terminal.end() == 0
    assert (told(here, 1, 2), told(there, 1, 2)) == (0, 1)
    assert here.screen.endswith("saved. Continue with: numduel resume 1\n")
    assert there.screen.endswith("saved. Continue with: numduel resume 2\n")
    moves = [match["moves"] for match in listed(**here_too)]
    assert moves == [["15", "9", "12"], ["30", "15", "5"]]


def test_a_match_that_is_over_elsewhere_goes_on_as_another() -> None:
    """Who plays on is sent to the analysis of what was played here; who leaves, to the result."""
    play("15", "quit", options=("--p2", "largest"))
    with Terminal("resume", "1") as plays_on, Terminal("resume", "1") as leaves:
        plays_on.wait_for_prompt()
        leaves.wait_for_prompt()
        run("resume", "1", typed="resign\n")
        plays_on.type("15", "5")
        leaves.type("quit")
        assert (plays_on.end(), leaves.end()) == (0, 0)
    assert told(plays_on, 1, 2) == 1
    assert plays_on.screen.endswith("Every move judged: numduel analyse 2\n")
    assert leaves.screen.endswith("Match 1 was finished in another terminal: numduel show 1\n")
    assert [match["ending"] for match in listed()] == ["resigned", "no-move"]
    assert listed()[1]["moves"] == ["15", "15", "15", "5", "5"]


def test_what_was_taken_back_or_deleted_elsewhere_is_kept_by_who_played_it() -> None:
    play("15", "9", "quit")
    for gone, lines in (
        (["resume", "1"], ("quit",)),
        (["history", "delete", "1", "--yes"], ("15", "quit")),
    ):
        with Terminal("resume", "1") as terminal:
            terminal.wait_for_prompt()
            run(*gone, typed="undo\n15\nquit\n")
            terminal.type(*lines)
            assert terminal.end() == 0
    assert [match["moves"] for match in listed()] == [["15", "9"], ["15", "15", "15"]]
    assert "Your match is saved as match 3." in " ".join(terminal.screen.split())


def test_a_damaged_match_is_listed_with_the_others(kept: Path) -> None:
    for moves in (("15", "15", "quit"), ("2", "resign"), ("3", "resign")):
        play(*moves)
    with sqlite3.connect(kept) as connection:
        connection.execute("DELETE FROM turns WHERE match_id = 1 AND turn = 1")
    connection.close()
    lines = run("history").splitlines()
    assert lines[0] == "1  This match is damaged and cannot be read."
    assert ["Divisor Duel from 60" in line for line in lines] == [False, True, True]
    assert listed()[0] == {"id": 1, "damaged": True}
    assert [match["moves"] for match in listed()[1:]] == [["2"], ["3"]]
    for words, text, times in (
        (["history", "export"], "Board: divisor-duel:60\n", 2),
        (["stats"], "2 matches without you", 1),
    ):
        out, err, code = piped(words)
        assert (err, code) == ("numduel: Match 1 is damaged and was left out.\n", 0)
        assert out.count(text) == times
    said = "numduel: Match 1 is damaged and cannot be read. The other matches can."
    for arguments in (["show", "1"], ["resume", "1"], ["resume"], ["analyse", "1"]):
        assert run(*arguments, code=1).startswith(said), arguments
    assert run("history", "delete", "1", "--yes") == "Deleted match 1.\n"
    assert "damaged" not in run("history")


def test_resuming_between_computers_and_as_json(kept: Path) -> None:
    with open_store(str(kept)) as store:
        for players in (("random", "largest"), ("engine:x", "largest")):
            store.add(Record.of(played("divisor-duel:60", "15"), players=players))
    assert "is not available here." in run("resume", code=1)
    events = [json.loads(line) for line in run("resume", "1", "--json").splitlines()]
    assert events[0]["event"] == "note"
    assert events[1] == {"event": "turn", "turn": 2, "player": 2, "board": "divisor-duel:45"}
    assert events[-1]["event"] == "over"
    assert run("stats") == "2 matches without you: numduel history lists them.\n"


def test_statistics(tmp_path: Path) -> None:
    run("stats", "--output", str(tmp_path / "empty.png"))
    play("15", "15", "15", "resign")
    play("3", "resign", options=("--p2", "largest"))
    run("play", "power-play:30", "--p2", "random", typed="2\n5\n3\n")
    run("play", "divisor-duel:12", "--p1", "level:1", "--first", "2", typed="3\nresign\n")
    for columns in ("80", "40"):
        lines = run("stats", COLUMNS=columns).splitlines()
        assert lines[:5] == [
            "Divisor Duel", "  Greedy   won 0 of 1, accuracy 100%",
            "  Dot      won 0 of 1, accuracy 100%", "Power Play", "  Dice     won 1 of 1",
        ]  # fmt: skip
        assert "1 match without you" in " ".join(lines), "of two people, neither is you"
        assert "Accuracy over time, match by match" in lines
        assert max(map(len, lines)) <= int(columns)
    file = tmp_path / "plot.svg"
    assert run("stats", "--output", str(file)).endswith(f"The plot: {file}\n")
    assert "<svg" in file.read_text()
    assert len(json.loads(run("stats", "--json"))["points"]) == 3, "of all, for programs"


@pytest.mark.parametrize("typed", ["15\nresign\n", "15\nquit\n", "15\n"])
def test_a_match_lets_go_of_the_history(kept: Path, typed: str) -> None:
    """The menu plays on in the same process: what stays open loses its locks to the next match."""
    gc.disable()  # which would let go of it sooner or later
    try:
        piped(["play", "divisor-duel"], typed)
        assert kept.exists()
        assert not Path(f"{kept}-wal").exists(), "SQLite's log goes with the last connection"
    finally:
        gc.enable()
