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

from numduel.board import Move
from numduel.errors import PlayerFailed
from numduel.players import engine_guard
from numduel.players.view import Limits, SeesMatch, View

SECONDS = 10.0
LONGEST_REPLY = 65_536
_GRACE = 0.5
"""Seconds that a program has to leave after `quit`."""


class EnginePlayer(SeesMatch):
    """Starts the program when it is first asked, and anew after an answer that is not a reply.

    Raises `PlayerFailed` when the command names no program.
    """

    def __init__(self, word: str, limits: Limits) -> None:
        self.limits = limits
        self._word = word
        self._seconds = SECONDS if limits.seconds is None else limits.seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._life = -1
        """What the guard waits for: it closes when the program is to end."""
        self._pending = b""
        try:
            self._command = shlex.split(word.removeprefix("engine:"))
        except ValueError:
            self._command = []
        if not self._command:
            raise PlayerFailed(player=word, problem="no command")
        if shutil.which(self._command[0]) is None:
            raise self._not_found()

    def _not_found(self) -> PlayerFailed:
        return PlayerFailed(player=self._word, problem="not found", command=self._command[0])

    def answer(self, view: View) -> Move:
        deadline = time.monotonic() + self._seconds
        self._ask(f"board {view.board}", deadline)
        return view.board.parse_move(self._ask("genmove", deadline))

    def close(self) -> None:
        process = self._process
        if process is None:
            return
        with suppress(PlayerFailed):
            self._write("quit", time.monotonic() + _GRACE)
            if process.stdin is not None:
                process.stdin.close()  # which programs understand that do not know `quit`
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
        self._end()

    def _ask(self, command: str, deadline: float) -> str:
        try:
            self._write(command, deadline)
            reply = self._read(deadline)
        except PlayerFailed as failed:
            if self._end() == engine_guard.NOT_RUN and failed.problem == "ended":
                raise self._not_found() from None
            raise
        if reply.startswith("?"):
            raise PlayerFailed(player=self._word, problem="refused", text=reply[1:].strip())
        return reply[1:].strip()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._pending = b""
            life, self._life = os.pipe()
            guard = [sys.executable, "-I", "-S", engine_guard.__file__, str(life)]
            try:
                self._process = subprocess.Popen(
                    guard + self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    pass_fds=[life],
                    start_new_session=True,
                )
            except OSError as error:
                os.close(self._life)
                raise self._not_found() from error
            finally:
                os.close(life)
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    os.set_blocking(stream.fileno(), False)
        return self._process

    def _write(self, command: str, deadline: float) -> None:
        stdin = self._running().stdin
        data = f"{command}\n".encode()
        while data and stdin is not None:
            self._wait([], [stdin.fileno()], deadline)
            try:
                data = data[os.write(stdin.fileno(), data) :]
            except BlockingIOError:
                continue
            except OSError:
                raise PlayerFailed(player=self._word, problem="ended") from None

    def _read(self, deadline: float) -> str:
        """One reply: from its `=` or `?` to the blank line after it."""
        stdout = self._running().stdout
        while stdout is not None:
            text = self._pending.replace(b"\r", b"").lstrip(b"\n")
            reply, blank, rest = text.partition(b"\n\n")
            if len(self._pending) > LONGEST_REPLY:
                raise PlayerFailed(player=self._word, problem="flood", limit=LONGEST_REPLY)
            if text and text[:1] not in (b"=", b"?"):
                shown = text[:60].decode(errors="replace")
                raise PlayerFailed(player=self._word, problem="rubbish", text=shown)
            if blank:
                self._pending = rest
                return reply.decode(errors="replace")
            self._wait([stdout.fileno()], [], deadline)
            try:
                data = os.read(stdout.fileno(), 65_536)
            except BlockingIOError:
                continue
            if not data:
                raise PlayerFailed(player=self._word, problem="ended")
            self._pending += data
        raise PlayerFailed(player=self._word, problem="ended")

    def _wait(self, read: list[int], write: list[int], deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not any(select.select(read, write, [], left)):
            raise PlayerFailed(player=self._word, problem="time", seconds=self._seconds)

    def _end(self) -> int | None:
        """End the program and all that it started; the exit code of one that had ended."""
        process, self._process = self._process, None
        if process is None:
            return None
        os.close(self._life)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        return process.wait()
