"""A sheet of puzzles to print: the answers against plain search, and the same sheet again."""

from __future__ import annotations

import re
import shlex
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from numduel.solver import Search
from numduel.study.puzzles import KINDS, puzzles_in_turn
from terminal import run


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
    """And the easy ones come first."""
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
