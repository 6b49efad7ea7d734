"""A real server in a process of its own, at a free port of 127.0.0.1.

It can be killed, and started again at the same port and on the same database. Limits are generous
unless given: `running(place, rooms_per_minute=3)`.
"""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import Any

from numduel.web.settings import Limits

GENEROUS = Limits(
    rooms_per_minute=100_000,
    rooms_per_day=100_000,
    classes_per_hour=100_000,
    wrong_codes=100_000,
    work_per_minute=100_000,
    thinking_per_minute=100_000,
    sockets_per_client=5_000,
    sockets_per_address=5_000,
    sockets_per_member=5_000,
)
_SECONDS = 120.0


class Server:
    def __init__(self, place: str, limits: Limits, workers: int, settings: dict[str, Any]) -> None:
        self.place = place
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        self._settings = {"database": place, "limits": asdict(limits), **settings}
        self._workers = workers
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def live_address(self) -> str:
        return f"ws://127.0.0.1:{self.port}/"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def output(self) -> str:
        self._said.seek(0)
        return self._said.read().decode(errors="replace")

    def start(self) -> None:
        assert self._process is None, "the server runs already"
        reads, writes = os.pipe()
        arguments = json.dumps([self._settings, self._workers, self.port, writes])
        command = [sys.executable, "-P", __file__, arguments]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=self._said, stderr=self._said,
                pass_fds=[writes], start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(writes)
        with os.fdopen(reads, "rb", 0) as told:
            ready, _, _ = select.select([told], [], [], _SECONDS)
            port = told.read(8) if ready else b""
        if not port:
            self.kill()
            raise AssertionError(f"the server did not start:\n{self.output}")
        self.port = int(port)

    def kill(self, alone: bool = False) -> None:
        """End the process at once, without a word, and its workers unless it is to die alone."""
        if self._process is not None and not alone:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask the process to end, and wait for it; its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(_SECONDS)
        finally:
            process.kill()
            process.wait()

    def close(self) -> None:
        self.stop()
        self._said.close()


@contextmanager
def running(
    place: str, workers: int = 1, thinkers: int = 2, seconds: float = 5.0, **limits: Any
) -> Iterator[Server]:
    wanted = Limits(**(asdict(GENEROUS) | limits))
    server = Server(place, wanted, workers, {"thinkers": thinkers, "seconds": seconds})
    try:
        server.start()
        yield server
    finally:
        server.close()


def _main() -> None:
    from numduel.rooms import live
    from numduel.thinking import thinkers
    from numduel.web.addresses import listen
    from numduel.web.pages.play import ending, room
    from numduel.web.pages.study import replay
    from numduel.web.serving import serve
    from numduel.web.settings import Settings

    # Pages leave out what is not found in a moment. Here they wait for it, on a busy machine too.
    room.PATIENCE = _SECONDS
    ending._SECONDS = ending._DRAWING = replay._SECONDS = _SECONDS
    live.GRACE = 0.3  # whoever leaves has left soon
    thinkers.UNASKED = 10 * _SECONDS  # most tests ask nothing: no process starts for them
    settings, workers, port, told = json.loads(sys.argv[1])
    limits = Limits(**settings.pop("limits"))
    with listen("127.0.0.1", port) as listening:
        shown = str(listening.getsockname()[1]).encode()

        def ready() -> None:
            os.write(told, shown)
            os.close(told)

        serve(Settings(**settings, limits=limits), listening, workers, ready)


if __name__ == "__main__":
    _main()
