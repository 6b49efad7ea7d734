"""Lines in and lines out: a terminal, or a pipe that reads like one."""

from __future__ import annotations

import os
import select
import signal
import sys
from typing import TextIO

import click

from numduel.cli.layout import width_of, wrapped

LONGEST_LINE = 100_000
"""Longer lines are cut and marked, so that they are never taken for what they are not."""


class EndOfInput(Exception):
    """The input ended where an answer was needed."""


class Console:
    """Shows text and reads answers.

    A terminal echoes what is typed. Other input is written after its prompt,
    so that a match played from a pipe reads like one that was typed.
    """

    def __init__(
        self, stdin: TextIO | None = None, stdout: TextIO | None = None, echo: bool | None = None
    ) -> None:
        self._in = stdin or sys.stdin
        self._out = stdout or sys.stdout
        self._echo = not self._in.isatty() if echo is None else echo
        self._colour = self._out.isatty() and wants_colour()

    def show(self, line: str = "", **style: object) -> None:
        """One line, wrapped, and coloured only on a terminal that wants it."""
        for part in wrapped(line, width_of(self._out)):
            if style and part and self._colour:
                part = click.style(part, **style)  # type: ignore[arg-type]
            self._out.write(f"{part}\n")

    def show_exactly(self, line: str) -> None:
        """A line to copy: a command or a file, not wrapped."""
        self._out.write(f"{line}\n")

    def ask(self, prompt: str) -> str:
        """The answer typed after the prompt. Raises `EndOfInput`."""
        question = prompt.rstrip(" ")
        lines = [p for line in question.split("\n") for p in wrapped(line, width_of(self._out))]
        self._out.write("\n".join(lines) + prompt[len(question) :])
        self._out.flush()
        if self._in.isatty():
            wait_for_line(self._in)
        line = self._in.readline(LONGEST_LINE)
        if not line:
            if prompt:
                self._out.write("\n")
                self._out.flush()
            raise EndOfInput
        if not line.endswith("\n") and len(line) == LONGEST_LINE:
            self._drop_rest_of_line()
            line += "..."
        answer = line.rstrip("\r\n")
        if self._echo:
            self._out.write("".join(c for c in answer if c.isprintable()) + "\n")
        return answer

    def flush(self) -> None:
        """Bring what was shown onto the screen."""
        self._out.flush()

    def _drop_rest_of_line(self) -> None:
        while True:
            rest = self._in.readline(LONGEST_LINE)
            if not rest or rest.endswith("\n"):
                return


def wait_for_line(terminal: TextIO) -> None:
    """Wait until a line was typed, and miss no Ctrl-C.

    Python notices a signal before it begins to read and while it reads. One that comes
    between the two would be noticed only after the next line; through a pipe it ends the wait.
    """
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    before = signal.set_wakeup_fd(tell)
    try:
        typed = terminal.fileno()
        while typed not in select.select([typed, heard], [], [])[0]:
            os.read(heard, 1)
    finally:
        signal.set_wakeup_fd(before)
        os.close(heard)
        os.close(tell)


def wants_colour() -> bool:
    """Does the environment allow colour? See https://no-color.org."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
