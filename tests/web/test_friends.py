"""Friends without scripts: names, invitations, links that can be sent, and full rooms."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from web.playing import opened, refused, told
from web.server import Server
from web.visitor import Visitor

BOARD = "divisor-duel:60"


@pytest.fixture
def visitors(server: Server) -> Iterator[tuple[Visitor, Visitor, Visitor]]:
    """A host, a friend, and somebody else."""
    with (
        Visitor(server.address) as host,
        Visitor(server.address) as friend,
        Visitor(server.address) as other,
    ):
        yield host, friend, other


Three = tuple[Visitor, Visitor, Visitor]


def names(visitor: Visitor) -> list[str]:
    return [seat.one("strong").words for seat in visitor.by_id("players").all("li")]


@pytest.mark.parametrize("form", ["setup", "start"])
def test_who_plays_a_friend_may_say_a_name(visitors: Three, form: str) -> None:
    host, friend, _ = visitors
    host.get(f"/?board={BOARD}&opponent=friend")
    host.press(form, "friend" if form == "setup" else "", name=" Anna <b>")
    assert names(host)[0] == "Anna b"
    friend.get(host.at)
    friend.press("sit", name="Ben")
    assert names(friend) == ["Anna b", "Ben"]
    host.get(host.at)
    assert "Ben" in host.page.words


def test_nobody_takes_the_hosts_name(visitors: Three) -> None:
    host, friend, _ = visitors
    host.post("/rooms", board=BOARD, opponent="friend", name="Anna")
    friend.get(host.at)
    friend.press("sit", name="ANNA")
    assert names(friend)[0] == "Anna"
    assert len(names(friend)[1].split()) == 2, "a name by chance"


def test_without_a_name_both_are_named_by_chance(visitors: Three) -> None:
    host, friend, _ = visitors
    host.get("/?opponent=friend")
    host.press("start")
    friend.get(host.at)
    friend.press("sit")
    assert [len(name.split()) for name in names(friend)] == [2, 2]


def test_programs_say_their_names(client: httpx.Client) -> None:
    first = opened(client, BOARD, name="Deep Thought")
    sat = told(client.post(f"api/rooms/{first.code}/seat", json={"name": "Marvin"}))
    assert [seat["name"] for seat in sat["room"]["seats"]] == ["Deep Thought", "Marvin"]
    other = opened(client, BOARD)
    refused(client.post(f"api/rooms/{other.code}/seat", json={"nme": "x"}), 422, "InvalidRequest")
    long = {"name": "x" * 101}
    refused(client.post(f"api/rooms/{other.code}/seat", json=long), 422, "InvalidRequest")
