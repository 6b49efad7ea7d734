"""Lines in and lines out: a terminal, or a pipe that reads like one."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from threading import Event, Thread, get_ident
from typing import TextIO

import click

from numduel.cli.editing import can_edit, read_edited
from numduel.cli.layout import width_of, wrapped

LONGEST_LINE = 100_000
"""Longer lines are cut and marked, so that the part is never taken for the whole."""


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
        """A line, or several, wrapped, and coloured only on a terminal that wants it."""
        width = width_of(self._out)
        for part in (part for each in line.split("\n") for part in wrapped(each, width)):
            if style and part and self._colour:
                part = click.style(part, **style)  # type: ignore[arg-type]
            self._out.write(f"{part}\n")

    def show_exactly(self, line: str) -> None:
        """A line to copy: a command or a file, not wrapped."""
        self._out.write(f"{line}\n")

    def ask(self, prompt: str, offers: Iterable[str] = ()) -> str:
        """The answer typed after the prompt; Tab offers these words. Raises `EndOfInput`."""
        question = prompt.rstrip(" ")
        blanks = prompt[len(question) :]
        width = width_of(self._out) - len(blanks) - 1  # the cursor stays on the prompt's row
        *lines, last = [part for line in question.split("\n") for part in wrapped(line, width)]
        above, last = "".join(f"{line}\n" for line in lines), last + blanks
        if can_edit(self._in, self._out):
            try:
                with no_signal_lost():
                    line = read_edited(above, last, offers) + "\n"
            except EOFError:
                line = ""
        else:
            line = self._plain_line(above + last)
        if not line:
            if prompt:
                self._out.write("\n")
                self._out.flush()
            raise EndOfInput
        answer = line.rstrip("\r\n")
        if len(answer) >= LONGEST_LINE:
            answer = answer[:LONGEST_LINE] + "..."
        if self._echo:
            self._out.write("".join(c for c in answer if c.isprintable()) + "\n")
        return answer

    def _plain_line(self, prompt: str) -> str:
        """A line as it comes, and no more of it than can be an answer; empty at the end."""
        self._out.write(prompt)
        self._out.flush()
        with no_signal_lost() if self._in.isatty() else nullcontext():
            line = rest = self._in.readline(LONGEST_LINE)
            while len(rest) == LONGEST_LINE and not rest.endswith("\n"):
                rest = self._in.readline(LONGEST_LINE)
        return line

    def flush(self) -> None:
        """Bring what was shown onto the screen."""
        self._out.flush()


@contextmanager
def no_signal_lost() -> Iterator[None]:
    """Miss no Ctrl-C in the block, which waits for what is typed.

    Python acts on a signal before it begins to wait, and on one that ends the wait. One that
    comes between the two would be acted on only after the next line. Here it is heard through
    a pipe by a thread, which ends the wait with a signal that does nothing else.
    """
    heard, tell = os.pipe()
    os.set_blocking(tell, False)
    over = Event()
    waits = get_ident()

    def end_the_wait() -> None:
        os.read(heard, 1)
        while not over.wait(0.05):
            signal.pthread_kill(waits, signal.SIGURG)

    listener = Thread(target=end_the_wait, daemon=True)
    usual = signal.signal(signal.SIGURG, lambda _number, _frame: None)
    before = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    listener.start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(tell)
        listener.join()
        os.close(heard)
        signal.signal(signal.SIGURG, usual)


def wants_colour() -> bool:
    """Does the environment allow colour? See https://no-color.org."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
