"""Editing, history and Tab at the prompt, seen through a terminal emulator."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from patience import PATIENT
from terminal import COMMAND, Terminal, piped

PROMPT = "Enter your chosen divisor: "
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"


@pytest.mark.parametrize(
    "keys",
    [
        b"5" + LEFT + b"1",
        b"1" + LEFT + RIGHT + b"5",
        b"5\x1b[H1",
        b"5\x1bOH1",
        b"1\x1b[H\x1b[F5",
        b"5\x011",
        b"1\x01\x055",
        b"1599" + LEFT + LEFT + b"\x0b",
        b"99\x1515",
        b"a hint\x17\x1715",
        b"153\x7f",
    ],
)
def test_keys_edit_the_line(keys: bytes) -> None:
    with Terminal("play", "divisor-duel", "--no-save") as terminal:
        terminal.press(keys)
        terminal.wait_for_row(f"{PROMPT}15")
        os.write(terminal.keyboard, b"\r")
        terminal.wait_for("Subtracting 15 from 60. New N is 45.")


def test_the_arrow_up_gives_what_was_typed_before() -> None:
    with Terminal("play", "divisor-duel", "--no-save") as terminal:
        for line in ("15", "what", "", "what"):
            terminal.type(line)
        terminal.wait_for_prompt()
        for keys, shown in ((UP, "what"), (UP, "15"), (DOWN, "what"), (DOWN, "")):
            terminal.press(keys, after=PROMPT)
            terminal.wait_for_row(PROMPT + shown)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("hi", "hint"), ("RES", "resign"), ("3", "3"), ("15", "15"), ("nothing", "nothing")],
)
def test_tab_completes_words_and_moves(typed: str, shown: str) -> None:
    with Terminal("play", "divisor-duel:45", "--no-save") as terminal:
        terminal.press(typed.encode() + b"\t!")
        terminal.wait_for_row(f"{PROMPT}{shown}!")


def test_tab_lists_what_there_is_in_a_narrow_window() -> None:
    with Terminal("play", "divisor-duel", "--no-save", columns=40) as terminal:
        terminal.press(b"\t\t")
        terminal.wait_for("undo")
        terminal.wait_for_row(PROMPT)
        listed = terminal.screen.rpartition("\n")[0].split(PROMPT)[-1].split()
        words = {"moves", "hint", "map", "undo", "resign", "quit"}
        assert set(listed) == words | {"2", "3", "4", "5", "6", "10", "12", "15", "20", "30"}


def test_tab_completes_the_answers_of_the_menu() -> None:
    with Terminal() as menu:
        for keys, shown in (
            (b"div\t", "Game [1]: divisor-duel"),
            (b"pe\t", "Opponent [Pip]: Perfect"),
            (b"9ba\x15ba\t", "Starting number [60]: back"),
        ):
            menu.press(keys)
            menu.wait_for_row(shown)
            os.write(menu.keyboard, b"\r")
        menu.press(b"lea\t")
        menu.wait_for_row("Game [1]: learn")


def test_tab_completes_the_words_of_lessons_and_puzzles() -> None:
    for words, keys, shown in (
        (["learn", "divisor-duel"], b"sk\t", "Your move: skip"),
        (["puzzle", "--seed", "1", "--no-save"], b"sh\t", "Your answer: show"),
    ):
        with Terminal(*words) as terminal:
            terminal.press(keys)
            terminal.wait_for_row(shown)


def test_long_moves_and_long_lists_are_not_offered() -> None:
    for board in ("subtract-a-prime:1000", f"divisor-duel:{2 * 10**30}"):
        with Terminal("play", board, "--no-save") as terminal:
            terminal.wait_for_prompt()
            terminal.press(b"2\t\th\x15hi\t")
            terminal.wait_for("hint")
            before = terminal.screen.rpartition("\n")[2]
            assert before.endswith(": hint")


def test_wide_characters_are_edited_where_they_stand() -> None:
    with Terminal("play", "digit-subtraction-duel", "--names", "漢字,Zoë") as terminal:
        terminal.type("25")
        terminal.wait_for(">> ", 2)
        terminal.press("漢漢字".encode() + LEFT + LEFT + b"\x7f")
        terminal.wait_for_row(">> 漢字")
        os.write(terminal.keyboard, b"\r")
        terminal.wait_for("漢字, enter the digit to subtract:")


def test_letters_beyond_ascii_are_letters_in_a_plain_locale_too() -> None:
    with Terminal("play", "divisor-duel", "--no-save", LC_ALL="C") as terminal:
        terminal.press("漢é\r".encode())
        terminal.wait_for('"漢é" is not a')
        assert f"{PROMPT}漢é\n" in terminal.screen
        terminal.interrupt()
        assert terminal.end() == 130


def test_a_pasted_list_of_moves_is_so_many_moves() -> None:
    with Terminal("play", "divisor-duel", "--no-save") as terminal:
        terminal.press(b"15\r15\r15\r")
        terminal.wait_for("New N is 15.")


def test_a_resize_leaves_the_line_as_it_was_typed() -> None:
    with Terminal("play", "divisor-duel", "--no-save") as terminal:
        terminal.press(b"1")
        terminal.wait_for_row(f"{PROMPT}1")
        terminal.resize(40)
        os.write(terminal.keyboard, b"5")
        terminal.wait_for_row(f"{PROMPT}15")
        os.write(terminal.keyboard, b"\r")
        terminal.wait_for("New N is 45.")
        terminal.type("help")
        terminal.wait_for("show this help")
        terminal.wait_for_prompt()
        assert max(map(len, terminal.screen.rpartition("help\n")[2].splitlines())) <= 40


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


def test_a_dumb_terminal_reads_plain_lines() -> None:
    with Terminal("play", "divisor-duel", "--no-save", TERM="dumb") as terminal:
        terminal.press(b"5" + LEFT + b"1\r")
        terminal.wait_for('"5\\x1b[D1" is not a whole number.')
        terminal.interrupt()
        assert terminal.end() == 130


def test_a_pipe_never_loads_readline() -> None:
    program = (
        "import sys; from numduel.cli.app import run; code = run(sys.argv[1:]);"
        "print(code, 'readline' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "play", "divisor-duel", "--no-save"],
        input="15\nquit\n",
        capture_output=True,
        text=True,
        timeout=PATIENT,
    )
    assert done.stdout.endswith("0 False\n")


def test_the_shell_gets_its_terminal_back_however_a_match_ends(tmp_path: Path) -> None:
    for keys in (b"quit\r", b"1\x03", b"\x04"):
        person, program = pty.openpty()
        before = termios.tcgetattr(program)
        with Terminal("play", "divisor-duel", "--no-save") as terminal:
            terminal.press(keys)
            terminal.end()
            assert terminal.screen.endswith("\n")
            after = termios.tcgetattr(terminal.keyboard)
        assert after[:6] == before[:6]
        os.close(person)
        os.close(program)


@pytest.mark.parametrize("word", ["quit", "q", "exit"])
def test_a_lesson_is_left_like_everything_else(word: str) -> None:
    out, _, code = piped(["learn", "divisor-duel"], f"{word}\n")
    assert code == 0
    assert "is not" not in out
