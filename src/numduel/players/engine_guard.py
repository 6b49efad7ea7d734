"""Runs a program, and ends it with all that it started when whoever wanted it is gone.

    python -I -S engine_guard.py LIFE COMMAND...

LIFE is the number of a pipe's end that is only read. It closes when numduel lets go of the program,
and when numduel itself ends in whatever way: the system sees to that. The guard's own input and
output become the program's, which has a session of its own: all of that is ended together.
"""

import os
import signal
import subprocess
import sys
from threading import Thread

NOT_RUN = 127  # the exit code where the command cannot be run, as in a shell


def main() -> int:
    try:
        program = subprocess.Popen(sys.argv[2:], start_new_session=True)
    except OSError:
        return NOT_RUN
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # they are the program's alone: who reads them sees when it ends
        os.dup2(nothing, stream)
    Thread(target=_end_with, args=(int(sys.argv[1]), program.pid), daemon=True).start()
    os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)  # so that its id stays its own
    os.killpg(program.pid, signal.SIGKILL)
    return abs(program.wait())


def _end_with(life: int, session: int) -> None:
    """Wait until nobody holds the other end of LIFE; nothing is ever written there."""
    os.read(life, 1)
    try:
        os.killpg(session, signal.SIGKILL)
    except PermissionError:  # a program with other rights is not ours to wait for
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
