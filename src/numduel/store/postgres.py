"""PostgreSQL, with a limit on every wait: a lock or a server that hangs is an error in seconds."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url

SECONDS = 5
"""How long one statement may take, or a connection."""

_LOCK_SECONDS = 4
"""How long a statement waits for somebody else's change."""

_SET_UP = "; ".join(
    (
        "SET synchronous_commit TO on",
        f"SET statement_timeout TO '{SECONDS}s'",
        f"SET lock_timeout TO '{_LOCK_SECONDS}s'",
        # A process that stops in the middle does not keep a room locked for all others.
        f"SET idle_in_transaction_session_timeout TO '{2 * SECONDS}s'",
    )
)


def postgres_engine(place: str) -> Engine:
    """Connects to the database. Raises `ModuleNotFoundError` where psycopg is missing."""
    url = make_url(place).set(drivername="postgresql+psycopg")
    engine = create_engine(url, connect_args={"connect_timeout": SECONDS}, pool_pre_ping=True)
    from psycopg import Connection as Driver
    from psycopg import OperationalError

    class Bounded(Driver[Any]):
        """Gives up, and hangs up, when the server says nothing: it cannot count its own time."""

        patience: float | None = SECONDS + 1

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            if timeout is not None:
                return super().wait(gen, interval, timeout)
            try:
                return super().wait(gen, interval, self.patience)
            except OperationalError as error:
                if error.sqlstate is None:  # not the server's word: there was none
                    self.pgconn.finish()
                raise

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, given: Any, named: Any) -> Any:
        return Bounded.connect(*given, **named)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_SET_UP)
        connection.commit()

    return engine


def lift_limits(connection: Connection) -> None:
    """Let this transaction take as long as it needs; its connection is not to be used again."""
    driver: Any = connection.connection.driver_connection
    if hasattr(driver, "patience"):
        driver.patience = None
        connection.exec_driver_sql("SET LOCAL statement_timeout TO 0")
        connection.exec_driver_sql("SET LOCAL lock_timeout TO 0")
