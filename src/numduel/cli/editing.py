"""A line typed on a terminal: arrow keys, history and Tab, by Python's own readline."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable
from functools import partial
from types import FrameType
from typing import TextIO

SETTINGS = (
    "tab: complete",
    "set completion-ignore-case on",
    # A pasted list of moves is several lines, not one.
    "set enable-bracketed-paste off",
    # Letters beyond ASCII are letters, not keys, where the locale is plain C, too.
    "set input-meta on",
    "set output-meta on",
    "set convert-meta off",
)


class _Suspended(BaseException):
    """Ctrl-Z was pressed at the prompt. Like KeyboardInterrupt, it is not an error."""


def can_edit(stdin: TextIO, stdout: TextIO) -> bool:
    """Is this the terminal that Python asks on, and can it move its cursor?"""
    if not (stdin.isatty() and stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb"):
        return False
    if (stdin.fileno(), stdout.fileno()) != (0, 1):
        return False
    try:
        import readline  # noqa: F401
    except ImportError:
        return False
    return True


def read_edited(question: str, prompt: str, offers: Iterable[str] = ()) -> str:
    """The line typed after the prompt, below its question; Tab offers words. Raises `EOFError`.

    After Ctrl-Z and `fg` both are shown again, with what was typed so far.
    """
    import readline

    of_libedit = "libedit" in (readline.__doc__ or "")
    for setting in ("bind ^I rl_complete",) if of_libedit else SETTINGS:
        readline.parse_and_bind(setting)
    readline.set_completer_delims("")
    readline.set_completer(_Completer(offers))
    typed = ""
    while True:
        readline.set_startup_hook(partial(readline.insert_text, typed))
        stops = signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL
        try:
            if stops:
                signal.signal(signal.SIGTSTP, _suspend)
            sys.stdout.write(question)
            return input(prompt)
        except _Suspended:
            typed = readline.get_line_buffer()
        finally:
            if stops:
                signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            readline.set_startup_hook()
        os.kill(os.getpid(), signal.SIGTSTP)


def _suspend(_number: int, _frame: FrameType | None) -> None:
    """Leave the prompt first: the terminal is then as the shell wants it."""
    raise _Suspended


class _Completer:
    """What readline asks for the words that begin like the line."""

    def __init__(self, offers: Iterable[str]) -> None:
        self._offers = offers
        self._words: list[str] | None = None
        """The offers, once Tab was pressed."""

    def __call__(self, line: str, place: int) -> str | None:
        if self._words is None:
            self._words = list(self._offers)
        found = [word for word in self._words if word.casefold().startswith(line.casefold())]
        return found[place] if place < len(found) else None
