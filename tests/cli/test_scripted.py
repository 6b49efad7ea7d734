"""Pipes, JSON, records, seeds, interruptions; a series that was left goes on by `resume`."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import numduel
from numduel.cli.app import COMMANDS
from numduel.games import keys
from numduel.match import read_records
from patience import PATIENT
from soaking import SOAK
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
    assert run("rules") == run("games")
    assert [line.split()[0] for line in run("games").splitlines() if "(starts at" in line] == keys()


LEVELS = ["1", "2", "3", "4", "5"]
DIVISORS = ["all", "even", "odd", "prime"]
SPLIT = {
    "play --p2 lev": [f"level:{level}" for level in LEVELS],
    "play --p2 level : 3": ["3"],
    "play divisor-duel : 60 --p2 = level :": LEVELS,
    "play divisor-duel --set div": [f"divisors={one}" for one in DIVISORS],
    "play divisor-duel : 60 --set divisors = o": ["odd"],
    "map prime-subtractor --set opening =": ["below", "any"],
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
    assert done.stdout.split("\n")[1::3] == [name for name in COMMANDS if name.startswith("s")]


def test_other_shells_complete_words_with_signs() -> None:
    for shell, last in (("zsh", "3"), ("fish", "level:")):
        assert "_NUMDUEL_COMPLETE" in run("completion", shell)
        asked = {"COMP_WORDS": "numduel play --p2 level:", "COMP_CWORD": last}
        out, _, _ = piped([], apart=True, _NUMDUEL_COMPLETE=f"{shell}_complete", **asked)
        words = [word for word in out.replace(",", "\n").split() if word.startswith("level:")]
        assert words == [f"level:{level}" for level in LEVELS]


SERIES = {
    "subtract-a-prime --start 4 --best-of 3": ("3 3 2 2", 1),
    "subtract-a-prime --start 4 --best-of 5 --names Ann,Bo": ("3 2 2 3", 1),
    "divisor-duel --start 8 --best-of 3 --first 2": ("2 3 4 2 resign", 1),
    "power-play --start 12 --penalty 1 --best-of 3": ("2 x 2 3 resign 3 2 2", 1),
    "digit-subtraction-duel --best-of 3": ("25 2 2 3 resign resign 2 resign", 3),
}
"""What is typed, and how much of it before there is a match: the last asks who begins."""


@pytest.mark.soak("rest", short=True)
@pytest.mark.parametrize("place", ["sqlite", "postgresql"] if SOAK else ["sqlite"], indirect=True)
@pytest.mark.parametrize("series", SERIES)
def test_a_series_goes_on_where_its_input_ended(place: str, series: str) -> None:
    typed, first_cut = SERIES[series]
    arguments, lines = series.split(), typed.split()
    here = {"NUMDUEL_DATABASE_URL": place}
    whole = run("play", *arguments, "--no-save", typed="\n".join(lines))
    assert whole.endswith("wins the series!\n")
    assert whole.count("Who will go first?") == series.startswith("digit"), "it is asked once"
    for cut in range(first_cut, len(lines)):
        before, _, code = piped(["play", *arguments], "\n".join(lines[:cut]), **here)
        assert code == 1, "the input ended too early"
        shown = before.removesuffix("\n")
        assert whole.startswith(shown)
        after = run("resume", typed="\n".join(lines[cut:]), **here)
        assert after.endswith(whole[len(shown) :]), f"left after {lines[:cut]}"
        assert "in a best of" in after.split("\n")[0]
        assert run("resume", code=1, **here) == "numduel: There is no unfinished match.\n"


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_series_goes_on_after_a_kill(place: str, cut: int) -> None:
    series = ["play", "subtract-a-prime", "--start", "4", "--best-of", "3"]
    lines = ["3", "3", "2", "2"]
    with Terminal(*series, NUMDUEL_DATABASE_URL=place) as terminal:
        terminal.type(*lines[:cut])
        terminal.wait_for_prompt()
        terminal.kill()
    seen = run("resume", typed="\n".join(lines[cut:]), NUMDUEL_DATABASE_URL=place)
    tallies = ["1 of 3: Player 1 1, Player 2 0", "2 of 3: Player 1 1, Player 2 1"]
    tallies = [*tallies[min(cut, 2) - 1 :], "3 of 3: Player 1 1, Player 2 2"]
    assert [line for line in seen.split("\n") if line.startswith("Tally")] == [
        f"Tally after match {tally}." for tally in tallies
    ]
    assert seen.endswith("Player 2 wins the series!\n")


@pytest.mark.soak("kills", short=True)
def test_no_ctrl_c_is_lost(tmp_path: Path) -> None:
    """Pressed as the prompt appears, on a busy machine; once it was lost in 2 of 100 tries."""

    def leave(number: int) -> int:
        place = str(tmp_path / f"{number % 6}.sqlite3")
        here = {"NUMDUEL_DATABASE_URL": place, "TERM": ("xterm", "dumb")[number % 2]}
        with Terminal("play", "subtract-a-prime:4", **here) as terminal:
            terminal.type("2")
            terminal.interrupt()
            return terminal.end()

    with ThreadPoolExecutor(6) as hands:
        assert set(hands.map(leave, range(300 if SOAK else 6))) == {130}


def test_the_history_says_which_match_of_a_series_it_was() -> None:
    series = ["play", "subtract-a-prime:4", "--best-of", "3"]
    run(*series, typed="3\n3\n2\nquit\n")
    run("play", "subtract-a-prime:4", typed="3\n")
    lines = run("history").splitlines()
    assert [line.partition("turn")[2] for line in lines] == [
        ". Match 1 in a best of 3.", ". Match 2 in a best of 3.", ". Match 3 in a best of 3.", ".",
    ]  # fmt: skip
    assert [match["series"] for match in json.loads(run("history", "--json"))] == [
        *({"match": 1 + sum(wins), "of": 3, "wins": wins} for wins in ([0, 0], [1, 0], [1, 1])),
        None,
    ]
    piped(["play", "subtract-a-prime:4", "--best-of", "3"], "3\n")
    assert "unfinished after 0 turns" in run("history")
    assert "subtract-a-prime:4/3" in run("share"), "the latest is one that was played"
