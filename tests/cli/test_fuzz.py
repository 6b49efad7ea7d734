"""Generated nonsense at the prompt: never a traceback."""

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from match.test_board import boards
from numduel import Board
from numduel.cli.console import EndOfInput, Left
from numduel.cli.table import Table
from numduel.match import Setup
from soaking import SOAK, batches, figure

INPUTS = 1_000 if SOAK else 150
LINES = 25
pytestmark = [pytest.mark.no_cover, pytest.mark.soak("fuzzing", short=True)]
many = settings(max_examples=INPUTS, suppress_health_check=list(HealthCheck), database=None)
few = settings(many, max_examples=INPUTS // LINES)
WORDS = ["?", "help", "moves", "undo", "", "1", "2", "3", "5", "7", "1:2", "2:3", "0", "-1", "7.0"]
odd_text = st.text(max_size=30)
digits = st.text("0123456789", max_size=6)
mixed = st.text("0123456789:+-.,eE~= \t\x00\x1b\u0667\u00b2", max_size=12)
huge = st.integers(0, 10**200).map(str)
line = st.sampled_from(WORDS) | digits | mixed | odd_text | huge
lines = st.lists(line, min_size=LINES, max_size=LINES)


def tried(what: str, test: Callable[[], None]) -> None:
    for number in batches(0.15):
        seed(number)(test)()
    figure(what, INPUTS * (number + 1))


def test_the_prompt() -> None:
    seen = set()

    @few
    @given(boards(1, 12) | boards(3, 10**9), lines, st.sampled_from([None, 1, 3]))
    def play(board: Board, typed: list[str], penalty: int | None) -> None:
        if not any("penalty" in number.game.policies for number in board.numbers):
            penalty = None
        text = "".join(line.replace("\n", " ").replace("\r", " ") + "\n" for line in typed)
        out = io.StringIO()
        table = Table(Setup(board, penalty=penalty))
        try:
            with mock.patch("sys.stdin", io.StringIO(text)), redirect_stdout(out):
                table.play()
            seen.add("finished")
        except EndOfInput:
            seen.add("unfinished")
        except Left:
            pass
        assert all(line.isprintable() for line in out.getvalue().split("\n"))

    tried("lines typed at the prompt", play)
    assert seen == {"finished", "unfinished"}
