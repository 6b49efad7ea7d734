"""Puzzles at the prompt: tries, hints, the reason, what is counted, what comes next; a sheet."""

import json
import re
import shlex
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from numduel import Board
from numduel.solver import Search
from numduel.study.duels import daily_duel, play_duel
from numduel.study.puzzles import KINDS, puzzles_in_turn, rising_puzzle
from terminal import Terminal, on_terminal, run

ASKED = re.compile(r"^Puzzle \d+, rating \d+\n((?:  .+\n)+)", re.MULTILINE)
NEXT = "Press Enter for the next puzzle, or type q to stop: "
SEED = ("puzzle", "divisor-duel", "--rating", "900", "--seed", "0")
RIGHT = "8"
"""Of the first puzzle of `SEED`, Divisor Duel from 16, where 2 and 4 are wrong."""


def seen_by(*lines: str, arguments: tuple[str, ...] = SEED) -> str:
    """What is seen by whoever types these lines, without line breaks."""
    return " ".join(run(*arguments, typed="\n".join(lines)).split())


def asked_by(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_right_at_once_then_the_reason_and_the_next() -> None:
    seen = seen_by(RIGHT, "", "q")
    assert "Your answer: 8 Right! Play 8 to leave 8. 8 is 2^3" in seen
    assert f"Solved on the first try: 1 of 1. In a row: 1. {NEXT}" in seen
    assert seen.count("Puzzle 1, ") == seen.count("Puzzle 2, ") == 1
    assert seen.count("Take away a divisor") == 1, "the rule is told once"
    assert seen.endswith("Your answer: q"), "one puzzle is no sum to draw"


def test_hints_come_by_and_by() -> None:
    """Whoever needs one, or asks for the answer, has not solved it at once."""
    seen = seen_by("hint", "hint", "hint", RIGHT, "q")
    assert "The traps are the odd numbers, and 2, 8, 32, 128 and so on. Leave one." in seen
    assert seen.count("hint Leave 8.") == 2
    assert "Solved on the first try: 0 of 1." in seen
    for times, word in enumerate(("show", "why"), 2):
        seen = seen_by(word, "q")
        assert f"Your answer: {word} Play 8 to leave 8. 8 is 2^3" in seen
        assert "Right!" not in seen
        assert f"Solved on the first try: 0 of {times}." in seen


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x04", 0)])
@pytest.mark.parametrize("word", ["hint", "show"])
def test_ctrl_c_and_ctrl_d_leave_with_what_was_counted(keys: bytes, code: int, word: str) -> None:
    with Terminal(*SEED) as terminal:
        terminal.type("8", "", word)
        terminal.press(keys)
        assert terminal.end() == code
        assert "Traceback" not in terminal.screen
    assert "first try: 2 of 3. In a row: 1." in run(*SEED, typed=f"{RIGHT}\n")


def test_no_puzzle_comes_twice_and_they_are_the_same_for_everybody() -> None:
    arguments = ("puzzle", "digit-subtraction-duel", "--rating", "500", "--seed", "a", "--no-save")
    out = run(*arguments, typed="show\n\n" * 12)
    asked = ASKED.findall(out)
    assert len(asked) == len({*asked}) == 12
    said = "\nThere are no more new puzzles. Try another game or rating.\n"
    assert out.endswith(said)
    seen, _ = on_terminal(arguments, [*["show", ""] * 5, "q"])
    assert ASKED.findall(seen) == asked[:6], "on a terminal"


def test_a_puzzle_is_asked_and_counted(kept: Path) -> None:
    asked = asked_by(*SEED)
    assert (asked["board"], asked["solution"]) == ("divisor-duel:16", RIGHT)
    winning = Search().winning_moves(Board.parse("divisor-duel:16"))
    assert [str(move.amount) for move in winning] == [RIGHT]
    assert not kept.exists(), "--json counts nothing"
    out = run(*SEED, typed=f"?\n\nmoves\ntea\n3\n{RIGHT}\n")
    assert "Exactly one move wins. Which?\nYour answer: ?\nTake away a divisor" in out
    assert out.count("\nType your answer, or: moves, hint, show") == 2, "Enter alone asks as well"
    assert "\nYour answer: moves\nLegal moves at 16: 2, 4, 8\n" in out
    assert '"tea" is not a number. ' in out
    assert "3 does not divide 16. Play a divisor of 16" in out
    assert "Solved on the first try: 1 of 1. In a row: 1." in out
    assert "first try: 2 of 2. In a row: 2." in run(*SEED, typed=f"{RIGHT}\n")
    assert "first try" not in run(*SEED, typed="4\n"), "told when the puzzle is over"
    assert "first try: 3 of 4. In a row: 1." in run(*SEED, typed=f"{RIGHT}\n")
    assert "first try" not in run(*SEED, "--no-save", typed=f"{RIGHT}\n")
    assert "first try" not in run(*SEED, typed="quit\n")
    assert "first try: 4 of 5." in run(*SEED, typed=f"{RIGHT}\ntea\n")
    kept.write_text("a shopping list\n" * 40)
    assert "The answer is not counted. The history " in run(*SEED, typed=f"{RIGHT}\n")


def wins(board: Board) -> list[str]:
    """The winning moves by plain search."""
    return [board.write_move(move) for move in Search().winning_moves(board)]


def test_the_daily_duel_has_three_tries_and_stays_as_it_is() -> None:
    """Whatever the day brings: the moves that keep the win are those of plain search."""

    def today(*lines: str, options: tuple[str, ...] = ()) -> str:
        return " ".join(run("puzzle", "--daily", *options, typed="\n".join(lines)).split())

    asked = asked_by("puzzle", "--daily")
    duel = daily_duel(date.fromisoformat(asked["day"]))
    moves = [duel.board.write_move(move) for move in duel.board.moves()]
    wrong = next(move for move in moves if move not in wins(duel.board))
    assert "Try 1 of 3." in today("tea", "?", "moves", "quit")
    assert "🟨 That threw the win away. Perfect plays " in today(wrong)
    assert asked_by("puzzle", "--daily")["left"] == 2, "a try that ended is kept"
    right = [wins(duel.board)[0]]
    while not play_duel(duel, right).solved:
        right.append(wins(play_duel(duel, right).board)[0])
    seen = today(*right)
    assert seen.count("🟦 You kept the win. Perfect plays ") == len(right) - 1
    for said in (seen, today(), today(wrong)):
        assert f"numduel {asked['number']} 🟨 {'🟦' * len(right)} Daily duels solved" in said
        assert "You win, on try 2!" in said
        assert "Daily duels solved: 1 of 1. Days in a row: 1." in said
    assert asked_by("puzzle", "--daily")["solved"]
    assert "first try" not in run("stats"), "puzzles have their own count"
    assert "play the daily duel (1 day in a row)\n" in on_terminal([], ["quit"])[0]
    lost = today(*[wrong] * 3, options=("--no-save",))
    assert f"Not today: three tries are over. The first move to win: {right[0]}." in lost
    assert f"numduel {asked['number']} 🟨 🟨 🟨 " in lost


def test_a_series_rises_until_the_first_miss_and_is_the_same_for_a_friend() -> None:
    words = ("puzzle", "--rise", "--seed", "a", "--no-save")
    lines, ratings = [], []
    for place in (1, 2, 3):
        puzzle = rising_puzzle("a", place)
        lines += [puzzle.solution, ""]
        ratings.append(puzzle.rating)
    out = run(*words, typed="\n".join([*lines, "show"]))
    assert [int(r) for r in re.findall(r"Puzzle \d, rating (\d+)", out)][:3] == ratings
    assert ratings == sorted(ratings)
    assert "Your series: 3. For a friend: numduel puzzle --rise --seed a" in out
    assert out.count("Puzzle ") == 4, "the first miss ends it"


def test_who_wins_and_several_numbers() -> None:
    """Where there are but two answers, the reason follows a wrong one at once."""
    arguments = ("puzzle", "power-play", "--seed", "a")
    lost = Search().lost(Board.parse(asked_by(*arguments)["board"]))
    right, wrong = ("2", "1") if lost else ("1", "2")
    reason = "Every move takes away exactly one prime factor"
    seen = seen_by("3", "hint", wrong, "q", arguments=arguments)
    assert '"3" is not an answer. Enter 1 or 2.' in seen
    assert f"Your answer: hint {reason}" in seen
    assert f"Not quite. Player {right} wins. {reason}" in seen
    assert f"Player {right} wins. {reason}" in seen_by("show", "q", arguments=arguments)
    assert f"Right! {reason}" in seen_by(right, "q", arguments=arguments)
    arguments = ("puzzle", "several", "--seed", "7")
    solution = asked_by(*arguments)["solution"]
    seen = seen_by("moves", "99", "hint", solution, "q", arguments=arguments)
    assert "On your turn, choose one of the numbers and play its game." in seen
    assert f"Play on number {solution.partition(':')[0]}." in seen
    assert "Right!" in seen


def test_a_first_hint_without_a_rule_tells_odd_from_even() -> None:
    for seed in range(6):
        arguments = ("puzzle", "subtract-a-prime", "--seed", str(seed))
        board = Board.parse(asked_by(*arguments)["board"])
        (move,) = Search().winning_moves(board)
        left = board.play(move).numbers[0].value
        out = run(*arguments, typed="hint\nhint\n")
        assert f"Leave an {['even', 'odd'][left % 2]} number.\n" in out
        assert f"Leave {left}.\n" in out


def test_puzzles_do_not_repeat_from_run_to_run() -> None:
    words = ("puzzle", "divisor-duel", "--rating", "600")
    asked = [ASKED.findall(run(*words, typed="show\n\n")) for _ in range(4)]
    answered = [boards[0] for boards in asked]
    assert len({*answered}) == 4, answered
    for before, boards in enumerate(asked):
        assert not {*boards} & {*answered[:before]}


def sheet(folder: Path, *options: str) -> str:
    path = folder / "sheet.html"
    assert run("puzzle", "--sheet", str(path), *options) == f"The sheet: {path}\n"
    return path.read_text()


def part(page: str, element: str) -> ElementTree.Element:
    return ElementTree.fromstring(re.search(f"<{element}[ >].*?</{element}>", page, re.S)[0])


def lines_of(element: ElementTree.Element) -> list[str]:
    return [" ".join(" ".join(item.itertext()).split()) for item in element]


@pytest.mark.parametrize("kind", [None, *KINDS])
def test_the_answers_are_right_by_plain_search(tmp_path: Path, kind: str | None) -> None:
    page = sheet(tmp_path, *([kind] if kind else []), "--seed", "a")
    found = sorted(islice(puzzles_in_turn("a", kind), 12), key=lambda puzzle: puzzle.rating)
    asked, answers = lines_of(part(page, "ol")), map(lines_of, part(page, "table")[1])
    for at, (puzzle, question, row) in enumerate(zip(found, asked, answers, strict=True), 1):
        named, answer, reason = row
        board = puzzle.board
        for told in (question, named):
            assert told.startswith(f"{at}. "), "in the order of the answers"
            for game, value in board.numbers:
                assert re.search(rf"{game.title}.* {value}\b", told)
        if "Who wins, 1 or 2?" in question:
            assert answer == ("2" if Search().lost(board) else "1")
            played = re.search(r"Play ([\d, ]+): (\d+) moves?, the last by player (\d)", reason)
            assert played
            moves = played[1].split(", ")
            for move in moves:
                board = board.play(board.parse_move(move))
            assert board.is_over
            assert (str(len(moves)), answer) == played.groups()[1:]
        else:
            (winning,) = Search().winning_moves(board)
            assert answer == board.write_move(winning)
            left = " and ".join(str(number.value) for number in board.play(winning).numbers)
            assert reason.startswith(f"It leaves {left}")


def test_the_answers_have_a_page_and_there_are_as_many_as_asked_for(tmp_path: Path) -> None:
    page = sheet(tmp_path, "divisor-duel", "--seed", "a")
    asked, answers = page.split('<section class="answers">')
    assert ".answers { break-before: page;" in page
    assert "<script" not in page
    assert "Take away a divisor of the number, but not 1 or the number itself." in asked
    assert not re.search("It leaves|trap", asked)
    assert "Sheet a<" in asked
    assert "Sheet a<" in answers
    page = sheet(tmp_path, "digit-subtraction-duel", "--rating", "500", "--count", "30")
    assert "<h1>Digit Subtraction Duel: 12 puzzles</h1>" in page, "no more than there are"
    for count, title in (("1", "1 puzzle"), ("48", "48 puzzles")):
        page = sheet(tmp_path, "power-play", "--count", count)
        assert f"<h1>Power Play: {title}</h1>" in page


@pytest.mark.parametrize("options", [(), ("several", "--count", "3"), ("--rating", "900")])
def test_the_same_sheet_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """By the command that it tells, also with a seed that the shell would read otherwise."""
    for seed in ((), ("--seed", "class 5b, it's <us>")):
        page = sheet(tmp_path, *options, *seed)
        told = "".join(part(page.partition("To make it again:")[2], "code").itertext())
        (tmp_path / "sheet.html").unlink()
        monkeypatch.chdir(tmp_path)
        run(*shlex.split(told)[1:])
        assert (tmp_path / "sheet.html").read_text() == page
    assert sheet(tmp_path, *options) != sheet(tmp_path, *options), "without a seed, another one"
