"""What is said at the end of a room's match, to each player, compared with what happened."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from numduel.rooms import Action, Play, Resign, Room
from numduel.thinking.thinkers import Thinkers
from numduel.web.pages.room_view import RoomView, table_of
from rooms.lobbies import Thinking
from rooms.opened import ANN, BEN, NOW, after, friends, played

SECONDS = 60


def seen_by_all(room: Room) -> list[RoomView]:
    """The room as Ann, Ben and somebody who watches see it."""

    async def look() -> list[RoomView]:
        thinking = cast("Thinkers", Thinking())
        return [await table_of(room, token, thinking) for token in (ANN, BEN, None)]

    return asyncio.run(look())


def told(room: Room) -> list[str]:
    """What each of them reads about where the match was decided."""
    tables = seen_by_all(room)
    assert all(table.end is not None for table in tables)
    return [table.end.turning for table in tables if table.end is not None]


@pytest.mark.parametrize(
    ("action", "seconds", "you", "she"),
    [
        (Play("3"), SECONDS, "You were winning when your time ran out.",
         "Ann was winning when their time ran out."),
        (Resign(), 1, "You were winning when you resigned.",
         "Ann was winning when they resigned."),
    ],
)  # fmt: skip
def test_a_win_that_was_given_up_is_not_said_to_be_kept(
    action: Action, seconds: int, you: str, she: str
) -> None:
    """Ann wins Divisor Duel from 60 by leaving 45; then a move comes too late, or she resigns."""
    room = played(friends(seconds=SECONDS), "15", "15")
    over = after(room, 0, action, NOW + seconds)
    assert told(over) == [you, she, she]


def test_a_win_given_up_after_a_mistake_is_told_with_it() -> None:
    over = after(played(friends(), "2"), 1, Resign())
    turned = "Turn 1 was the turning point: {} played 2, but 3 would have kept the win."
    assert told(over) == [
        f"{turned.format('you')} Ben was winning when they resigned.",
        f"{turned.format('Ann')} You were winning when you resigned.",
        f"{turned.format('Ann')} Ben was winning when they resigned.",
    ]


def test_who_was_losing_gives_no_win_up() -> None:
    over = after(played(friends(), "15"), 1, Resign())
    assert told(over) == [
        "No win was thrown away: you were winning from the first turn on.",
        "No win was thrown away: Ann was winning from the first turn on.",
        "No win was thrown away: Ann was winning from the first turn on.",
    ]
