"""The least that a durable web endpoint can be: FastAPI, one insert, one commit.

It stands for what anybody would write by hand. Both ways of writing it are here: in
the event loop, and in the thread pool that FastAPI uses for plain functions.
"""

import os
import sqlite3

from fastapi import FastAPI
from pydantic import BaseModel

app = FastAPI(docs_url=None, redoc_url=None)
_place = os.environ["NUMDUEL_BENCH_DATABASE"]


class Move(BaseModel):
    """A move as it is sent to us too."""

    ply: int
    move: str


if _place.startswith("postgresql"):
    import psycopg

    _connection = psycopg.connect(_place, autocommit=True)
    _INSERT = "INSERT INTO bare (room, ply, move) VALUES (%s, %s, %s)"
    _connection.execute("CREATE TABLE IF NOT EXISTS bare (room TEXT, ply INTEGER, move TEXT)")
else:
    _connection = sqlite3.connect(_place, isolation_level=None, check_same_thread=False)
    _INSERT = "INSERT INTO bare (room, ply, move) VALUES (?, ?, ?)"
    _connection.execute("PRAGMA journal_mode = WAL")
    _connection.execute("PRAGMA synchronous = FULL")
    _connection.execute("CREATE TABLE IF NOT EXISTS bare (room TEXT, ply INTEGER, move TEXT)")


@app.post("/loop/{room}")
async def in_the_loop(room: str, move: Move) -> dict[str, int]:
    """One durable insert, in the event loop."""
    _connection.execute(_INSERT, (room, move.ply, move.move))
    return {"ply": move.ply + 1}


@app.post("/threads/{room}")
def in_threads(room: str, move: Move) -> dict[str, int]:
    """One durable insert, in the thread pool."""
    _connection.execute(_INSERT, (room, move.ply, move.move))
    return {"ply": move.ply + 1}
