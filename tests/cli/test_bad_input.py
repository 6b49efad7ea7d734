"""Bad input, piece by piece, and files without end: a sentence about it, and nothing lost."""

import re
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from numduel.cli.options import LONGEST
from numduel.errors import FileError
from numduel.match import read_notation
from numduel.solver import Search
from patience import PATIENT
from terminal import on_terminal, piped, run

PROMPT = {
    "abc": '"abc" is not a number.',
    "": "Nothing was entered.",
    "0": "0 is not prime.",
    "-7": '"-7" is negative;',
    "7.0": '"7.0" is not a whole number; write it without a decimal point.',
    "1e3": '"1e3" is in exponent form;',
    "\u0667": '"\u0667" is not written in the digits 0 to 9.',
    "9" * 10_000: "A number of 10,000 digits is too large; the limit is 4,000 digits.",
    "9" * 1_000_000: "A number of more than 40,000 digits is too large; the limit is 4,000 digits.",
    "9" * 5000 + "!": "A number of 5,000 digits is too large; the limit is 4,000 digits.",
    "9": "9 is not prime.",
    "23": "23 is more than 20.",
    "1:": '"1:" does not say what to play there.',
    "1:1:1": 'In "1:1:1": "1:1" is not a whole number.',
    "2:3": '"2:3" names another number, but there is only one.',
    "\x1b[2J\x07": '"\\x1b[2J\\x07" is not a whole number.',
    "0" * 150_000 + "7": f'"{"0" * 37}..." is not a whole number.',
}


def test_the_prompt_says_what_is_wrong_and_what_is_right() -> None:
    out = run("play", "subtract-a-prime", typed="\n".join([*PROMPT, "11", "quit"]))
    _, *answers, played, _ = out.split("Enter the prime number to subtract: ")
    for (typed, sentence), answer in zip(PROMPT.items(), answers, strict=True):
        assert f"\n{sentence} " in answer, typed[:20]
        assert answer.endswith("Play a prime up to 20, or type ? for help.\n"), typed[:20]
    assert "New number is: 9\n" in played, "the match goes on where it stood"
    assert "\x1b" not in out


IN_A_GAME = {
    ("divisor-duel", "7"): "7 does not divide 60. Play a divisor of 60 other than 1 and 60",
    ("divisor-duel", "1"): "1 is not greater than 1 and less than 60.",
    ("divisor-duel", "60"): "60 is not greater than 1 and less than 60.",
    ("power-play", "\n10"): "10 is not prime. Play a prime factor of 30",
    ("power-play", "\n7"): "7 is not a factor of 30.",
    ("digit-subtraction-duel", "\n\n3"): "3 is not a digit of 25. Play a digit of 25 other",
    ("digit-subtraction-duel", "\n\n0"): "0 is not a positive number.",
    ("prime-subtractor", "29"): "29 is more than 23. Play a prime below 23",
    ("divisor-duel:123456789", "map"): "A map goes up to a number from 1 to 10000, not 123456789.",
    ("divisor-duel:60+power-play:30", "map"): "A map shows one number, but the board has 2.",
    ("prime-subtractor", "23"): "23 is the starting total, which cannot be the first move.",
}


def test_each_game_in_its_own_terms_and_a_bad_start_is_asked_again_or_bad_usage() -> None:
    for (game, typed), sentence in IN_A_GAME.items():
        assert sentence in run("play", game, typed=f"{typed}\nquit\n")
    bad = ["1", "7", "x", "-4", "2.5", "\u0667", "9" * 4001]
    out = run("play", "power-play", typed="\n".join([*bad, "12", "quit"]))
    assert out.count("Enter the starting number (greater than 1): ") == len(bad) + 1
    assert out.count("Choose a composite number, like 4, 8, 9 or 30.\n") == len(bad)
    assert "Current N is 12." in out
    for start in [*bad, ""]:
        said = run("play", "power-play", f"--start={start}", code=2)
        assert "Error: --start: " in said
        assert "Choose a composite number" in said


