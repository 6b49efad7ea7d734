"""At a terminal: editing, history and Tab at the prompt, and Ctrl-C while numduel thinks."""

import io
import os
import pty
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from unittest import mock

import pytest

from numduel.cli.patience import THINKING, Stopped, thinking
from patience import PATIENT
from terminal import COMMAND, Terminal, run

PROMPT = "Enter your chosen divisor: "
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"
END = b"\x05"
KEYS = {
    b"5" + LEFT + b"1": "15", b"1" + LEFT + RIGHT + b"5": "15", b"5\x1b[H1": "15",
    b"5\x1bOH1": "15", b"1\x1b[H\x1b[F5": "15", b"5\x011": "15", b"1\x01\x055": "15",
    b"1599" + LEFT + LEFT + b"\x0b": "15", b"99\x1515": "15", b"a hint\x17\x1715": "15",
    b"153\x7f": "15", "漢漢é".encode() + LEFT + LEFT + b"\x7f": "漢é",
    b"hi\t": "hint", b"RES\t": "resign", b"3\t": "3", b"15\t": "15", b"nothing\t": "nothing",
}  # fmt: skip


def test_keys_edit_the_line_and_tab_completes_it() -> None:
    with Terminal("play", "divisor-duel:45", "--no-save") as terminal:
        for keys, line in KEYS.items():
            terminal.press(keys + END + b"!", after=PROMPT)
            terminal.wait_for_row(f"{PROMPT}{line}!")
            os.write(terminal.keyboard, b"\x15")
            terminal.wait_for_row(PROMPT)
        terminal.type("15", "what", "", "what")
        terminal.wait_for_prompt()
        assert "Subtracting 15 from 45. New N is 30." in terminal.screen
        for keys, line in ((UP, "what"), (UP, "15"), (DOWN, "what"), (DOWN, "")):
            terminal.press(keys, after=PROMPT)
            terminal.wait_for_row(PROMPT + line)


def test_lines_that_are_pasted_and_a_window_that_is_resized() -> None:
    with Terminal("play", "divisor-duel", "--no-save") as terminal:
        terminal.press(b"15\r15\r1")
        terminal.wait_for("New N is 30.")
        terminal.wait_for_row(f"{PROMPT}1")
        terminal.resize(40)
        os.write(terminal.keyboard, b"5")
        terminal.wait_for_row(f"{PROMPT}15")
        os.write(terminal.keyboard, b"\r")
        terminal.wait_for("New N is 15.")
        terminal.type("help")
        terminal.wait_for("show this help")
        terminal.wait_for_prompt()
        assert max(map(len, terminal.screen.rpartition("help\n")[2].splitlines())) <= 40
        terminal.press(b"\t\t")
        terminal.wait_for("undo", 2)
        terminal.wait_for_row(PROMPT)
        listed = terminal.screen.rpartition("\n")[0].split(PROMPT)[-1].split()
        words = {"moves", "hint", "why", "rules", "map", "undo", "resign", "quit"}
        assert {*listed} == words | {"3", "5"}


def test_tab_completes_words_everywhere_and_no_long_moves() -> None:
    with Terminal() as menu:
        for keys, shown in (
            (b"div\t", "Game [1]: divisor-duel"),
            (b"pe\t", "Opponent [Pip]: Perfect"),
            (b"9ba\x15ba\t", "Starting number [draw]: back"),
        ):
            menu.press(keys)
            menu.wait_for_row(shown)
            os.write(menu.keyboard, b"\r")
        menu.press(b"lea\t")
        menu.wait_for_row("Game [1]: learn")
    for words, keys, shown in (
        (["learn", "divisor-duel"], b"sk\t", "Which move wins: skip"),
        (["puzzle", "--seed", "1", "--no-save"], b"sh\t", "Your answer: show"),
        (["play", "subtract-a-prime:1000"], b"2\t\t!", "Enter the prime number to subtract: 2!"),
        (["play", f"divisor-duel:{2 * 10**30}"], b"2\t\t!", f"{PROMPT}2!"),
    ):
        with Terminal(*words) as terminal:
            terminal.press(keys)
            terminal.wait_for_row(shown)
            asked = shown.partition(":")[0]
            assert terminal.screen.count(asked) == 1, "nothing was listed, and asked again"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash, for its jobs")
def test_ctrl_z_and_fg_show_the_prompt_and_what_was_typed() -> None:
    bash = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
    with Terminal(program=bash, PS1="shell: ") as terminal:
        terminal.type(f"{COMMAND[0]} play divisor-duel --no-save")
        terminal.press(b"1", after=PROMPT)
        terminal.wait_for_row(f"{PROMPT}1")
        os.write(terminal.keyboard, b"\x1a")
        terminal.wait_for("Stopped")
        terminal.wait_for_row("shell: ")
        os.write(terminal.keyboard, b"echo a''b\n")
        terminal.wait_for("\nab")
        assert "shell: echo a''b\nab\n" in terminal.screen, "the shell echoes what is typed"
        terminal.wait_for_row("shell: ")
        os.write(terminal.keyboard, b"fg\n")
        terminal.wait_for_row(f"{PROMPT}1")
        os.write(terminal.keyboard, b"5\r")
        terminal.wait_for("Subtracting 15 from 60. New N is 45.")
        terminal.type("quit")
        terminal.wait_for_row("shell: ")
        terminal.type(f"{COMMAND[0]} play digit-subtraction-duel --first 1 --no-save --start 25")
        terminal.press(b"\x1a", after=">> ")
        terminal.wait_for("Stopped", 2)
        terminal.wait_for_row("shell: ")
        os.write(terminal.keyboard, b"fg\n")
        terminal.wait_for("Player 1, enter the digit to subtract:", 2)
        terminal.wait_for_row(">> ")
        os.write(terminal.keyboard, b"quit\r")
        terminal.wait_for_row("shell: ")


def test_plain_locales_terminals_and_pipes() -> None:
    """Letters are letters in the first, lines are plain in the second, the last edits nothing."""
    with Terminal("play", "divisor-duel", "--no-save", LC_ALL="C") as terminal:
        terminal.press("漢é\r".encode())
        terminal.wait_for('"漢é" is not a')
        assert f"{PROMPT}漢é\n" in terminal.screen
    with Terminal("play", "divisor-duel", "--no-save", TERM="dumb") as terminal:
        terminal.press(b"5" + LEFT + b"1\r")
        terminal.wait_for('"5\\x1b[D1" is not a whole number.')
        terminal.interrupt()
        assert terminal.end() == 130
    program = "from numduel.cli.app import run; print(run(['play', 'divisor-duel', '--no-save']))\n"
    program += "import sys; print('readline' in sys.modules)"
    command = [sys.executable, "-c", program]
    out = subprocess.run(command, input=b"15\nquit\n", capture_output=True, timeout=PATIENT).stdout
    assert out.endswith(b"0\nFalse\n")


def test_the_shell_gets_its_terminal_back_however_a_match_ends() -> None:
    person, program = pty.openpty()
    before = termios.tcgetattr(program)
    for keys in (b"quit\r", b"1\x03", b"\x04"):
        with Terminal("play", "divisor-duel", "--no-save") as terminal:
            terminal.press(keys)
            terminal.end()
            assert terminal.screen.endswith("\n")
            assert termios.tcgetattr(terminal.keyboard)[:6] == before[:6]
    os.close(person)
    os.close(program)


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
