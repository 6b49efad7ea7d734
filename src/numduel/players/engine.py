"""A program as a player: it is asked on its standard input, and answers on its output.

The protocol is that of `numduel engine`; a program needs to know `board` and `genmove` only. It may
hang, die, flood or answer rubbish: it is then ended. A guard (`engine_guard.py`) runs it, and ends
it with all that it started when it is let go of, and when numduel itself is killed.
"""

import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import IO

from numduel.board import Move
from numduel.errors import PlayerFailed
from numduel.players import engine_guard
from numduel.players.player import Limits, SeesMatch, View

SECONDS = 10.0
LONGEST_REPLY = 65_536
_GRACE = 0.5  # seconds that a program has to leave after `quit`


class EnginePlayer(SeesMatch):
    """Starts the program when it is first asked, and anew after an answer that is not a reply.

    Raises `PlayerFailed` when the command names no program.
    """

    def __init__(self, word: str, limits: Limits) -> None:
        self.word, self.limits = word, limits
        self._seconds = SECONDS if limits.seconds is None else limits.seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._life = -1  # what the guard waits for: it closes when the program is to end
        self._pending = b""
        try:
            self._command = shlex.split(word.removeprefix("engine:"))
        except ValueError:
            self._command = []
        if not self._command:
            raise self.failed("no command")
        if shutil.which(self._command[0]) is None:
            raise self.failed("not found", command=self._command[0])

    def answer(self, view: View) -> Move:
        deadline = time.monotonic() + self._seconds
        self._ask(f"board {view.board}", deadline)
        return view.board.parse_move(self._ask("genmove", deadline))

    def close(self) -> None:
        if self._process is None:
            return
        with suppress(PlayerFailed, subprocess.TimeoutExpired):
            self._write("quit", time.monotonic() + _GRACE)
            _pipes(self._process)[0].close()  # which programs understand that do not know `quit`
            self._process.wait(_GRACE)
        self._end()

    def _ask(self, command: str, deadline: float) -> str:
        try:
            self._write(command, deadline)
            reply = self._read(deadline)
        except PlayerFailed as failed:
            if self._end() == engine_guard.NOT_RUN and failed.problem == "ended":
                raise self.failed("not found", command=self._command[0]) from None
            raise
        if reply.startswith("?"):
            raise self.failed("refused", text=reply[1:].strip())
        return reply[1:].strip()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._pending = b""
            life, self._life = os.pipe()
            guard = [sys.executable, "-I", "-S", engine_guard.__file__, str(life)]
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    guard + self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL,
                    bufsize=0, pass_fds=[life], start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                os.close(self._life)
                raise self.failed("not found", command=self._command[0]) from error
            finally:
                os.close(life)
            for stream in _pipes(self._process):
                os.set_blocking(stream.fileno(), False)
        return self._process

    def _write(self, command: str, deadline: float) -> None:
        stdin, _ = _pipes(self._running())
        data = f"{command}\n".encode()
        while data:
            self._wait([], [stdin], deadline)
            try:
                data = data[stdin.write(data) or 0 :]
            except OSError:
                raise self.failed("ended") from None

    def _read(self, deadline: float) -> str:
        """One reply: from its `=` or `?` to the blank line after it."""
        _, stdout = _pipes(self._running())
        while True:
            text = self._pending.replace(b"\r", b"").lstrip(b"\n")
            reply, blank, rest = text.partition(b"\n\n")
            if len(self._pending) > LONGEST_REPLY:
                raise self.failed("flood", limit=LONGEST_REPLY)
            if text and text[:1] not in (b"=", b"?"):
                raise self.failed("rubbish", text=text[:60].decode(errors="replace"))
            if blank:
                self._pending = rest
                return reply.decode(errors="replace")
            self._wait([stdout], [], deadline)
            data = stdout.read(65_536)
            if data == b"":
                raise self.failed("ended")
            self._pending += data or b""

    def _wait(self, read: list[IO[bytes]], write: list[IO[bytes]], deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not any(select.select(read, write, [], left)):
            raise self.failed("time", seconds=self._seconds)

    def _end(self) -> int | None:
        """End the program and all that it started; the exit code of one that had ended."""
        process, self._process = self._process, None
        if process is None:
            return None
        os.close(self._life)
        for stream in _pipes(process):
            stream.close()
        return process.wait()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout
