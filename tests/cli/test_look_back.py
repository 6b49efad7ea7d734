"""Analysis, maps, showing and sharing from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from match.test_record import FINISHED
from terminal import Terminal, on_terminal, piped, terminal_after

THROWN = "divisor-duel:60/2.2.7"


def run(*arguments: str, typed: str = "", **environment: str) -> str:
    out, err, code = piped(arguments, typed, **environment)
    assert (err, code) == ("", 0)
    return out


@pytest.fixture
def history(tmp_path: Path) -> dict[str, str]:
    """An environment with a history of its own."""
    return {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}


def test_a_record_is_found_wherever_it_is(tmp_path: Path, history: dict[str, str]) -> None:
    file = tmp_path / "match.txt"
    file.write_text(f"{FINISHED}\n{FINISHED.replace('Alice', 'Ada')}")
    assert run("analyse", str(file)).startswith(
        "Divisor Duel from 60: Ada won against Bob (Dice) in 5"
    )
    assert run("analyse", "-", typed=FINISHED).startswith("Divisor Duel from 60: Alice won")
    run("play", "divisor-duel", typed="2\n2\n7\nquit\n", **history)
    from_history = run("analyse", "1", **history)
    assert from_history == run("analyse", **history) == run("analyse", THROWN)
    assert "1. Player 1  2 -> 58  ! mistake: 3 would have won\n" in from_history
    found = json.loads(run("analyse", THROWN, "--json"))
    assert [move["mistake"] for move in found["moves"]] == [True, True, False]


@pytest.mark.parametrize(
    ("what", "code", "said"),
    [
        ("nowhere.txt", 1, "No such file or directory"),
        ("divisor-duel:60/7", 2, 'Turn 1 of the notation is "7": 7 does not divide 60.'),
        ("99", 1, "The history has no match 99. numduel history lists them."),
        ("-", 1, "it holds no record"),
        (".", 1, "Is a directory"),
    ],
)
def test_what_is_no_match_is_told(what: str, code: int, said: str) -> None:
    for command in ("analyse", "show", "share"):
        _, err, found = piped([command, what])
        assert found == code
        assert said in err


def test_a_damaged_record_is_told_by_line(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    for damage in (FINISHED[:150], FINISHED.replace("15 -> 45", "7 -> 53"), "tea\n"):
        file.write_text(damage)
        _, err, code = piped(["analyse", str(file)])
        assert code == 2
        assert "Line " in err
    file.write_bytes(b"\xff\xfe\x00")
    _, err, code = piped(["analyse", str(file)])
    assert (code, "it is not text" in err) == (1, True)


def test_an_empty_history_is_told(history: dict[str, str]) -> None:
    for command in ("analyse", "share", "show"):
        _, err, code = piped([command], **history)
        assert (err, code) == ("numduel: There are no matches in the history yet.\n", 1)


def test_a_page_that_stands_alone(tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    assert run("analyse", THROWN, "--html", str(file)).endswith(f"The page: {file}\n")
    page = file.read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "<svg" in page
    assert "mistake: 3 would have won" in page
    _, err, code = piped(["analyse", THROWN, "--html", str(tmp_path / "no" / "x.html")])
    assert (code, "No such file or directory" in err) == (1, True)


def test_retry_goes_on_from_the_thrown_away_win(history: dict[str, str]) -> None:
    out = run("analyse", THROWN, "--retry", typed="15\nquit\n", **history)
    again = out.partition("Here is that position again, against the perfect player.\n\n")[2]
    beginning = (
        "Game Start! Current Number (N): 60\n"
        "You play against Perfect, who wins whatever can be won.\n\nYour turn.\n"
    )
    assert again.startswith(beginning)
    assert "Perfect's turn.\nProper divisors of 45: 3,5,9,15\nEnter your chosen" in again
    assert "Player 1: person\nPlayer 2: perfect\n" in run("show", **history)
    word = "digit-subtraction-duel:25/5.2.1.1"
    out = run("analyse", word, "--retry", "--no-save", typed="1\nquit\n", **history)
    assert "Current N: 18\n" in out
    assert "Enter the digit to subtract:\n>> 1\nYou subtract 1 from 18." in out
    assert "perfect" in run("show", **history), "nothing new was kept"
    out = run("analyse", "divisor-duel:60/15.15.15.5.5", "--retry")
    assert out.endswith("Nobody threw a win away in this match, so there is nothing to retry.\n")


def test_retry_is_for_the_person(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    thrown = FINISHED.partition("1. Alice")[0].replace("Alice, person", "Alice, level:1")
    thrown = thrown.replace("Bob, random", "Bob, person")
    thrown += "1. Alice: 2 -> 58\n2. Bob: 2 -> 56\n\nResult: unfinished\n"
    file.write_text(thrown)
    out = run("analyse", str(file), "--retry", "--no-save", typed="29\n")
    assert "First turning point: turn 1, Alice." in out
    again = out.partition("against the perfect player.\n\n")[2]
    assert again.startswith("Game Start! Current Number (N): 58\n\nBob's turn.\n")


def test_looking_back_from_the_menu() -> None:
    with Terminal() as menu:
        for line in ["divisor-duel", "friend", "12", "1", "", "", "2", "5", "analyse", "retry"]:
            menu.type(line)
        menu.wait_for_prompt()
        seen = menu.screen
        assert "1. Player 1  2 -> 10  ! mistake: 3 would have won\n" in seen
        assert "Type retry to play on from there against the perfect player.\n" in seen
        assert seen.endswith(
            "Your turn.\nProper divisors of 12: 2,3,4,6\nEnter your chosen divisor: "
        )
        menu.type("4")
        menu.wait_for_prompt()
        menu.type("2")
        menu.wait_for_prompt()
        while not menu.screen.endswith("or quit: "):
            menu.type("resign")
            menu.wait_for_prompt()
        menu.type("quit")
        assert menu.end() == 0


def test_nothing_to_retry_in_the_menu() -> None:
    lines = ["divisor-duel", "friend", "6", "1", "", "", "3", "retry", "analyze", "quit"]
    seen, code = on_terminal([], lines)
    assert code == 0
    assert "Nobody threw a win away in this match, so there is nothing to retry." in seen
    assert "Accuracy: Player 1 1 of 1 (100%), Player 2 -." in seen


def test_analysis_is_offered_after_a_match_against_the_computer(history: dict[str, str]) -> None:
    game = ["play", "divisor-duel", "--start", "6"]
    seen, _ = on_terminal([*game, "--p2", "random"], ["3"], **history)
    assert seen.endswith("You win!\n\nWhere was it decided? numduel analyse 1\n")
    seen, _ = on_terminal([*game, "--p2", "random", "--no-save"], ["3"], **history)
    assert seen.endswith("Where was it decided? numduel analyse divisor-duel:6/3\n")
    seen, _ = on_terminal(game, ["3"], **history)
    assert "decided" not in seen, "nothing is added to a match between two people"
    assert "decided" not in run(*game, "--p2", "random", typed="3\n", **history)


def test_maps() -> None:
    shown = run("map", "Digit Subtraction Duel")
    rows = shown.splitlines()[2:12]
    assert [row.endswith(f"[{10 * tens:>3}]") for tens, row in enumerate(rows, 1)] == [True] * 10
    assert shown.count("[") == 11, "ten lost numbers and the legend"
    assert run("map", "divisor-duel", "--to", "7", "--columns", "3").splitlines()[2:5] == [
        "[1][2][3]",
        " 4 [5] 6",
        "[7]",
    ]
    assert "(divisors=even, misère)" in run("map", "divisor-duel,divisors=even", "--misere")
    assert run("map", "divisor-duel", "--set", "divisors=even") == run(
        "map", "divisor-duel,divisors=even"
    )
    values = run("map", "subtract-a-prime", "--as", "values", "--to", "20", "--columns", "20")
    assert (
        values.splitlines()[2] == " 1: [0] 1  1  2  2  3  3  4 [0][0] 1  1  2  2  3  3  4  4  5  5"
    )
    graph = run("map", "divisor-duel", "--as", "graph", "--to", "6")
    assert graph.splitlines()[2:] == [
        " 6  -> 4, [3]",
        " 4  -> [2]",
        "[3] -> no move",
        "[2] -> no move",
        "",
        "[n] is a trap: whoever must move here loses. Leave a trap to win.",
    ]
    path = run("map", THROWN)
    assert path.splitlines()[3].startswith("." * 38 + "!")
    assert "! mistake: 3 would have won" in path


def test_maps_as_json() -> None:
    found = json.loads(run("map", "divisor-duel", "--to", "10", "--json"))
    assert found["lost"] == [1, 2, 3, 5, 7, 8, 9]
    assert found["values"] == [0, 0, 0, 1, 0, 2, 0, 0, 0, 1]
    assert json.loads(run("map", "divisor-duel", "--misere", "--json"))["values"] is None
    graph = json.loads(run("map", "divisor-duel", "--as", "graph", "--to", "6", "--json"))
    assert graph["moves"] == {"6": [4, 3], "4": [2], "3": [], "2": []}


def test_colour_on_a_terminal_that_wants_it() -> None:
    map_ = ["map", "divisor-duel", "--to", "6"]
    assert "bold brown" in terminal_after(map_, [], NO_COLOR="")[0].looks()  # ANSI's yellow
    assert terminal_after(map_, [])[0].looks() == {"default"}


def test_maps_as_files(tmp_path: Path) -> None:
    for kind in ("square", "values", "graph"):
        for ending in ("svg", "png"):
            file = tmp_path / f"{kind}.{ending}"
            out = run("map", "divisor-duel", "--as", kind, "--output", str(file))
            assert out == f"The picture: {file}\n"
            assert file.read_bytes()[:4] in (b"<svg", b"\x89PNG")
    file = tmp_path / "path.svg"
    run("map", THROWN, "--output", str(file))
    assert "mistake: 3 would have won" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "There is no game called"),
        (["divisor-duel", "--to", "0"], "A map goes up to a number from 1 to 10000, not 0."),
        (["divisor-duel", "--to", "10001"], "not 10001."),
        (["divisor-duel", "--columns", "0"], "A map has 1 to 100 columns, not 0."),
        (["divisor-duel", "--as", "graph", "--to", "61"], "61 would be too large to read."),
        (["divisor-duel", "--as", "values", "--misere"], "There are no Grundy values under misère"),
        (["divisor-duel", "--set", "tea=2"], 'variant "tea"'),
        (["divisor-duel:60/7"], "7 does not divide 60."),
        (["divisor-duel:60/15", "--json"], "numduel analyse RECORD --json"),
        (["divisor-duel", "--as", "path"], "No such file"),
    ],
)
def test_maps_that_cannot_be(arguments: list[str], said: str) -> None:
    _, err, code = piped(["map", *arguments])
    assert code == 2
    assert said in err


def test_a_picture_that_cannot_be_written() -> None:
    _, err, code = piped(["map", "divisor-duel", "--output", "map.gif"])
    assert code == 1
    assert err == 'numduel: A picture file must end in .svg or .png; "map.gif" does not.\n'


def test_sharing(tmp_path: Path, history: dict[str, str]) -> None:
    typed = "15\n15\n15\n5\n5\n"
    run("play", "divisor-duel", "--names", "Alice,Bob", typed=typed, **history)
    out = run("share", "--image", str(tmp_path / "card.svg"), **history)
    assert out == (
        "Divisor Duel from 60: won by the player who began, in 5 turns.\n"
        "divisor-duel:60/15.15.15.5.5\n"
        "See it: numduel show divisor-duel:60/15.15.15.5.5\n"
        f"The card: {tmp_path / 'card.svg'}\n"
    )
    card = (tmp_path / "card.svg").read_text()
    assert "divisor-duel:60/15.15.15.5.5" in card
    assert "Alice" not in card
    assert run("share", "divisor-duel:60/15").startswith(
        "Divisor Duel from 60: unfinished after 1 turn.\n"
    )
    assert json.loads(run("share", THROWN, "--json"))["match"] == THROWN
    run("share", "power-play:30/pass.2/penalty=2", "--image", str(tmp_path / "card.png"))


def test_showing() -> None:
    shown = run("show", "power-play:30/pass.2/first=2,penalty=3")
    assert "1. Player 2: pass\n2. Player 1: 2 -> 15\n" in shown
    assert shown.endswith("Notation: power-play:30/pass.2/first=2,penalty=3\n")
    found = json.loads(run("show", "subtract-a-prime:20+divisor-duel:60~misere/2:15", "--json"))
    assert found["moves"] == ["2:15"]
    assert found["board"] == "subtract-a-prime:20+divisor-duel:60~misere"


def test_a_long_word_and_odd_names() -> None:
    start = 10**3000 + 4
    shown = run("show", f"subtract-a-prime:{start}/2.2")
    assert f"2. Player 2: 2 -> {start - 4}\n" in shown
    assert max(map(len, run("share", f"subtract-a-prime:{start}/2").split("\n")[:1])) < 200
    for odd in ("\x00", "x" * 5000, "a/b:c/d", "\ud800", ":/"):
        _, err, code = piped(["show", odd])
        assert code in (1, 2)
        assert err