USAGE = """
play chess | There is no game called "chess".
play divisor-deul | Did you mean divisor-duel?
play divisor-duel:sixty | "sixty" is not a number.
play divisor-duel:60~mirror | A board can end in ~misere, but not in "~mirror".
play divisor-duel:60 --start 20 | a board has its own numbers
play divisor-duel --set opening=any | No number of the board has a variant
play power-play --set divisors=even | It has no variants
play divisor-duel --set divisors | --set takes VARIANT=VALUE
play divisor-duel --set divisors=7 | it can be all, even, odd or prime
play divisor-duel --set divisors=odd --set divisors=even | twice
play divisor-duel --penalty 3 | has a penalty rule; Power Play has one.
play power-play --penalty 0 | from 1 to 999, not 0
play power-play --penalty 1000 | from 1 to 999, not 1000
play divisor-duel --overshoot loses | has an overshooting rule; Prime Subtractor has
play divisor-duel --best-of 2 | an odd number of matches
play divisor-duel --names Alice | Give two names
play divisor-duel --names A,a | Both players are called
play divisor-duel --names quit,Bob | could be mistaken for something else
play divisor-duel --first 3 | --first takes 1, 2 or random
play divisor-duel --p2 deepblue | There is no player called "deepblue".
play subtract-square:1000000000000000000000000000000 --p2 perfect | can be solved
play divisor-duel --record /no/such/folder/x | No such file or directory
play divisor-duel --record / | Is a directory
play --colour | No such option
play | Name a game
play divisor-duel:60/15.15 | from there: numduel play divisor-duel:30
play divisor-duel:60/7 | 7 does not divide 60.
play '' | No game is named.
play subtract-pime:30 | Did you mean subtract-prime?
arena --player perfect --player random --board subtract-square:1000000000000000000000000000000 | can be solved
completion tcsh | is not one of 'bash', 'zsh', 'fish'
xyzzy | There is no command "xyzzy".
paly | There is no command "paly". Did you mean play?
solve divisor-duel | does not give its number
solve 60 | "60" does not name its game.
solve substract-1-2:9 | Did you mean subtract-1-2?
solve divisor-duel:60 --moves -1 | not in the range
solve divisor-duel:60 --moves x | 'x' is not a valid whole number.
solve divisor-duel:60 --certificate /no/such/x | 1 | cannot be written
solve divisor-duel:1000000000000+divisor-duel:1000000007000~misere | 1 | Too large to solve exactly
check /no/such/file | does not exist
check /dev/null | 1 | does not prove what it claims
map divisor-duel --to 0 | A map goes up to a number from 1 to 10000, not 0.
map divisor-duel --columns 0 | A map has 1 to 100 columns, not 0.
map divisor-duel --as graph --to 61 | 61 would be too large to read.
map divisor-duel --as values --misere | There are no Grundy values under misère
map divisor-duel --set tea=2 | variant "tea"
map divisor-duel:60/15 --json | numduel analyse RECORD --json
map divisor-duel --as path | No such file
map divisor-duel --output map.gif | 1 | A picture file must end in .svg or .png; "map.gif" does not.
analyse nowhere.txt | 1 | No such file or directory
show divisor-duel:60/7 | Turn 1 of the notation is "7": 7 does not divide 60.
share 99 | 1 | The history has no match 99. numduel history lists them.
analyse - | 1 | it holds no record
show . | 1 | Is a directory
analyse | 1 | There are no matches in the history yet.
resume | 1 | There is no unfinished match.
analyse divisor-duel:60/2.2.7 --html /no/such/x.html | 1 | No such file or directory
history delete | Name the matches to delete, or use --all.
history delete 1 --all | Name the matches to delete, or use --all.
puzzle chess | There are no puzzles about "chess". Choose subtract-a-prime,
puzzle subtract-prme | Did you mean subtract-prime?
puzzle --daily --rating 900 | depends only on the date
puzzle --daily --seed 900 | depends only on the date
puzzle --rating 0 | Ratings go from about 400 to about 2000.
puzzle divisor-duel --daily | depends only on the date
puzzle --sheet x.html --daily | Choose one of --daily, --rise and --sheet
puzzle --sheet x.html --json | a sheet has no --json.
puzzle --rise --rating 900 | A series that rises has its own ratings
play divisor-duel --start draw | --start draw is for one person, and not under misère.
play divisor-duel --start draw --p2 pip --misere | --start draw is for one person
puzzle --sheet x.html --count 49 | 49 is not in the range 1<=x<=48.
puzzle --sheet . | 1 | cannot be written: Is a directory.
puzzle --count 5 | --count is for a sheet: add --sheet FILE.
"""  # noqa: E501
"""The words, the exit code where it is not 2, and what is said."""


