"""The loop of a prompt: a line is read from a pipe, or edited on a terminal by readline."""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from functools import cache, partial
from importlib.util import find_spec
from types import FrameType
from typing import TypeVar

import click

from numduel.cli.layout import on_terminal, say, width_of, wrapped
from numduel.cli.patience import alarm
from numduel.errors import NumduelError, Unanswerable
from numduel.wording import problem, quoted

LONGEST_LINE = 100_000  # longer lines are cut and marked: the part is never taken for the whole
LEAVE = ("quit", "q", "exit")

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

Taken = TypeVar("Taken")
Words = Mapping[str, Callable[[], object]]  # what may be typed instead of an answer, and its effect


class Left(click.exceptions.Exit):
    """The person at the prompt wants to leave: the command ends, with exit code 0."""


class EndOfInput(Left):
    """The input ended where an answer was needed."""


def one_of(answers: Mapping[str, Taken]) -> Callable[[str], Taken]:
    """Takes one of these words, for what it stands for here; refuses any other."""

    def accept(answer: str) -> Taken:
        if answer.casefold() not in answers:
            raise Unanswerable(message=f"{quoted(answer)} is not one of these.")
        return answers[answer.casefold()]

    return accept


def note(text: str) -> None:
    say(text, fg="yellow")


def ask_until(
    question: Callable[[], str],
    accept: Callable[[str], Taken],
    words: Words,
    note: Callable[[str], None] = note,
) -> Taken:
    """Ask until `accept` takes the answer. One of the `words` is acted on, then it asks again.
    An error of numduel's is noted, unless all was said already. Raises `Left` for "quit".
    """
    while True:
        answer = question().strip()
        word = answer.casefold()
        if word in LEAVE:
            raise Left
        try:
            if word not in words:
                return accept(answer)
            words[word]()
        except NumduelError as error:
            if said := problem(error):
                note(said)


def ask(prompt: str, offers: Iterable[str] = (), echo: bool = True) -> str:
    """The answer typed after the prompt; Tab offers these words. Raises `EndOfInput`. A terminal
    echoes what is typed. Other input is written after its prompt, unless `echo` is off, so that a
    match played from a pipe reads like one that was typed.
    """
    question = prompt.rstrip(" ")
    blanks = prompt[len(question) :]
    width = width_of(sys.stdout) - len(blanks) - 1  # the cursor stays on the prompt's row
    *lines, last = [part for line in question.split("\n") for part in wrapped(line, width)]
    above, last = "".join(f"{line}\n" for line in lines), last + blanks
    line = _read_edited(above, last, offers) if _can_edit() else _read_plain(above + last)
    if not line:
        if prompt:
            click.echo()
        raise EndOfInput
    answer = line.rstrip("\r\n")
    if len(answer) >= LONGEST_LINE:
        answer = answer[:LONGEST_LINE] + "..."
    if echo and not sys.stdin.isatty():
        click.echo("".join(c for c in answer if c.isprintable()))
    return answer


_looking_at_signals = partial(alarm, lambda _number, _frame: None, 0.1, 0.1)
"""While a block waits for what is typed: a Ctrl-C that comes just before Python begins to wait
would be seen only after the line."""


def _read_plain(prompt: str) -> str:
    """A line as it comes, and no more of it than can be an answer; empty at the end."""
    click.echo(prompt, nl=False)
    with _looking_at_signals() if sys.stdin.isatty() else nullcontext():
        line = rest = sys.stdin.readline(LONGEST_LINE)
        while len(rest) == LONGEST_LINE and not rest.endswith("\n"):
            rest = sys.stdin.readline(LONGEST_LINE)
    return line


class _Suspended(BaseException):
    """Ctrl-Z was pressed at the prompt. Like KeyboardInterrupt, it is not an error."""


def _can_edit() -> bool:
    plain = os.environ.get("TERM", "") in ("", "dumb")
    return on_terminal() and not plain and find_spec("readline") is not None


def _read_edited(question: str, prompt: str, offers: Iterable[str]) -> str:
    """The line typed, shown again after Ctrl-Z and `fg`; Tab offers words. Empty at the end."""
    import readline

    of_libedit = "libedit" in (readline.__doc__ or "")
    for setting in ("bind ^I rl_complete",) if of_libedit else SETTINGS:
        readline.parse_and_bind(setting)
    readline.set_completer_delims("")
    readline.set_completer(_completer(offers))
    typed = ""
    while True:
        readline.set_startup_hook(partial(readline.insert_text, typed))
        stops = signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL
        try:
            if stops:
                signal.signal(signal.SIGTSTP, _suspend)
            sys.stdout.write(question)
            with _looking_at_signals():
                return input(prompt) + "\n"
        except EOFError:
            return ""
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


def _completer(offers: Iterable[str]) -> Callable[[str, int], str | None]:
    """What readline asks for the words that begin like the line, once Tab was pressed."""
    words = cache(lambda: list(offers))

    def complete(line: str, place: int) -> str | None:
        found = [word for word in words() if word.casefold().startswith(line.casefold())]
        return found[place] if place < len(found) else None

    return complete
