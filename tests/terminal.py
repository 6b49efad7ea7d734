"""A real pseudo-terminal to run the command in, and a person's fingers to type on it."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from patience import PATIENT

PROMPTS = (": ", ">> ")
COMMAND = [str(Path(sys.executable).with_name("numduel"))]
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def without_colour(text: str) -> str:
    return _COLOUR.sub("", text)


class Terminal:
    """The command on a pseudo-terminal; `screen` is all that was seen so far, echo included."""

    def __init__(
        self, *arguments: str, seconds: float = PATIENT, columns: int = 80, **environment: str
    ) -> None:
        self._deadline = time.monotonic() + seconds
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        self._process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_take_terminal,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "", **environment},
        )
        os.close(slave)
        self._bytes = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._master >= 0:
            os.close(self._master)

    @property
    def screen(self) -> str:
        return self._bytes.decode().replace("\r\n", "\n")

    def type(self, line: str) -> None:
        """Wait for a prompt, then type the line and Enter."""
        self.wait_for_prompt()
        self._bytes_at_prompt = len(self._bytes)
        os.write(self._master, line.encode() + b"\n")
        self._read_until(lambda seen: seen[self._bytes_at_prompt :].count(b"\n") > 0)

    def press(self, keys: bytes, after: str = "") -> None:
        """Wait for a prompt, or for a text, then press keys without Enter."""
        if after:
            self._read_until(lambda seen: after.encode() in seen)
        else:
            self.wait_for_prompt()
        os.write(self._master, keys)

    def wait_for_prompt(self) -> None:
        self._read_until(
            lambda seen: without_colour(seen.decode(errors="ignore")).endswith(PROMPTS)
        )

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until the text was seen so often."""
        self._read_until(lambda seen: seen.count(text.encode()) >= times)

    def interrupt(self) -> None:
        """Press Ctrl-C at a prompt."""
        self.press(b"\x03")

    def end(self) -> int:
        """Wait until the command ends; its exit code."""
        self._read_until(lambda seen: False)
        return self._process.wait(timeout=max(1.0, self._deadline - time.monotonic()))

    def kill(self) -> None:
        """End the command at once, as a power cut would."""
        self._process.kill()
        self._process.wait()

    def close_window(self) -> None:
        """Close the terminal under the command, and wait until it ends."""
        os.close(self._master)
        self._master = -1
        self._process.wait(timeout=max(1.0, self._deadline - time.monotonic()))

    def send_signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def _read_until(self, done: object) -> None:
        assert callable(done)
        while not done(self._bytes):
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no prompt or end in time; seen so far:\n{self.screen}")
            ready, _, _ = select.select([self._master], [], [], left)
            if not ready:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:  # Linux says so when the other side has closed
                return
            if not data:
                return
            self._bytes += data


def _take_terminal() -> None:
    """Make the new session's controlling terminal ours, so that Ctrl-C reaches the command.

    A terminal that closes ends the command, also where the tests themselves run under nohup.
    """
    import fcntl

    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def on_terminal(
    arguments: Iterable[str], lines: Iterable[str], columns: int = 80, **environment: str
) -> tuple[str, int]:
    """Type the lines at the prompts; what was seen, and the exit code."""
    with Terminal(*arguments, columns=columns, **environment) as terminal:
        for line in lines:
            terminal.type(line)
        code = terminal.end()
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
        timeout=60,
        env={**os.environ, **environment},
    )
    return done.stdout.decode(), done.stderr.decode(), done.returncode


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
