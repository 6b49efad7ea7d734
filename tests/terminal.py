"""A real pseudo-terminal to run the command in, and a person's fingers to type on it."""

import io
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

import pyte

from patience import PATIENT
from ready import Command

PROMPTS = (": ", ">> ")
COMMAND = [str(Path(sys.executable).with_name("numduel"))]
_READ_AT_START = {"LC_ALL", "PYTHONPATH"}
"""What Python reads once: then the command is started, not forked."""


class Paper(pyte.Screen):
    """A terminal's screen, so tall that nothing scrolls away; a line too wide is one line."""

    ROWS = 20_000

    def __init__(self, columns: int) -> None:
        self._drawing = False
        self._broken: set[int] = set()
        super().__init__(columns, self.ROWS)

    def draw(self, data: str) -> None:
        self._drawing = True
        super().draw(data)
        self._drawing = False

    def linefeed(self) -> None:
        if self._drawing:
            self._broken.add(self.cursor.y)
        else:
            self._broken.discard(self.cursor.y)
        super().linefeed()

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        super().erase_in_line(how, private)
        if how == 0:  # what was erased is no blank that somebody wrote
            for place in range(self.cursor.x, self.columns):
                self.buffer[self.cursor.y].pop(place, None)

    def row(self, y: int, width: int) -> str:
        return "".join(self.buffer[y][x].data for x in range(width))

    @property
    def text(self) -> str:
        """All that is written, up to the cursor's row."""
        rows = []
        for y in range(self.cursor.y + 1):
            row = self.buffer[y]
            width = max(row, default=-1) + 1
            rows.append(self.row(y, width) + ("" if y in self._broken else "\n"))
        return "".join(rows).removesuffix("\n")


class Terminal:
    """The command on a pseudo-terminal; `screen` is all that it shows so far, echo included.

    Whatever it is to do next, it has so many `seconds` for.
    """

    def __init__(
        self,
        *arguments: str,
        seconds: float = PATIENT,
        columns: int = 80,
        program: list[str] | None = None,
        **environment: str,
    ) -> None:
        self._seconds = seconds
        self.keyboard, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        usual = {"TERM": "xterm", "NO_COLOR": "1", "COLUMNS": ""}
        start = Command if program is None and not _READ_AT_START & environment.keys() else _begun
        words = [*(program or COMMAND), *arguments]
        self._process = start(words, slave, {**os.environ, **usual, **environment})
        os.close(slave)
        self._bytes = b""
        self._paper = Paper(columns)
        self._pen = pyte.ByteStream(self._paper)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()
        if self.keyboard >= 0:
            os.close(self.keyboard)

    @property
    def screen(self) -> str:
        return self._paper.text

    def looks(self, text: str = "") -> set[str]:
        """The colours and styles of this text wherever it stands, or of all that is shown."""
        paper, found = self._paper, set()
        for y in range(paper.cursor.y + 1):
            at = paper.row(y, paper.columns).find(text)
            cells = [paper.buffer[y][x] for x in range(at, at + (len(text) or paper.columns))]
            for cell in cells if at >= 0 else []:
                styles = [name for name in ("bold", "reverse") if getattr(cell, name)]
                found.add(" ".join([*styles, cell.fg]))
        return found

    def type(self, *lines: str) -> None:
        """Wait for a prompt, then type the line and Enter; so with each."""
        for line in lines:
            self.wait_for_prompt()
            self._bytes_at_prompt = len(self._bytes)
            os.write(self.keyboard, line.encode() + b"\n")
            self._read_until(lambda seen: seen[self._bytes_at_prompt :].count(b"\n") > 0)

    def press(self, keys: bytes, after: str = "") -> None:
        """Wait for a prompt, or for a text, then press keys without Enter."""
        if after:
            self._read_until(lambda seen: after.encode() in seen)
        else:
            self.wait_for_prompt()
        os.write(self.keyboard, keys)

    def wait_for_prompt(self) -> None:
        paper = self._paper
        self._read_until(lambda _: paper.row(paper.cursor.y, paper.cursor.x).endswith(PROMPTS))

    def wait_for_row(self, text: str) -> None:
        """Wait until this is in the row of the cursor, and nothing else."""
        paper, row = self._paper, text.rstrip()
        self._read_until(lambda _: paper.row(paper.cursor.y, paper.columns).rstrip() == row)

    def resize(self, columns: int) -> None:
        termios.tcsetwinsize(self.keyboard, (24, columns))
        self._paper.resize(columns=columns)

    def wait_for(self, text: str, times: int = 1) -> None:
        self._read_until(lambda seen: seen.count(text.encode()) >= times)

    def interrupt(self) -> None:
        self.press(b"\x03")

    def end(self) -> int:
        """Wait until the command ends; its exit code."""
        self._read_until(lambda seen: False)
        return self._process.wait(timeout=self._seconds)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def close_window(self) -> None:
        """Close the terminal under the command, and wait until it ends."""
        os.close(self.keyboard)
        self.keyboard = -1
        self._process.wait(timeout=self._seconds)

    def send_signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def _read_until(self, done: Callable[[bytes], bool]) -> None:
        deadline = time.monotonic() + self._seconds
        while not done(self._bytes):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no prompt or end in time; seen so far:\n{self.screen}")
            if not select.select([self.keyboard], [], [], left)[0]:
                continue
            try:
                data = os.read(self.keyboard, 65536)
            except OSError:  # Linux says so when the other side has closed
                return
            self._bytes += data
            self._pen.feed(data)


