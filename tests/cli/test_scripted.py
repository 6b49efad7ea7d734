"""Pipes, JSON, records, series, seeds, interruptions."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.cli.app import COMMANDS
from numduel.games import keys
from numduel.match import read_records
from patience import PATIENT
from terminal import COMMAND, Terminal, on_terminal, piped, run


def test_the_end_of_input_is_one_line_on_stderr_and_keeps_the_record(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    out, err, code = piped(["play", "divisor-duel", "--record", str(path)], "15\n15\n")
    assert (err, code) == ("numduel: the input ended before the match did.\n", 1)
    assert out.endswith("Enter your chosen divisor: \n")
    (record,) = read_records(path.read_text())
    assert [move.amount for move in record.turns if move] == [15, 15]
    assert record.winner is None
    out, err, code = piped(["play", "power-play"])
    assert (err, code) == ("numduel: the input ended before the match did.\n", 1)
    assert out.endswith("(greater than 1): \n"), "before the match, too"


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x04", 1)])
def test_ctrl_c_and_ctrl_d_tear_nothing_and_say_that_the_match_is_saved(
    tmp_path: Path, keys: bytes, code: int
) -> None:
    said = "\nThe match is saved. Continue with: numduel resume 1\n"
    path = tmp_path / "match.txt"
    with Terminal("play", "divisor-duel", "--record", str(path)) as terminal:
        terminal.type("15")
        terminal.press(keys)
        assert terminal.end() == code
        assert said in terminal.screen
        assert ("the input ended before the match did.\n" in terminal.screen) == (code == 1)
        assert "Traceback" not in terminal.screen
        assert terminal.screen.endswith("\n")
    (record,) = read_records(path.read_text())
    assert len(record.turns) == 1
    assert {entry.name for entry in tmp_path.iterdir()} == {"match.txt", "history.sqlite3"}
    with Terminal() as menu:
        menu.type("resume")
        menu.press(keys)
        menu.wait_for(said.strip())


def test_records_are_added_to_a_file_of_records(tmp_path: Path) -> None:
    path = tmp_path / "matches.txt"
    path.touch(0o600)
    players = ["--p1", "largest", "--p2", "random", "--names", "Max,Ran"]
    for _ in range(2):
        run("play", "divisor-duel", *players, "--best-of", "3", "--record", str(path))
    records = read_records(path.read_text())
    assert 4 <= len(records) <= 6
    assert records[0].players == ("largest", "random")
    assert [record.setup.first for record in records[:2]] == [0, 1]
    assert path.stat().st_mode & 0o777 == 0o600, "it keeps its permissions"
    seen, _ = on_terminal(["play", "divisor-duel", "--record", "/dev/stdout"], ["resign"])
    assert seen.endswith("Result: Player 2 wins\nEnding: resigned\n")


def test_who_begins_and_a_seed_that_makes_random_play_repeat() -> None:
    game = ["play", "subtract-a-prime", "--start", "500", "--p1", "random", "--p2", "random"]
    seeds = ["7", "7", "0", "1", "2"]
    outs = [run(*game, "--first", "random", "--seed", seed) for seed in seeds]
    assert outs[0] == outs[1]
    assert len({*outs}) > 2
    for option, name in (("1", "Alice"), ("2", "Bob"), ("bob", "Bob"), ("Player 2", "Bob")):
        words = ["play", "divisor-duel", "--names", "Alice,Bob", "--first", option]
        assert f"\n{name}'s turn." in run(*words, typed="quit\n")


def events(*arguments: str, typed: str = "") -> list[dict[str, Any]]:
    out, _, _ = piped(["play", *arguments, "--json"], typed)
    return [json.loads(line) for line in out.split("\n") if line]


def test_json_is_one_event_a_line() -> None:
    lines = "7\n15\nundo\n15\n15\nmoves\nresign\n"
    found = events("divisor-duel", "--names", "A,B", typed=lines)
    assert [event["event"] for event in found] == [
        *("began", "turn", "bad-input", "moved", "turn", "undone", "turn"),
        *("moved", "turn", "moved", "turn", "moves", "over"),
    ]
    assert found[2]["message"] == "7 does not divide 60."
    moved = {"player": 1, "move": "15", "number": "45", "board": "divisor-duel:45"}
    assert found[3] == {"event": "moved", "turn": 1} | moved
    assert found[-2]["moves"] == ["2", "3", "5", "6", "10", "15"]
    assert (found[-1]["winner"], found[-1]["ending"]) == (2, "resigned")
    found = events("digit-subtraction-duel", typed="25\nPlayer 2\n5\n2\n8\n1\n9\n")
    assert [event["about"] for event in found if event["event"] == "question"] == ["start", "first"]
    assert found[-1]["winner"] == 2
    rules = ("--start", "4", "--penalty", "1", "--best-of", "3")
    found = events("power-play", *rules, typed="x\n2\n2\n")
    assert "passed" in [event["event"] for event in found]
    tally = next(event for event in found if event["event"] == "tally")
    assert (tally["wins"], tally["match"], tally["winner"]) == ([1, 0], 1, None)


@pytest.mark.parametrize("redirect", ["| head -n 1", "> /dev/full", ">&-", "<&-"])
def test_streams_that_are_closed_or_full_are_no_traceback(redirect: str) -> None:
    game = "play digit-subtraction-duel --start 9999 --p2 largest --first 1"
    player = "largest" if "head" in redirect else "person"
    done = subprocess.run(
        f"'{COMMAND[0]}' {game} --p1 {player} {redirect}",
        shell=True, capture_output=True, timeout=PATIENT, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if "head" in redirect:
        assert (done.stdout, done.stderr) == ("Welcome to Digit Subtraction Duel!\n", "")
    else:
        assert done.returncode == 1
        assert done.stderr.startswith("numduel: ")
        assert done.stderr.count("\n") == 1


def test_help_version_games_and_rules() -> None:
    assert "Examples:" in run("--help")
    assert piped([], apart=True) == (run("--help"), "", 0), "also of numduel alone in a pipe"
    assert run("--version") == f"numduel {numduel.__version__}\n"
    listed = json.loads(run("games", "--json"))
    assert [game["start"] for game in listed] == [20, 23, 60, 30, 25]
    assert listed[2]["variants"] == {"divisors": ["all", "even", "odd", "prime"]}
    for game in listed:
        out = run("rules", game["key"])
        assert len(out.split("\n")) <= 25, "one screen"
        assert out.startswith(game["title"])
        assert json.loads(run("rules", game["key"], "--json"))["key"] == game["key"]
    *games, blank, how = run("rules").splitlines()
    assert [line.split()[0] for line in games] == keys() == [game["key"] for game in listed]
    assert (blank, how) == ("", "To read the rules of one: numduel rules subtract-a-prime")


LEVELS = ["1", "2", "3", "4", "5"]
DIVISORS = ["all", "even", "odd", "prime"]
SPLIT = {
    "play --p2 lev": [f"level:{level}" for level in LEVELS],
    "play --p2 level : 3": ["3"],
    "play divisor-duel : 60 --p2 = level :": LEVELS,
    "play divisor-duel --set div": [f"divisors={one}" for one in DIVISORS],
    "play divisor-duel : 60 --set divisors = o": ["odd"],
    "map prime-subtractor --set opening =": ["below", "any"],
    "play power-play --set ": [],
}
"""The words as bash has split them at signs, and what it is to offer after the last."""


def test_bash_completes_words_with_signs() -> None:
    script = run("completion", "bash")
    for line in SPLIT:
        words = ["numduel", *line.split(" ")]
        quoted = " ".join(f"'{word}'" for word in words)
        script += f"COMPREPLY=(); COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
        script += f"_numduel_completion '{COMMAND[0]}'; echo \"${{COMPREPLY[*]}}\"\n"
    bash = ["bash", "--norc", "-c", script]
    done = subprocess.run(bash, capture_output=True, text=True, timeout=PATIENT)
    assert done.stderr == ""
    offered = [line.split() for line in done.stdout.splitlines()]
    assert dict(zip(SPLIT, offered, strict=True)) == SPLIT


def test_no_command_is_imported_to_name_it() -> None:
    tab = {"_NUMDUEL_COMPLETE": "zsh_complete", "COMP_WORDS": "numduel s", "COMP_CWORD": "1"}
    for words, environment in ((["--help"], {}), ([], tab)):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *COMMAND, *words],
            env={**os.environ, **environment}, capture_output=True, text=True, timeout=PATIENT,
        )  # fmt: skip
        assert {*re.findall(r"numduel\.cli\.(\w+)", done.stderr)} == {"app", "layout"}
    offered = done.stdout.split("\n")[1::3]
    assert offered == [name for name in COMMANDS if name.startswith("s")]


def test_other_shells_complete_words_with_signs() -> None:
    """They do not split there."""
    for shell, last in (("zsh", "3"), ("fish", "level:")):
        assert "_NUMDUEL_COMPLETE" in run("completion", shell)
        asked = {"COMP_WORDS": "numduel play --p2 level:", "COMP_CWORD": last}
        out, _, _ = piped([], apart=True, _NUMDUEL_COMPLETE=f"{shell}_complete", **asked)
        words = [word for word in out.replace(",", "\n").split() if word.startswith("level:")]
        assert words == [f"level:{level}" for level in LEVELS]
