"""A process that has numduel's modules ready, and forks whenever a test wants the command.

The command is then a process of its own on a terminal of its own, as if it were started from
a shell; only its imports are done.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from threading import Lock
from typing import NoReturn

_LOADED = ("cli", "games", "solver", "store", "study", "theory", "wording")


class Command:
    """numduel on the terminal that is given by its number, like `subprocess.Popen`."""

    _asked = Lock()
    _ready: socket.socket | None = None

    def __init__(self, words: list[str], terminal: int, environment: dict[str, str]) -> None:
        self._code, tell = os.pipe()
        with Command._asked:
            ready = Command._ready = Command._ready or _start()
            asked = json.dumps([words, environment, str(Path.cwd())])
            socket.send_fds(ready, [asked.encode()], [terminal, tell])
            _, (self._process,), _, _ = socket.recv_fds(ready, 1, 1)
        os.close(tell)
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):  # it has ended
                signal.pidfd_send_signal(self._process, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, or -1 of a process that was ended by a signal."""
        if self.returncode is None:
            if not select.select([self._process], [], [], timeout)[0]:
                raise TimeoutError("the command does not end")
            self.returncode = int(os.read(self._code, 9) or -1)
            os.close(self._code)
            os.close(self._process)
        return self.returncode


def _start() -> socket.socket:
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen([sys.executable, __file__], stdin=there, start_new_session=True)
    there.close()

    def end() -> None:
        here.close()
        process.wait()

    atexit.register(end)
    return here


def _serve() -> None:
    """Fork for each request, until there is nobody to ask."""
    import sqlalchemy.dialects.sqlite  # noqa: F401

    for package in _LOADED:
        folder = import_module(f"numduel.{package}")
        for module in iter_modules(folder.__path__, f"{folder.__name__}."):
            import_module(module.name)
    gc.freeze()  # what is loaded is shared
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also where the tests run under nohup
    with socket.socket(fileno=os.dup(0)) as requests:
        while True:
            asked, files, _, _ = socket.recv_fds(requests, 1 << 18, 2)
            if not asked:
                return
            process = os.fork()
            if not process:
                requests.close()
                _become_the_command(*files, *json.loads(asked))
            handle = os.pidfd_open(process)
            socket.send_fds(requests, [b"."], [handle])
            for file in (*files, handle):
                os.close(file)
            with suppress(ChildProcessError):  # all have ended
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _become_the_command(
    terminal: int, tell: int, words: list[str], environment: dict[str, str], folder: str
) -> NoReturn:
    from numduel.__main__ import main

    os.login_tty(terminal)  # from now on Ctrl-C reaches this process
    for name, file in (("stdin", 0), ("stdout", 1), ("stderr", 2)):
        setattr(sys, name, os.fdopen(file, "w" if file else "r", encoding="utf-8"))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = words
    code = 1
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os.write(tell, f"{code}".encode())
    os._exit(code)


if __name__ == "__main__":
    _serve()