def test_bad_usage_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search.__init__, "__defaults__", (False, 20_000))  # it gives up soon
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for row in filter(None, USAGE.split("\n")):
        words, *codes, sentence = row.split(" | ")
        said = run(*shlex.split(words), code=int(*codes) if codes else 2)
        assert sentence in said, row
        assert "\nnumduel: " in f"\n{said}" or "Error: " in said, row
    assert [*here.iterdir()] == [], "no file is made"


def test_any_bytes_are_read_and_names_shown_in_any_alphabet() -> None:
    words = ["play", "prime-subtractor", "--names", "Zoë,Иван"]
    typed = b"\xff\xfe\n\x00\n13\nquit\n"
    out, err, code = piped(words, typed)
    assert ("Иван's Turn." in out, err, code) == (True, "", 0)
    out, err, code = piped(words, typed, apart=True, PYTHONIOENCODING="ascii")
    assert ("New Total: 10" in out, err, code) == (True, "", 0)


def test_commands_at_the_prompt_and_before_the_match() -> None:
    lines = ["?", "MOVES", "undo", "15", "undo", "30", "help", "quit"]
    seen, code = on_terminal(["play", "divisor-duel"], lines)
    assert code == 0
    assert "There is nothing to take back yet.\n" in seen
    assert "Legal moves at 60: 2, 3, 4, 5, 6, 10, 12, 15, 20, 30\n" in seen
    for word in ("moves", "undo", "resign", "quit"):
        assert f"\n  {word} " in seen
    assert "The last turn is taken back.\n\nPlayer 1's turn.\nProper divisors of 60:" in seen
    assert "Subtracting 30 from 60. New N is 30." in seen
    out = run("play", "power-play", typed="?\nundo\nmoves\nhint\nresign\nquit\n")
    assert "Press Enter for 30, or type quit to leave.\n" in out
    assert out.count("The match has not begun yet.\n") == 4
    out = run("play", "divisor-duel", "--p2", "largest", typed="15\nundo\n30\nquit\n")
    assert "The last 2 turns are taken back.\n" in out, "back to one's own turn"
    assert "Subtracting 30 from 60. New N is 30.\n" in out
    out = run("play", "divisor-duel", "--p1", "largest", typed="undo\nquit\n")
    assert "There is nothing to take back yet." in out


MEMORY = 2 << 30
RUN = """
import sys
from numduel.cli.app import run
for line in sys.argv[1:]:
    print(f"({run(line.split())})", file=sys.stderr)
"""


def test_a_file_without_end_is_not_read_whole(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(4 << 30)  # one line of zeros; it takes no room on the disk
    arena = "arena --player perfect --player random --board divisor-duel:60"
    commands = [f"{arena} --results /dev/zero", f"{arena} --transcript /dev/zero"]
    commands += ["arena --from /dev/zero"]
    commands += [f"{word} {large}" for word in ("analyse", "show", "share", "map", "check")]
    commands += ["analyse /dev/zero", "check /dev/zero", "check -"]
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            [sys.executable, "-c", RUN, *commands],
            stdin=endless, stderr=subprocess.PIPE, text=True, timeout=PATIENT, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )  # fmt: skip
    *said, end = re.split(r"\([12]\)\n", done.stderr)
    assert (len(said), end) == (len(commands), ""), done.stderr
    assert all("holds something other than results" in one for one in said[:3])
    for one in said[3:]:
        assert one.endswith(f": it is longer than {LONGEST:,} characters.\n"), one
    file = tmp_path / "long"
    file.write_text(str(read_notation("divisor-duel:60/15.15")).ljust(LONGEST))
    assert "divisor-duel:60/15.15" in run("share", str(file)), "the longest that is read"
    with file.open("a") as more:
        more.write(" ")
    run("share", str(file), code=1)


def test_terms_without_end_are_refused_at_their_first_line(tmp_path: Path) -> None:
    from numduel.research.sequences import read_bfile

    zeros = tmp_path / "zeros"
    zeros.write_bytes(bytes(1 << 25))
    with zeros.open("rb") as file:
        with pytest.raises(FileError) as caught:
            next(read_bfile("zeros", file))
        assert file.tell() < 10_000_000, "it is not read on and on"
    assert (caught.value.problem, caught.value.line) == ("not a term", 1)
