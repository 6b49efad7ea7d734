"""Puzzles at the prompt: tries, hints, the reason, what is counted, and what comes next."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest

from numduel import Board
from numduel.solver import Search
from numduel.study.puzzles import puzzles_in_turn
from terminal import Terminal, on_terminal, piped

ASKED = re.compile(r"^Puzzle \d+, rating \d+\n((?:  .+\n)+)", re.MULTILINE)
NEXT = "Press Enter for the next puzzle, or type q to stop: "
RIGHT, OTHERS = "8", ("2", "4")
"""Of the first puzzle of `SEED`, Divisor Duel from 16: see the test of its rules."""
SEED = ("puzzle", "divisor-duel", "--rating", "900", "--seed", "0")


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "history.sqlite3")


def run(place: str, *arguments: str, typed: str = "", code: int = 0) -> str:
    out, err, found = piped(arguments, typed, NUMDUEL_DATABASE_URL=place)
    assert found == code, out + err
    assert "Traceback" not in err
    return out + err


def seen_by(place: str, *lines: str, arguments: tuple[str, ...] = SEED) -> str:
    """What is seen on a terminal by whoever types these lines, without line breaks."""
    seen, code = on_terminal(arguments, lines, NUMDUEL_DATABASE_URL=place)
    assert code == 0, seen
    return " ".join(seen.split())


def test_the_puzzle_of_these_tests() -> None:
    board = Board.parse(json.loads(piped([*SEED, "--json"])[0])["board"])
    assert [board.write_move(move) for move in Search().winning_moves(board)] == [RIGHT]
    assert [board.write_move(move) for move in board.moves()] == [*OTHERS, RIGHT]


def test_right_at_once_then_the_reason_and_the_next(place: str) -> None:
    seen = seen_by(place, RIGHT, "", "q")
    assert "Your answer: 8 Right! Play 8 to leave 8. 8 is 2^3" in seen
    assert f"Solved on the first try: 1 of 1. In a row: 1. {NEXT}" in seen
    assert seen.count("Puzzle 1, ") == seen.count("Puzzle 2, ") == 1
    assert seen.count("Take away a divisor") == 1, "the rule is told once"
    assert seen.endswith("Your answer: q"), "one puzzle is no sum to draw"


def test_a_wrong_answer_is_refuted_and_can_be_tried_again(place: str) -> None:
    after = Board.parse("divisor-duel:12")
    reply = next(iter(Search().winning_moves(after)))
    seen = seen_by(place, "4", RIGHT, "q")
    assert f"4 does not win. That leaves 12, and the reply {reply.amount} wins. Try " in seen
    assert "Right!" in seen
    assert "Solved on the first try: 0 of 1. In a row: 0." in seen


def test_hints_come_by_and_by_and_count_as_a_try(place: str) -> None:
    seen = seen_by(place, "hint", "hint", "hint", RIGHT, "q")
    assert "The traps are the odd numbers, and 2, 8, 32, 128 and so on. Leave one." in seen
    assert seen.count("hint Leave 8.") == 2
    assert "Right!" in seen
    assert "Solved on the first try: 0 of 1." in seen


@pytest.mark.parametrize("word", ["show", "why"])
def test_the_answer_and_the_reason_are_shown_to_whoever_asks(place: str, word: str) -> None:
    seen = seen_by(place, word, "q")
    assert f"Your answer: {word} Play 8 to leave 8. 8 is 2^3" in seen
    assert "Right!" not in seen
    assert "Solved on the first try: 0 of 1." in seen


def test_at_the_end_it_is_said_how_many_were_solved(place: str) -> None:
    first, second, third = islice(puzzles_in_turn("0", "divisor-duel", 900), 3)
    lines = [first.solution, "", "hint", second.solution, "", "show", "Q"]
    assert seen_by(place, *lines).endswith("You solved 2 of 3, 1 on the first try.")
    lines = [first.solution, "", second.solution, "", third.solution, "exit"]
    assert seen_by(place, *lines).endswith("You solved 3 of 3, all on the first try.")
    assert seen_by(place, "4", RIGHT, "", "show", "quit").endswith(
        "You solved 1 of 2, none on the first try."
    )
    assert seen_by(place, "show", "", "show", "q").endswith("You solved 0 of 2.")


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x04", 0)])
@pytest.mark.parametrize("lines", [("8", "", "hint"), ("8", "", "show")])
def test_ctrl_c_and_ctrl_d_leave_with_the_sum(
    place: str, keys: bytes, code: int, lines: tuple[str, ...]
) -> None:
    """At either prompt; and what was tried is counted."""
    with Terminal(*SEED, NUMDUEL_DATABASE_URL=place) as terminal:
        for line in lines:
            terminal.type(line)
        terminal.press(keys)
        assert terminal.end() == code
        assert "\nYou solved 1 of 2, all on the first try.\n" in terminal.screen
        assert "Traceback" not in terminal.screen
    assert "first try: 2 of 3. In a row: 1." in run(place, *SEED, typed=f"{RIGHT}\n")


def test_fifty_puzzles_and_none_twice_the_same_for_everybody(place: str) -> None:
    arguments = ("puzzle", "--seed", "fifty", "--no-save")
    typed = ["show", ""] * 50
    seen, _ = on_terminal(arguments, [*typed, "q"], NUMDUEL_DATABASE_URL=place)
    asked = ASKED.findall(seen)
    assert len(asked) == 51
    assert len(set(asked)) == 51
    again = run(place, *arguments, typed="\n".join([*typed, "q"]))
    assert ASKED.findall(again) == asked, "with another history, and through a pipe"


def test_when_no_new_puzzle_is_left_it_is_said(place: str) -> None:
    arguments = ("puzzle", "digit-subtraction-duel", "--rating", "500", "--seed", "a")
    seen, code = on_terminal(arguments, ["show", ""] * 12, NUMDUEL_DATABASE_URL=place)
    assert code == 0
    assert len(set(ASKED.findall(seen))) == 12
    assert seen.endswith(
        "\nThere are no more new puzzles. Try another game or rating.\nYou solved 0 of 12.\n"
    )


def test_a_puzzle_is_asked_and_counted(place: str) -> None:
    assert json.loads(run(place, *SEED, "--json"))["solution"] == RIGHT
    assert not Path(place).exists(), "--json counts nothing"
    out = run(place, *SEED, typed=f"?\n\nmoves\ntea\n3\n{RIGHT}\n")
    assert "Exactly one move wins. Which?\nYour answer: ?\nTake away a divisor" in out
    assert out.count("\nType your answer, or: moves, hint, show") == 2, "Enter alone asks as well"
    assert "\nYour answer: moves\nLegal moves at 16: 2, 4, 8\n" in out
    assert '"tea" is not a number. ' in out
    assert "3 does not divide 16. Play a divisor of 16" in out
    assert "Solved on the first try: 1 of 1. In a row: 1." in out
    assert "first try: 2 of 2. In a row: 2." in run(place, *SEED, typed=f"{RIGHT}\n")
    assert "first try" not in run(place, *SEED, typed="4\n"), "told when the puzzle is over"
    assert "first try: 3 of 4. In a row: 1." in run(place, *SEED, typed=f"{RIGHT}\n")
    assert "first try" not in run(place, *SEED, "--no-save", typed=f"{RIGHT}\n")
    assert "first try" not in run(place, *SEED, typed="quit\n")
    assert "first try: 4 of 5." in run(place, *SEED, typed=f"{RIGHT}\ntea\n")


def test_the_daily_puzzle_counts_once_and_stands_alone(place: str) -> None:
    puzzle = json.loads(run(place, "puzzle", "--daily", "--json"))
    assert puzzle["day"]
    run(place, "puzzle", "--daily", typed="hint\nquit\n")
    out = run(place, "puzzle", "--daily", typed=f"{puzzle['solution']}\n")
    assert out.endswith("In a row: 1.\nDaily puzzles solved in a row: 1.\n")
    out = run(place, "puzzle", "--daily", typed=f"{puzzle['solution']}\n")
    assert out.endswith("You answered this daily puzzle before, so it is not counted again.\n")
    other = json.loads(run(place, "puzzle", "divisor-duel", "--daily", "--json"))
    assert other["game"] == "divisor-duel"
    typed = f"hint\n{other['solution']}\n"
    out = run(place, "puzzle", "divisor-duel", "--daily", typed=typed)
    assert "first try: 1 of 2. In a row: 0." in out, "solved, but not without help"


def test_who_wins(place: str) -> None:
    """There are but two answers: the reason follows a wrong one at once."""
    arguments = ("puzzle", "power-play", "--seed", "a")
    puzzle = json.loads(run(place, *arguments, "--json"))
    lost = Search().lost(Board.parse(puzzle["board"]))
    right, wrong = ("2", "1") if lost else ("1", "2")
    reason = "Every move takes away exactly one prime factor"
    seen = seen_by(place, "3", "hint", wrong, "q", arguments=arguments)
    assert '"3" is not an answer. Enter 1 or 2.' in seen
    assert f"Your answer: hint {reason}" in seen
    assert f"Not quite. Player {right} wins. {reason}" in seen
    assert f"Player {right} wins. {reason}" in seen_by(place, "show", "q", arguments=arguments)
    assert f"Right! {reason}" in seen_by(place, right, "q", arguments=arguments)


def test_a_puzzle_on_several_numbers(place: str) -> None:
    arguments = ("puzzle", "several", "--seed", "7")
    solution = json.loads(run(place, *arguments, "--json"))["solution"]
    seen = seen_by(place, "moves", "99", "hint", solution, "q", arguments=arguments)
    assert "On your turn, choose one of the numbers and play its game." in seen
    assert f"Play on number {solution.partition(':')[0]}." in seen
    assert "Right!" in seen


@pytest.mark.parametrize("seed", range(6))
def test_a_first_hint_without_a_rule_tells_odd_from_even(place: str, seed: int) -> None:
    arguments = ("puzzle", "subtract-a-prime", "--seed", str(seed))
    board = Board.parse(json.loads(run(place, *arguments, "--json"))["board"])
    (move,) = Search().winning_moves(board)
    left = board.play(move).numbers[0].value
    out = run(place, *arguments, typed="hint\nhint\n")
    assert f"Leave an {['even', 'odd'][left % 2]} number.\n" in out
    assert f"Leave {left}.\n" in out


def test_the_traps_of_a_hint_are_the_traps() -> None:
    search = Search()
    for n in range(2, 300):
        two = n & (n - 1) == 0 and n.bit_length() % 2 == 0  # 2, 8, 32, 128
        said = {"divisor-duel": n % 2 == 1 or two, "digit-subtraction-duel": n % 10 == 0}
        for game, trap in said.items():
            assert search.lost(Board.parse(f"{game}:{n}")) is trap, (game, n)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], 'There are no puzzles about "chess". Choose subtract-a-prime,'),
        (["--daily", "--rating", "900"], "depends only on the date"),
        (["--daily", "--seed", "900"], "depends only on the date"),
        (["--rating", "0"], "Ratings go from about 400 to about 2000."),
    ],
)
def test_puzzles_that_cannot_be(place: str, arguments: list[str], said: str) -> None:
    assert said in run(place, "puzzle", *arguments, code=2)


def test_an_answer_that_cannot_be_counted(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("a shopping list\n" * 40)
    out = run(str(tmp_path / "list.txt"), "puzzle", "power-play", typed="1\n")
    assert "The answer is not counted. The history " in out


def test_puzzles_do_not_repeat_from_run_to_run(place: str) -> None:
    asked = [
        ASKED.findall(run(place, "puzzle", "divisor-duel", "--rating", "600", typed="show\n\n"))
        for _ in range(4)
    ]
    answered = [boards[0] for boards in asked]
    assert len(set(answered)) == 4, answered
    for before, boards in enumerate(asked):
        assert not set(boards) & set(answered[:before])
