"""Questions that take long: the terminal says so, and Ctrl-C ends the question, not the match."""

from __future__ import annotations

import io
import os
import pty
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from unittest import mock

import pytest

from numduel.cli.patience import THINKING, Stopped, thinking
from terminal import Terminal, run

HUGE = str(10**1999 + 7)
"""Hundreds of primality tests decide it, each of a tenth of a second: that is no moment."""
TOLD = THINKING.strip()


def stop_when_it_thinks(terminal: Terminal, times: int) -> None:
    """Press Ctrl-C once the terminal has said so often that it thinks."""
    terminal.wait_for(TOLD, times)
    terminal.press(b"\x03", after=TOLD)
    terminal.wait_for("^C", times)


def test_ctrl_c_ends_a_hint_and_the_computers_move_but_not_the_match() -> None:
    question = "Press Enter to let Perfect keep thinking, or type undo or quit: "
    game = ["play", "subtract-a-prime", "--start", HUGE, "--p2", "perfect"]
    with Terminal(*game) as terminal:
        terminal.type("hint")
        stop_when_it_thinks(terminal, 1)
        terminal.wait_for("No hint. Ask again to keep thinking.")
        terminal.type("2")
        stop_when_it_thinks(terminal, 2)
        terminal.wait_for(question)
        terminal.type("tea")
        terminal.wait_for('"tea" is not one of these.')
        terminal.type("")
        stop_when_it_thinks(terminal, 3)
        terminal.wait_for(question, 3)
        terminal.type("undo")
        terminal.wait_for("The last turn is taken back.")
        terminal.type("3")
        stop_when_it_thinks(terminal, 4)
        terminal.wait_for(question, 4)
        terminal.type("quit")
        assert terminal.end() == 0
    with Terminal("resume") as terminal:
        stop_when_it_thinks(terminal, 1)
        terminal.wait_for(question)
        terminal.type("quit")
        assert terminal.end() == 0
        assert "after 1 turn." in " ".join(terminal.screen.split())


def test_solve_says_that_it_thinks_and_ends_by_ctrl_c_but_not_in_a_pipe() -> None:
    with Terminal("solve", f"subtract-a-prime:{HUGE}") as terminal:
        stop_when_it_thinks(terminal, 1)
        assert terminal.end() == 130
        assert "Traceback" not in terminal.screen
    assert TOLD not in run("solve", "subtract-a-prime:1" + "0" * 700 + "1")


@contextmanager
def terminal_at_stderr() -> Iterator[int]:
    """Standard error is a terminal; what comes back is the side that a person sees."""
    person, program = pty.openpty()
    stream = io.TextIOWrapper(io.FileIO(program, "w"), write_through=True)
    with stream, mock.patch("sys.stderr", stream):
        yield person
    os.close(person)


def test_a_time_limit_and_ctrl_c_end_a_question_and_a_quick_one_says_nothing() -> None:
    with terminal_at_stderr() as seen:
        with thinking(0.5, stoppable=True):
            pass
        os.write(seen, b"\n")
        assert os.read(seen, 1000) == b"\r\n", "nothing but the echo of this"
        with pytest.raises(Stopped) as caught, thinking(0.5, stoppable=True):
            for _ in count():
                pass
        assert caught.value.seconds == 0.5
        assert TOLD in os.read(seen, 1000).decode()
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0, "no alarm is left behind"
    with terminal_at_stderr():
        with pytest.raises(Stopped) as caught, thinking(9, stoppable=True):
            signal.raise_signal(signal.SIGINT)
        assert caught.value.seconds is None, "where it can be answered"
        with pytest.raises(KeyboardInterrupt), thinking():
            signal.raise_signal(signal.SIGINT)
