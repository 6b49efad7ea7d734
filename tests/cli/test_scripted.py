"""Pipes, JSON, records, series, seeds, interruptions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from numduel.games import keys
from numduel.match import read_records
from patience import PATIENT
from terminal import COMMAND, Terminal, on_terminal, piped


def test_the_end_of_input_is_one_line_on_stderr_and_keeps_the_record(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    out, err, code = piped(["play", "divisor-duel", "--record", str(path)], "15\n15\n", apart=True)
    assert code == 1
    assert err == "numduel: the input ended before the match did.\n"
    assert out.endswith("Enter your chosen divisor: \n")
    (record,) = read_records(path.read_text())
    assert [move.amount for move in record.turns if move] == [15, 15]
    assert record.winner is None


def test_the_end_of_input_before_the_match() -> None:
    out, err, code = piped(["play", "power-play"], "")
    assert (code, err) == (1, "numduel: the input ended before the match did.\n")
    assert out.endswith("(greater than 1): \n")


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x04", 1)])
def test_ctrl_c_and_ctrl_d_say_that_the_match_is_saved(
    tmp_path: Path, keys: bytes, code: int
) -> None:
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    said = "\nThe match is saved. Continue with: numduel resume 1\n"
    with Terminal("play", "divisor-duel", **place) as terminal:
        terminal.type("15")
        terminal.press(keys)
        assert terminal.end() == code
        assert said in terminal.screen
        assert ("the input ended before the match did.\n" in terminal.screen) == (code == 1)
    with Terminal(**place) as menu:
        menu.type("resume")
        menu.press(keys)
        menu.wait_for(said.strip())


def test_rules_alone_lists_the_games_and_how_to_ask_for_one() -> None:
    out, err, code = piped(["rules"])
    assert (err, code) == ("", 0)
    *games, blank, how = out.splitlines()
    assert [line.split()[0] for line in games] == keys()
    assert (blank, how) == ("", "To read the rules of one: numduel rules subtract-a-prime")


def test_ctrl_c_is_130_and_nothing_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    with Terminal("play", "divisor-duel", "--record", str(path)) as terminal:
        terminal.type("15")
        terminal.interrupt()
        assert terminal.end() == 130
        assert "Traceback" not in terminal.screen
        assert terminal.screen.endswith("\n")
    (record,) = read_records(path.read_text())
    assert len(record.turns) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.txt"]


def test_records_are_added_to_a_file_of_records(tmp_path: Path) -> None:
    path = tmp_path / "matches.txt"
    path.touch()
    players = ["--p1", "largest", "--p2", "random", "--names", "Max,Ran"]
    for _ in range(2):
        _, _, code = piped(
            ["play", "divisor-duel", *players, "--best-of", "3", "--record", str(path)]
        )
        assert code == 0
    records = read_records(path.read_text())
    assert 4 <= len(records) <= 6
    assert records[0].players == ("largest", "random")
    assert [record.setup.first for record in records[:2]] == [0, 1]


def test_a_series_has_a_tally_line_after_each_match() -> None:
    out, _, code = piped(
        ["play", "subtract-a-prime", "--start", "2", "--best-of", "3"], "2\n2\n2\n"
    )
    assert code == 0
    assert "Tally after match 1 of 3: Player 1 1, Player 2 0.\n\nGame Start!" in out
    assert "Tally after match 2 of 3: Player 1 1, Player 2 1.\n" in out
    assert out.endswith(
        "Tally after match 3 of 3: Player 1 2, Player 2 1.\nPlayer 1 wins the series!\n"
    )


def test_digit_subtraction_duel_asks_once_in_a_series() -> None:
    out, _, code = piped(["play", "digit-subtraction-duel", "--best-of", "3"], "5\n2\n5\n5\n5\n5\n")
    assert code == 0
    assert out.count("Who will go first?") == 1
    assert "Player 2 subtracts 5 from 5" in out
    assert "Player 1 subtracts 5 from 5" in out


def test_a_seed_makes_random_play_repeat() -> None:
    game = ["play", "subtract-a-prime", "--start", "500", "--p1", "random", "--p2", "random"]
    runs = {piped([*game, "--first", "random", "--seed", "7"])[0] for _ in range(2)}
    others = {piped([*game, "--first", "random", "--seed", str(s)])[0] for s in range(4)}
    assert len(runs) == 1
    assert len(others) > 1


def test_who_begins() -> None:
    for option, name in (("1", "Alice"), ("2", "Bob"), ("bob", "Bob")):
        out, _, _ = piped(
            ["play", "divisor-duel", "--names", "Alice,Bob", "--first", option], "quit\n"
        )
        assert f"\n{name}'s turn." in out


def events(arguments: list[str], typed: str = "") -> list[dict[str, object]]:
    out, _, _ = piped(["play", *arguments, "--json"], typed)
    return [json.loads(line) for line in out.split("\n") if line]


def test_json_is_one_event_a_line() -> None:
    found = events(["divisor-duel", "--names", "A,B"], "7\n15\nundo\n15\n15\nmoves\nresign\n")
    assert [event["event"] for event in found] == [
        *("began", "turn", "bad-input", "moved", "turn", "undone", "turn"),
        *("moved", "turn", "moved", "turn", "moves", "over"),
    ]
    assert found[2]["message"] == "7 does not divide 60."
    assert found[3] == {
        "event": "moved",
        "turn": 1,
        "player": 1,
        "move": "15",
        "number": "45",
        "board": "divisor-duel:45",
    }
    assert found[-2]["moves"] == ["2", "3", "5", "6", "10", "15"]
    assert (found[-1]["winner"], found[-1]["ending"]) == (2, "resigned")


def test_json_reads_the_same_input_as_the_transcript() -> None:
    found = events(["digit-subtraction-duel"], "25\nPlayer 2\n5\n2\n8\n1\n9\n")
    assert [event["about"] for event in found if event["event"] == "question"] == ["start", "first"]
    assert found[-1]["winner"] == 2


def test_json_of_a_penalty_and_a_series() -> None:
    found = events(["power-play", "--start", "4", "--penalty", "1", "--best-of", "3"], "x\n2\n2\n")
    assert "passed" in [event["event"] for event in found]
    tally = next(event for event in found if event["event"] == "tally")
    assert (tally["wins"], tally["match"], tally["winner"]) == ([1, 0], 1, None)


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    done = subprocess.run(
        f"'{COMMAND[0]}' play digit-subtraction-duel --start 99999 --p1 largest --p2 largest"
        " | head -n 1",
        shell=True,
        capture_output=True,
        timeout=PATIENT,
        text=True,
    )
    assert done.stdout == "Welcome to Digit Subtraction Duel!\n"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("redirect", ["> /dev/full", ">&-", "<&-"])
def test_streams_that_are_full_or_closed_are_no_traceback(redirect: str) -> None:
    done = subprocess.run(
        f"'{COMMAND[0]}' play divisor-duel --p1 random {redirect}",
        shell=True,
        capture_output=True,
        timeout=PATIENT,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("numduel: ")
    assert done.stderr.count("\n") == 1


def test_a_record_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    path.touch(0o600)
    piped(["play", "divisor-duel", "--record", str(path)], "resign\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text()


def test_numduel_alone_in_a_pipe_shows_its_help() -> None:
    out, err, code = piped([], apart=True)
    assert (err, code) == ("", 0)
    assert "Examples:" in out
    assert out == piped(["--help"])[0]


def test_versions() -> None:
    import numduel

    assert piped(["--version"]) == (f"numduel {numduel.__version__}\n", "", 0)


def test_games_and_rules() -> None:
    out, _, _ = piped(["games"])
    assert "divisor-duel  (starts at 60)\n" in out
    listed = json.loads(piped(["games", "--json"])[0])
    assert [game["start"] for game in listed] == [20, 23, 60, 30, 25]
    assert listed[2]["variants"] == {"divisors": ["all", "even", "odd", "prime"]}
    for game in listed:
        out, _, code = piped(["rules", game["key"]])
        assert code == 0
        assert len(out.split("\n")) <= 25, "one screen"
        assert out.startswith(game["title"])
        assert json.loads(piped(["rules", game["key"], "--json"])[0])["key"] == game["key"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completion(shell: str) -> None:
    out, _, code = piped(["completion", shell])
    assert code == 0
    assert "_NUMDUEL_COMPLETE" in out
    words = {"COMP_WORDS": "numduel play div", "COMP_CWORD": "2"}
    if shell == "bash":
        out, _, _ = piped([], apart=True, _NUMDUEL_COMPLETE="bash_complete", **words)
        assert out == "plain,divisor-duel\n"


def completed_by_bash(*words: str) -> list[str]:
    """What bash offers after these words, which it has split at signs as it does."""
    script = piped(["completion", "bash"])[0]
    quoted = " ".join(f"'{word}'" for word in words)
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
         f"_numduel_completion '{COMMAND[0]}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
        capture_output=True, text=True, timeout=PATIENT,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


LEVELS = ["1", "2", "3", "4", "5"]
DIVISORS = ["all", "even", "odd", "prime"]
SPLIT = {
    ("numduel", "play", "--p2", "lev"): [f"level:{level}" for level in LEVELS],
    ("numduel", "play", "--p2", "level", ":"): LEVELS,
    ("numduel", "play", "--p2", "level", ":", "3"): ["3"],
    ("numduel", "play", "divisor-duel", ":", "60", "--p1", "level", ":"): LEVELS,
    ("numduel", "play", "divisor-duel", ":", "60", "--p1", "perf"): ["perfect"],
    ("numduel", "play", "--p2", "=", "level", ":"): LEVELS,
    ("numduel", "play", "pow"): ["power-play"],
    ("numduel", "play", "divisor-duel", "--set", "div"): [f"divisors={one}" for one in DIVISORS],
    ("numduel", "play", "divisor-duel", "--set", "divisors", "="): DIVISORS,
    ("numduel", "play", "divisor-duel", ":", "60", "--set", "divisors", "=", "o"): ["odd"],
    ("numduel", "map", "prime-subtractor", "--set", "opening", "="): ["below", "any"],
    ("numduel", "play", "power-play", "--set", ""): [],
    ("numduel", "reso"): [],
    ("numduel", "resu"): ["resume"],
}


@pytest.mark.parametrize("words", SPLIT, ids=" ".join)
def test_bash_completes_words_with_signs(words: tuple[str, ...]) -> None:
    assert completed_by_bash(*words) == SPLIT[words]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_complete_words_with_signs(shell: str) -> None:
    """They do not split there."""
    before, last = "numduel play --p2", "level:"
    asked = {"COMP_WORDS": f"{before} {last}", "COMP_CWORD": last if shell == "fish" else "3"}
    out, _, _ = piped([], apart=True, _NUMDUEL_COMPLETE=f"{shell}_complete", **asked)
    assert [word for word in out.replace(",", "\n").split() if word.startswith("level:")] == [
        f"level:{level}" for level in LEVELS
    ]


def test_a_board_of_several_numbers() -> None:
    out, _, code = piped(["play", "subtract-a-prime:3+divisor-duel:6"], "2\n1:3\n2:7\n3\n")
    assert code == 0
    assert "2 can be played on several numbers: write 1:2 or 2:2." in out
    assert "Player 1 plays 3. Number 1 is now 0." in out
    assert "7 is not greater than 1 and less than 6." in out
    assert out.endswith(
        "1: Subtract a Prime 0. Legal moves: None\n2: Divisor Duel 3. Legal moves: None\n"
        "Player 1 cannot make a valid move.\nPlayer 2 wins the game!\n"
    )


def test_a_record_on_a_terminal_device() -> None:
    seen, code = on_terminal(["play", "divisor-duel", "--record", "/dev/stdout"], ["resign"])
    assert code == 0
    assert seen.endswith("Result: Player 2 wins\nEnding: resigned\n")
