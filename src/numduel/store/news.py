"""News of changed rooms, as PostgreSQL carries them from one process to the others."""

from collections.abc import Callable
from threading import Event, Thread

from numduel.errors import StoreError
from numduel.store.database import CHANNEL, Database

HERE = "numduel_here"  # where servers tell each other who is there
GONE = 0  # the version that is told of a room that is deleted
MORE = -1  # told of a wall where something has changed: its version is a sum, made when asked for
_AGAIN_AFTER = 0.5  # seconds, for a lost connection
_LISTENED = 0.5  # seconds between two looks at whether to stop


def wall_of(code: str) -> str:
    return f"{code}-wall"


class News:
    """Listens in a thread of its own, and hears what is committed from `start` on. `tell` is called
    there with a code and a version; with None after a lost connection, as anything may have changed
    meanwhile. `hear` is called with what servers tell each other of who is there.
    """

    def __init__(
        self,
        database: Database,
        tell: Callable[[str | None, int], None],
        hear: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._database = database
        self._tell, self._hear = tell, hear
        self._ends = Event()
        self._listens = Event()
        self._thread = Thread(target=self._run, name="numduel-news", daemon=True)

    def start(self, seconds: float = 10.0) -> None:
        """Begin, and wait until changes are heard, or else for so long."""
        self._thread.start()
        self._listens.wait(seconds)

    def stop(self) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                self._listen()
            except (StoreError, OSError):
                # The database is away. Whoever asks it for a room meanwhile is told so.
                self._ends.wait(_AGAIN_AFTER)

    def _listen(self) -> None:
        with self._database.own_connection() as connection:
            connection.autocommit = True
            connection.execute(f"LISTEN {CHANNEL}")
            connection.execute(f"LISTEN {HERE}")
            if self._listens.is_set():
                self._tell(None, 0)
            self._listens.set()
            while not self._ends.is_set():
                for news in connection.notifies(timeout=_LISTENED):
                    if news.channel == HERE:
                        self._hear(news.payload)
                        continue
                    code, _, version = news.payload.partition(" ")
                    if version == str(MORE) or version.isdecimal():  # others may use the channel
                        self._tell(code, int(version))
