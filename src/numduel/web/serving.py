"""Run the application: in this process, or in several workers that share one socket."""

import asyncio
import ctypes
import gc
import json
import logging
import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from multiprocessing import parent_process
from threading import Thread
from typing import Any

from fastapi import FastAPI
from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from numduel.rooms import steady_time
from numduel.store.database import Database
from numduel.store.place import sole_server
from numduel.web.addresses import BACKLOG
from numduel.web.app import create_app
from numduel.web.safety.connections import Requests, Sockets
from numduel.web.settings import Limits, Settings

VARIABLE = "NUMDUEL_SERVE"  # tells workers their settings, as JSON

_START_SECONDS = 60.0
_REQUESTS = 500  # connections besides the live ones
_TAKEN_UP = 64  # new connections taken up at once: those that are there wait so long at most

_QUICK_COLLECTIONS = 100
"""After this many comes a full one: some 800,000 new objects, ten times as many as usual. What
closed connections leave behind until then is some tens of MB."""
_TIDY_EVERY = 30.0  # seconds between two looks at whether there is memory to give back
_TIDY_SHARE = 0.005  # of all time, at most: with many connections it is done less often


class _Failures(logging.Filter):
    """Leaves out requests that were cut off because the server was told to stop."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        cut_off = str(record.msg).startswith("Cancel %s running task")
        return not (cut_off or isinstance(error, asyncio.CancelledError))


_LOG: dict[str, Any] = {  # failures alone: requests are not logged, and so no address is
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"failures": {"()": _Failures}},
    "formatters": {"plain": {"format": "numduel: %(message)s"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["failures"]}
    },
    "loggers": {
        name: {"handlers": ["stderr"], "level": "ERROR", "propagate": False}
        for name in ("uvicorn", "numduel")
    },
}


def check_database(place: str) -> None:
    """Open the rooms and write there once, so that problems show at once. Raises `StoreError`."""
    with closing(Database(place)) as database:
        database.try_writing()


def serve(
    settings: Settings, listening: socket.socket, workers: int, ready: Callable[[], None]
) -> bool:
    """Serve; False unless it was told to stop. Raises `StoreError` if another uses the file."""
    _allow_files(settings.limits.sockets + _REQUESTS + 8 * _TAKEN_UP)
    # Both end the server in the same way, and uvicorn raises what it took when it is done.
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def open_doors() -> None:
        listening.listen(BACKLOG)  # few are taken up at once, but many may wait
        ready()

    with sole_server(settings.database):
        if workers > 1:
            os.environ[VARIABLE] = json.dumps(asdict(settings) | {"anchor": steady_time.anchor()})
            config = config_of(f"{__name__}:{app_of_worker.__name__}", settings, workers)
            parent = _Workers(config, [listening], open_doors)
            parent.run()
            return not parent.has_failed
        server = _OneProcess(config_of(create_app(settings), settings), open_doors)
        try:
            server.run([listening])
        except SystemExit:  # what uvicorn ends with when the application fails to start
            return False
        except KeyboardInterrupt:
            if not server.started:
                raise
        return True


def app_of_worker() -> FastAPI:
    Thread(target=_end_with_parent, daemon=True).start()
    fields = json.loads(os.environ[VARIABLE])
    steady_time.share(fields.pop("anchor"))
    app = create_app(Settings(**{**fields, "limits": Limits(**fields["limits"])}))
    _pause_seldom()
    return app


def _end_with_parent() -> None:
    """End at once when the parent was killed: it cannot say so, and the port would stay taken."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def config_of(app: FastAPI | str, settings: Settings, workers: int = 1) -> Config:
    """How uvicorn runs it: patient with people, not with connections, and without an access log.

    Some files are left for connections that are told that the server is full, and for those
    just taken up or cut off: a server without files logs each connection that it cannot have.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    connections = settings.limits.sockets + _REQUESTS
    taken_up = _TAKEN_UP
    if files != resource.RLIM_INFINITY:
        taken_up = min(taken_up, files // 16)
        connections = min(connections, files - 8 * taken_up)
    return Config(
        app,
        factory=isinstance(app, str),
        workers=workers,
        lifespan="on",
        http=Requests,
        ws=Sockets,
        ws_max_size=1_024,  # clients have nothing to say there
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,  # it would cost each connection more than it saves
        log_config=_LOG,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=["127.0.0.1", "::1", "::ffff:127.0.0.1"],  # a proxy on this machine
        limit_concurrency=connections,
        backlog=taken_up,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=3,
        timeout_worker_healthcheck=int(_START_SECONDS),  # a worker that starts says nothing yet
        h11_max_incomplete_event_size=16_384,
    )


class _OneProcess(Server):
    def __init__(self, config: Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _pause_seldom()
        self._ready()


class _Workers(Multiprocess):
    def __init__(
        self, config: Config, sockets: list[socket.socket], ready: Callable[[], None]
    ) -> None:
        super().__init__(config, sockets)
        self._ready = ready
        self.has_failed = False  # did it end because a worker could not be started?

    def init_processes(self) -> None:
        with _deaf_to_ctrl_c():
            super().init_processes()
        self._hear_ends()
        if all(one.wait_until_ready(_START_SECONDS, self.should_exit) for one in self.processes):
            self._ready()
        else:
            self.has_failed = True
            self.should_exit.set()

    def keep_subprocess_alive(self) -> None:
        was_told = self.should_exit.is_set()
        with _deaf_to_ctrl_c():
            super().keep_subprocess_alive()
        self._hear_ends()
        self.has_failed = self.should_exit.is_set() and not was_told

    def _hear_ends(self) -> None:
        """Leave the workers' ends of pipes to them: a death in mid-answer is heard at once."""
        for process in self.processes:
            process.child_conn.close()


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that are started here ignore Ctrl-C: their parent hears it, and ends them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _pause_seldom() -> None:
    """Collect all garbage less often: with a thousand connections, all wait a sixth of a second."""
    gc.collect()
    gc.freeze()  # what is there at the start stays, and need not be looked at again
    new, young, _ = gc.get_threshold()
    gc.set_threshold(new, young, _QUICK_COLLECTIONS)
    Thread(target=_tidy_up, name="numduel-tidy", daemon=True).start()


def _tidy_up() -> None:
    """Give memory back, for ever. After a rush nothing would: a quiet server makes too few objects
    for a full collection, and the C library keeps what was freed between two things still in use.
    """
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)  # only glibc has it
    pause, much = _TIDY_EVERY, False
    while True:
        time.sleep(pause)
        before, much = much, any(gc.get_count()[1:])  # otherwise little has happened since
        if much or before:  # a rush may have gone on while the last one was tidied up
            begun = time.thread_time()
            gc.collect()
            give_back(0)
            pause = max(_TIDY_EVERY, (time.thread_time() - begun) / _TIDY_SHARE)


def _allow_files(count: int) -> None:
    """Allow this process as many open files as it may need, as far as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
