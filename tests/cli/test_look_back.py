"""Analysis, maps, showing, sharing, solving and checking from the command line."""

import json
import re
from pathlib import Path

import pytest

from match.test_record import FINISHED
from numduel import Board, solve
from numduel.games import keys, load
from terminal import on_terminal, piped, run, terminal_after

THROWN = "divisor-duel:60/2.2.7"


def test_a_record_is_found_wherever_it_is(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(f"{FINISHED}\n{FINISHED.replace('Alice', 'Ada')}")
    assert run("analyse", str(file)).startswith(
        "Divisor Duel from 60: Ada won against Bob (Dice) in 5"
    )
    assert run("analyse", "-", typed=FINISHED).startswith("Divisor Duel from 60: Alice won")
    run("play", "divisor-duel", typed="2\n2\n7\nquit\n")
    assert run("analyse", "1") == run("analyse") == run("analyse", THROWN)
    assert "1. Player 1  2 -> 58  ! mistake: 3 would have won\n" in run("analyse")
    found = json.loads(run("analyse", THROWN, "--json"))
    assert [move["mistake"] for move in found["moves"]] == [True, True, False]
    for damage in (FINISHED[:150], FINISHED.replace("15 -> 45", "7 -> 53"), "tea\n"):
        file.write_text(damage)
        assert "Line " in run("analyse", str(file), code=2), "damage is told by its line"
    file.write_bytes(b"\xff\xfe\x00")
    assert "it is not text" in run("analyse", str(file), code=1)
    file = tmp_path / "match.html"
    assert run("analyse", THROWN, "--html", str(file)).endswith(f"The page: {file}\n")
    assert re.match("<!DOCTYPE html>.*<svg.*mistake: 3 would have won", file.read_text(), re.S)


def test_retry_goes_on_from_the_thrown_away_win() -> None:
    out = run("analyse", THROWN, "--retry", typed="15\nquit\n")
    again = out.partition("Here is that position again, against the perfect player.\n\n")[2]
    assert " ".join(again.split()).startswith(
        "Take away a divisor of the number, but not 1 or the number itself. If you can't, because "
        "the number is prime or 1, you lose. Game Start! Current Number (N): 60 You play against "
        "Perfect, who never misses a win. Your turn. Proper divisors of 60: 2,3,4,5"
    )
    assert "Perfect's turn.\nProper divisors of 45: 3,5,9,15\nEnter your chosen" in again
    assert "Player 1: person\nPlayer 2: perfect\n" in run("show")
    word = "digit-subtraction-duel:25/5.2.1.1"
    out = run("analyse", word, "--retry", "--no-save", typed="1\nquit\n")
    assert "Current N: 18\n" in out
    assert "Enter the digit to subtract:\n>> 1\nYou subtract 1 from 18." in out
    assert "perfect" in run("show"), "nothing new was kept"
    out = run("analyse", "divisor-duel:60/15.15.15.5.5", "--retry")
    assert out.endswith("Nobody threw a win away in this match, so there is nothing to retry.\n")


def test_retry_is_for_the_person(tmp_path: Path) -> None:
    thrown = FINISHED.partition("1. Alice")[0].replace("Alice, person", "Alice, level:1")
    thrown = thrown.replace("Bob, random", "Bob, person")
    thrown += "1. Alice: 2 -> 58\n2. Bob: 2 -> 56\n\nResult: unfinished\n"
    (tmp_path / "match.txt").write_text(thrown)
    out = run("analyse", str(tmp_path / "match.txt"), "--retry", "--no-save", typed="29\n")
    assert "Turn 1 was the first turning point: Alice played" in out
    again = out.partition("against the perfect player.\n\n")[2]
    assert again.startswith("Take away ")
    assert "Game Start! Current Number (N): 58\n\nBob's turn.\n" in again


def test_the_way_and_what_decided_are_shown_after_a_match_against_the_computer() -> None:
    game = ["play", "divisor-duel", "--start", "12"]
    seen, _ = on_terminal([*game, "--p2", "largest"], ["2"])
    rows = seen.partition("Greedy wins!\nGreedy: All mine!\n\n")[2]
    assert rows.startswith("[ 1][ 2][ 3]  4 > 5<  6 [ 7][ 8][ 9]>10<\n[11]>12<[13]")
    assert ">n< is the path of this match: 12 -> 10 -> [5]\nTurn 1 was the " in rows
    assert "you played 2, but 3 would have kept the win." in " ".join(rows.split())
    assert rows.endswith("\nEvery move judged: numduel analyse 1\n")
    seen, _ = on_terminal([*game, "--p2", "largest", "--no-save"], ["3", "3"])
    assert seen.endswith("Every move judged: numduel analyse divisor-duel:12/3.3.3\n")
    seen, _ = on_terminal(["play", "divisor-duel:400", "--p2", "largest"], ["resign"])
    assert "is the path" not in seen, "nobody moved"
    seen, _ = on_terminal(["play", "divisor-duel:300", "--p2", "largest"], ["75", "3", "resign"])
    shown = {int(n) for n in re.findall(r"\d+", seen.partition("wins!")[2].partition("[n]")[0])}
    tens = (range(first, first + 10) for first in (291, 221, 141, 91))
    assert shown == {n for row in tens for n in row}, "the tens on the way"
    seen, _ = on_terminal(game, ["3", "3", "3"])
    assert seen.endswith("wins!\n"), "nothing is added to a match between two people"
    assert run(*game, "--p2", "largest", typed="3\n3\n").endswith("win!\n"), "or in a pipe"


def test_maps(tmp_path: Path) -> None:
    shown = run("map", "Digit Subtraction Duel")
    rows = shown.splitlines()[2:12]
    assert [row.endswith(f"[{10 * tens:>3}]") for tens, row in enumerate(rows, 1)] == [True] * 10
    assert shown.count("[") == 11, "ten lost numbers and the legend"
    assert run("map", "divisor-duel", "--to", "7", "--columns", "3").splitlines()[2:5] == [
        "[1][2][3]", " 4 [5] 6", "[7]",
    ]  # fmt: skip
    assert "(divisors=even, misère)" in run("map", "divisor-duel,divisors=even", "--misere")
    even = run("map", "divisor-duel", "--set", "divisors=even")
    assert even == run("map", "divisor-duel,divisors=even")
    values = run("map", "subtract-a-prime", "--as", "values", "--to", "20", "--columns", "20")
    assert (
        values.splitlines()[2] == " 1: [0] 1  1  2  2  3  3  4 [0][0] 1  1  2  2  3  3  4  4  5  5"
    )
    graph = run("map", "divisor-duel", "--as", "graph", "--to", "6")
    assert graph.splitlines()[2:] == [
        " 6  -> 4, [3]", " 4  -> [2]", "[3] -> no move", "[2] -> no move", "",
        "[n] is a trap: whoever must move here loses. Leave a trap to win.",
    ]  # fmt: skip
    assert ">n< is the path of this match: 60 -> 58 -> 56 -> [49]\n" in run("map", THROWN)
    assert "shows one number" in run("map", "divisor-duel:6+divisor-duel:6/1:2", code=2)
    found = json.loads(run("map", "divisor-duel", "--to", "10", "--json"))
    assert found["lost"] == [1, 2, 3, 5, 7, 8, 9]
    assert found["values"] == [0, 0, 0, 1, 0, 2, 0, 0, 0, 1]
    assert json.loads(run("map", "divisor-duel", "--misere", "--json"))["values"] is None
    graph = json.loads(run("map", "divisor-duel", "--as", "graph", "--to", "6", "--json"))
    assert graph["moves"] == {"6": [4, 3], "4": [2], "3": [], "2": []}
    for name in ("square.svg", "values.svg", "graph.svg", "graph.png"):
        file = tmp_path / name
        out = run("map", "divisor-duel", "--as", file.stem, "--output", str(file))
        assert out == f"The picture: {file}\n"
        assert file.read_bytes()[:4] in (b"<svg", b"\x89PNG")
    file = tmp_path / "path.svg"
    run("map", THROWN, "--output", str(file))
    assert "mistake: 3 would have won" in file.read_text()


def test_sharing_and_showing(tmp_path: Path) -> None:
    run("play", "divisor-duel", "--names", "Alice,Bob", typed="15\n15\n15\n5\n5\n")
    out = run("share", "--image", str(tmp_path / "card.svg"))
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
    assert run("show", THROWN).endswith(f"\nNotation: {THROWN}\n")
    found = json.loads(run("show", "subtract-a-prime:20+divisor-duel:60~misere/2:15", "--json"))
    assert found["moves"] == ["2:15"]
    assert found["board"] == "subtract-a-prime:20+divisor-duel:60~misere"


def test_a_long_word_and_odd_names() -> None:
    start = 10**3000 + 4
    assert f"2. Player 2: 2 -> {start - 4}\n" in run("show", f"subtract-a-prime:{start}/2.2")
    assert len(run("share", f"subtract-a-prime:{start}/2").partition("\n")[0]) < 200
    for odd in ("\x00", "x" * 5000, "a/b:c/d", "\ud800", ":/"):
        _, err, code = piped(["show", odd])
        assert code in (1, 2)
        assert err


@pytest.mark.parametrize("misere", ["", "~misere"])
def test_the_map_shows_where_you_are_and_what_is_lost(misere: str) -> None:
    for game in keys():
        here = load(game).default_start
        board = f"{game}:{here}{misere}"
        out = run("play", board, "--no-save", "--first", "1", typed="map\nquit\n")
        rows = "".join(re.findall(r"^(?:[ \[>] *\d+[ \]<]?)+$", out, re.MULTILINE))
        cells = {int(number): sign for sign, number in re.findall(r"([ \[>]) *(\d+)", rows)}
        assert cells.pop(here) == ">"
        assert max(cells) <= -(-here // 10) * 10
        for number, sign in cells.items():
            text = f"{game}:{number}{',opening=any' if game == 'prime-subtractor' else ''}{misere}"
            assert (sign == "[") == (solve(Board.parse(text)).outcome == "loss"), text
        trap = "a" if solve(Board.parse(board)).outcome == "loss" else "no"
        assert f">{here}<: you are here, and it is {trap} trap.\n" in out


def test_a_map_takes_the_columns_that_there_are() -> None:
    for columns, in_a_row in ((40, 5), (80, 10), (120, 20)):
        seen, code = on_terminal(["map", "divisor-duel"], [], columns)
        assert code == 0
        row = next(line for line in seen.splitlines() if "60" in line)
        assert len(re.findall(r"\d+", row)) == in_a_row
        values, _ = on_terminal(["map", "divisor-duel", "--as", "values"], [], columns)
        played, _ = on_terminal(["play", "divisor-duel:60"], ["map", "quit"], columns)
        assert max(map(len, (seen + values + played).splitlines())) <= columns


def test_the_turn_and_the_new_number_stand_out_in_colour() -> None:
    game = ["play", "divisor-duel", "--no-save"]
    terminal, _ = terminal_after(game, ["15", "map", "quit"], NO_COLOR="")
    assert terminal.looks("Player 2's turn.") == {"bold cyan"}
    assert terminal.looks("Subtracting 15 from 60. New N is 45.") == {"bold default"}
    assert "bold reverse brown" in terminal.looks(">45<")
    plain, _ = terminal_after(game, ["15", "map", "quit"])
    assert plain.looks() == {"default"}
    shorn = [re.sub(r" +$", "", one.screen, flags=re.MULTILINE) for one in (terminal, plain)]
    assert shorn[0] == shorn[1]
    alone = [*game, "--start", "60", "--p2", "largest"]
    large = "  ┏╸ ┏┓\n  ┣┓ ┃┃\n  ┗┛ ┗┛\n"
    for no_colour in ("", "1"):
        seen, _ = on_terminal(alone, ["quit"], NO_COLOR=no_colour, PYTHONUTF8="1")
        assert (large in seen) == (not no_colour), "60 in large digits, where there are colours"
    terminal, _ = terminal_after(["map", "divisor-duel", "--to", "6"], [], NO_COLOR="")
    assert "bold brown" in terminal.looks()  # ANSI's yellow


def test_the_rules_and_the_reason_can_be_asked_for_in_a_match() -> None:
    out = " ".join(run("play", "divisor-duel", typed="why\nrules\n3\nwhy\nquit\n").split())
    assert "chosen divisor: why Play 3 to leave 57. 57 is odd" in out
    assert "chosen divisor: rules Take away a divisor of the number, but not 1" in out
    assert "chosen divisor: why 57 is odd" in out, "also for whoever has to move in a trap"
    events = run("play", "divisor-duel", "--json", typed="why\nrules\nquit\n").splitlines()
    assert [json.loads(event)["event"] for event in events[2:]] == ["note", "note"]


def solved(*arguments: str) -> dict[str, object]:
    fields: dict[str, object] = json.loads(run("solve", *arguments, "--json"))
    return fields


def test_solving_as_json() -> None:
    whole = ("divisor-duel:60", False, "win", 2, ["3", "5", "15"], True, "theorem",
             "Proved for every number.")  # fmt: skip
    assert tuple(solved("divisor-duel:60").values()) == whole
    for most, moves in (("2", ["3", "5"]), ("0", [])):
        few = solved("divisor-duel:60", "--moves", most)
        assert (few["winning_moves"], few["complete"]) == (moves, False)
    lost = solved("subtract-a-prime:25")
    assert (lost["outcome"], lost["winning_moves"], lost["complete"]) == ("loss", [], True)
    assert solved("subtract-a-prime:20+divisor-duel:60")["winning_moves"] == ["1:7"]
    assert solved("subtract-a-prime:10+divisor-duel:38")["winning_moves"] == ["1:7", "2:19"]
    by_option, by_board = solved("divisor-duel:60", "--misere"), solved("divisor-duel:60~misere")
    assert by_option["misere"] is by_board["misere"] is True
    assert by_option["grundy"] is None
    assert by_option["winning_moves"] == by_board["winning_moves"] != ["3", "5", "15"]


def test_solving_in_words_that_say_misere_and_what_is_only_believed() -> None:
    assert run("solve", "digit-subtraction-duel:25") == (
        "digit-subtraction-duel:25: the player to move wins.\n"
        "Winning moves: 5\n"
        "Grundy value: 2\n"
        "Why:\n"
        "  Play 5 to leave 20.\n"
        "  20 ends in 0.\n"
        "  Whichever digit is taken, the last digit is then not 0, and taking that one makes a"
        " multiple of ten again.\n"
        "  If the other player plays 2, you play 8 and leave 10.\n"
        "Known by theorem: Proved for every number.\n"
    )
    assert "Winning moves" not in run("solve", "subtract-a-prime:1", "--misere")
    fields = solved("subtract-a-prime:500000000000002")
    assert fields["method"] == "table"
    assert "Grundy value: Believed" in str(fields["holds"])
    said = run("solve", "subtract-a-prime:500000000000002", "--moves", "0")
    assert f"\nGrundy value: {fields['grundy']}. Believed at this size" in said
    assert said.count("Grundy value") == 1
    out = run("solve", f"subtract-a-prime:{10**99 + 7}", "--why")
    assert "Go down from 100000...000007 (100 digits) by twos" in out
    assert "How this is known: conjecture. Believed at this size" in out
    assert max(map(len, out.split("\n"))) < 320


def test_a_certificate_is_written_and_holds(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for board in ("divisor-duel:60", "subtract-a-prime:25", f"subtract-a-prime:{10**60 + 1}"):
        assert f"Certificate: {path}" in run("solve", board, "--certificate", str(path))
        said = run("check", str(path))
        assert said.startswith("The certificate holds: the player to move ")
        text = path.read_text()
        report = json.loads(run("check", "-", "--json", typed=text))
        assert report["outcome"] == solved(board)["outcome"]
        if board.startswith("subtract-a-prime:1000"):
            assert "five-even-losses" in [claim["name"] for claim in report["relies_on"]]
        other = "loss" if report["outcome"] == "win" else "win"
        path.write_text(text.replace(f'"{report["outcome"]}"', f'"{other}"', 1))
        said = run("check", str(path), code=1)
        assert said.startswith("numduel: The certificate does not prove what it claims: ")
    for rubbish in (b"\xff\xfe", b"{}", b"[1]", b'{"format": "x"}', b"\x00" * 100, b"[" * 5000):
        path.write_bytes(rubbish)
        assert run("check", str(path), code=1).count("\n") == 1
