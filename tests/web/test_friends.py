"""Friends without scripts: names, invitations, links that can be sent, and full rooms."""

from __future__ import annotations

import re

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from numduel import Board
from numduel.web.links import base_of, only_here
from numduel.web.settings import Settings
from numduel.wording.rule_in_short import rule_in_short
from terminal import piped
from web.playing import opened, refused, told
from web.server import Server
from web.visitor import Visitor

BOARD = "divisor-duel:60"


Three = tuple[Visitor, Visitor, Visitor]


def names(visitor: Visitor) -> list[str]:
    return [seat.one("strong").words for seat in visitor.by_id("players").all("li")]


def test_who_plays_a_friend_may_say_a_name(visitors: Three) -> None:
    host, friend, _ = visitors
    for form in ("setup", "start"):
        host.get(f"/?board={BOARD}" + ("&opponent=friend" if form == "start" else ""))
        host.press(form, "friend" if form == "setup" else "", name=" Anna <b>")
        assert names(host)[0] == "Anna b"
    friend.get(host.at)
    friend.press("sit", name="Ben")
    assert names(friend) == ["Anna b", "Ben"]
    host.get(host.at)
    assert "Ben" in host.page.words


def test_without_a_name_or_with_the_hosts_one_is_named_by_chance(visitors: Three) -> None:
    host, friend, _ = visitors
    host.post("/rooms", board=BOARD, opponent="friend", name="Anna")
    friend.get(host.at)
    friend.press("sit", name="ANNA")
    assert names(friend)[0] == "Anna"
    assert len(names(friend)[1].split()) == 2
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


@pytest.mark.parametrize(("first", "begins"), [("1", "Anna begins."), ("2", "You begin.")])
def test_an_invitation_says_who_invites_and_to_what(
    visitors: Three, first: str, begins: str
) -> None:
    host, friend, _ = visitors
    host.post("/rooms", board=BOARD, opponent="friend", name="Anna", first=first)
    friend.get(host.at)
    assert friend.words("turn") == "Anna invites you"
    assert friend.words("said") == f"Divisor Duel from 60. {begins}"
    whole = friend.words("table")
    [rule] = rule_in_short(Board.parse(BOARD))
    assert whole.index("Anna invites you") < whole.index(rule) < whole.index("Join")
    assert not friend.has("link"), "the link is for who sends it"
    friend.press("sit")
    assert friend.words("turn") == ("Anna's turn" if first == "1" else "Your turn")
    several = "subtract-a-prime:20+divisor-duel:60"
    host.post("/rooms", board=several, opponent="friend", name="Anna", first=first)
    friend.get(host.at)
    assert friend.words("said") == f"2 numbers, each under its game. {begins}"
    assert all(line in friend.words("rule") for line in rule_in_short(Board.parse(several)))


def test_a_room_without_anybody(client: httpx.Client, visitors: Three) -> None:
    for first, begins in ((1, "You begin."), (2, "Your friend begins.")):
        at = f"/room/{opened(client, BOARD, seat=0, first=first).code}"
        visitors[1].get(at)
        assert visitors[1].words("turn") == "Two seats are free"
        assert begins in visitors[1].words("said")
        for one in visitors[1:]:
            one.get(at)
            one.press("sit")
        visitors[1].get(at)
        assert ("Your turn" in visitors[1].words("turn")) == (first == 1)


def test_whoever_comes_too_late_is_offered_a_game_of_their_own(visitors: Three) -> None:
    host, friend, other = visitors
    host.post("/rooms", board=BOARD, opponent="friend")
    other.get(host.at)
    friend.get(host.at)
    friend.press("sit")
    other.press("sit")
    assert other.status == 409
    offer = other.by_id("full").one("a").attributes["href"]
    other.get(offer)
    assert "60" in other.words("board")
    assert "Divisor Duel" in other.words("board")
    other.press("moves", other.moves()[0])
    assert other.at != host.at
    for player in (host, friend):
        player.get(host.at)
        assert not player.has("full")


LAN = ("http://192.168.1.7:8000/",)


@pytest.mark.parametrize(
    ("host", "shared", "base", "warned"),
    [
        ("127.0.0.1:8000", (), "http://127.0.0.1:8000/", True),
        ("duel.localhost", (), "http://duel.localhost/", True),
        ("[::1]:8000", (), "http://[::1]:8000/", True),
        ("duel.example.org", (), "http://duel.example.org/", False),
        ("192.168.1.7:8000", LAN, LAN[0], False),
        ("localhost:8000", LAN, LAN[0], False),
        ("duel.example.org", LAN, "http://duel.example.org/", False),
    ],
)
def test_a_link_leads_others_here_or_says_that_it_cannot(
    host: str, shared: tuple[str, ...], base: str, warned: bool
) -> None:
    app = Starlette()
    app.state.settings = Settings("unused", addresses=shared)
    place, _, port = host.rpartition(":") if host[-1].isdigit() else (host, "", "80")
    scope = {
        "type": "http", "app": app, "scheme": "http", "path": "/", "query_string": b"",
        "server": (place.strip("[]"), int(port)), "headers": [(b"host", host.encode())],
    }  # fmt: skip
    assert base_of(Request(scope)) == base
    assert only_here(Request(scope)) is warned


def test_the_warning_shows_the_way_out(visitors: Three, server: Server) -> None:
    host = visitors[0]
    host.post("/rooms", board=BOARD, opponent="friend")
    assert host.value("link") == f"{server.address}{host.at.lstrip('/')}"
    [command] = [one.words for one in host.by_id("only-here").all("code")]
    shown, _, code = piped([*command.split()[1:], "--help"])
    assert code == 0, "the command is one that can be typed"
    assert re.search(rf"{re.escape(command)} +for all on your network", shown)
