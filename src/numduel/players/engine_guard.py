"""Runs a program, and ends it with all that it started when whoever wanted it is gone.

    python -I -S engine_guard.py LIFE COMMAND...

LIFE is the number of a pipe's end that is only read. It closes when numduel lets go of
the program, and when numduel itself ends in whatever way: the system sees to that. The
guard's own input and output become the program's. Children that the program left behind,
in sessions of their own too, become the guard's. Only `numduel.players.engine` starts it.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

NOT_RUN = 127
"""The exit code where the command cannot be run, as in a shell."""

_DIE_WITH_PARENT = 1
_ADOPT_ORPHANS = 36
"""Options of Linux's prctl."""


def main() -> int:
    """Run the command until it ends or LIFE does; its exit code."""
    life = int(sys.argv[1])
    os.set_inheritable(life, False)
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _prctl(_ADOPT_ORPHANS, 1)
    program = os.fork()
    if program == 0:
        _run(sys.argv[2:])
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # they are the program's alone: who reads them sees when it ends
        os.dup2(nothing, stream)
    while life not in select.select([life, ended], [], [])[0]:
        os.read(ended, 4096)
        if _has_ended(program):
            break
    return _end_all(program)


def _run(command: list[str]) -> NoReturn:
    """Become the program, in a process group of its own."""
    _prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    os.setpgid(0, 0)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
        signal.signal(number, signal.SIG_DFL)
    with suppress(OSError):
        os.execvp(command[0], command)
    os._exit(NOT_RUN)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _has_ended(program: int) -> bool:
    """Has the program ended? Other children that have are taken note of."""
    seen = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while (ended := os.waitid(os.P_ALL, 0, seen)) and ended.si_pid != program:
        os.waitpid(ended.si_pid, 0)
    return ended is not None


def _end_all(program: int) -> int:
    """Kill until no child is left, as orphans become ours; the program's exit code."""
    code = 0
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)
    while [child for child in _children() if _kill(child)]:
        ended, status = os.waitpid(-1, 0)
        if ended == program:
            code = abs(os.waitstatus_to_exitcode(status))
    return code


def _kill(child: int) -> bool:
    """Was it ours to kill? A program with other rights is not."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(child, signal.SIGKILL)
        return True
    return False


def _children() -> Iterator[int]:
    me = b"%d" % os.getpid()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if stat.read_bytes().rpartition(b")")[2].split()[1] == me:
                yield int(stat.parent.name)


if __name__ == "__main__":
    sys.exit(main())