def _begun(words: list[str], terminal: int, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A program of its own; a terminal that closes ends it, also under nohup."""

    def take_terminal() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.login_tty(os.dup(terminal))

    return subprocess.Popen(words, preexec_fn=take_terminal, env=environment)


def terminal_after(
    arguments: Iterable[str], lines: Iterable[str], columns: int = 80, **environment: str
) -> tuple[Terminal, int]:
    """Type the lines at the prompts; the terminal, and the exit code."""
    with Terminal(*arguments, columns=columns, **environment) as terminal:
        terminal.type(*lines)
        return terminal, terminal.end()


def on_terminal(
    arguments: Iterable[str], lines: Iterable[str], columns: int = 80, **environment: str
) -> tuple[str, int]:
    """Type the lines at the prompts; what was seen, and the exit code."""
    terminal, code = terminal_after(arguments, lines, columns, **environment)
    return terminal.screen, code


def piped(
    arguments: Iterable[str], text: str | bytes = "", apart: bool = False, **environment: str
) -> tuple[str, str, int]:
    """Run the command on a pipe; stdout, stderr and the exit code.

    It runs in this process, which is quicker, unless it is to be `apart`.
    """
    given = text if isinstance(text, bytes) else text.encode()
    if not apart:
        return _in_this_process(list(arguments), given, environment)
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=given,
        capture_output=True,
        timeout=PATIENT,
        env={**os.environ, **environment},
    )
    return done.stdout.decode(), done.stderr.decode(), done.returncode


def run(*arguments: str, typed: str = "", code: int = 0, **environment: str) -> str:
    """What the command says; it ends with this code, and complains only if that is not 0."""
    out, err, found = piped(arguments, typed, **environment)
    assert (found, bool(err)) == (code, code != 0), out + err
    assert "Traceback" not in err
    assert not out or code < 2, "bad usage is told before anything is done"
    return out + err


def _in_this_process(
    arguments: list[str], given: bytes, environment: dict[str, str]
) -> tuple[str, str, int]:
    from unittest import mock

    from numduel.cli.app import run

    streams = [io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (given, b"", b"")]
    names = ("sys.stdin", "sys.stdout", "sys.stderr")
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, environment))
        for name, stream in zip(names, streams, strict=True):
            stack.enter_context(mock.patch(name, stream))
        code = run(arguments)
    for stream in streams[1:]:
        stream.seek(0)
    return streams[1].read(), streams[2].read(), code
