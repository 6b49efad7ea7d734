"""Friends without scripts: names, invitations, full rooms; links that are sent, and previews."""

import re
import struct

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from numduel import Board
from numduel.web.settings import Settings
from numduel.web.state import base_of, only_here
from numduel.wording.rules import rule_in_short
from terminal import piped
from web.markup import check
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
    host.get("/?opponent=friend")
    host.press("start")
    friend.get(host.at)
    friend.press("sit")
    assert [len(name.split()) for name in names(friend)] == [2, 2], "or is named by chance"


def test_a_visitor_sits_down_by_a_button_and_never_by_looking(visitors: Three) -> None:
    host, friend, watcher = visitors
    host.post("/rooms", opponent="friend", board=BOARD)
    assert host.words("turn") == "Waiting for your friend"
    assert not host.has("moves")
    before = host.by_id("table").attributes["data-version"]
    for _ in range(2):
        friend.get(host.at)
        assert friend.by_id("table").attributes["data-version"] == before
    assert not friend.cookies
    friend.press("sit")
    assert friend.at == host.at
    assert "you" in friend.words("seat-2")
    watcher.get(host.at)
    assert not watcher.page.one("main").all("form"), "a watcher has nothing to press"


def test_the_qr_code_holds_the_rooms_address(me: Visitor, web: httpx.Client) -> None:
    me.post("/rooms", opponent="friend", board="subtract-a-prime:20")
    at = me.by_id("waiting").one("img").attributes["src"]
    picture = me.raw(at)
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert me.value("link") in picture.text
    assert me.raw(f"/qr.svg?to={'x' * 2001}").status_code == 422, "no code is so large"
    for length, status in ((253, 200), (254, 400)):
        long = web.get(at, headers={"Host": "x" * length})
        assert long.status_code == status, "no name is longer"


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
    assert friend.words("said") == f"2 numbers, each with its game. {begins}"
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
    assert "Both seats are taken. You can watch." in other.words("wrong")
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
    shown, _, code = piped(["serve", *command.split(), "--help"])
    assert code == 0, "the command is one that can be typed"
    assert re.search(rf"{re.escape(command)} +for all on your network", shown)


HOST = "duel.example.org"
RULE = rule_in_short(Board.parse("divisor-duel:60"))[0]


def preview(web: httpx.Client, path: str, **headers: str) -> dict[str, str]:
    answer = web.get(path, headers={"Host": HOST, **headers})
    assert answer.status_code == 200, path
    tags = [one.attributes for one in check(answer.text).one("head").all("meta")]
    named = [
        (tag.get("property") or tag.get("name"), tag["content"]) for tag in tags if len(tag) > 1
    ]
    found = dict(named)
    assert len(found) == len(named), "each tag is there once"
    return {str(name): content for name, content in found.items()}


def test_every_page_has_a_preview(web: httpx.Client) -> None:
    for path, title, about in (
        ("?board=divisor-duel:60", "Divisor Duel from 60", RULE),
        ("puzzle", "Puzzle 1 of your series", "Which?"),
        ("daily", "Daily duel", "You can win."),
        ("replay?match=divisor-duel:60/15.15.2", "Divisor Duel", "turn by turn"),
        ("learn", "Learn", "rule for making it smaller"),
    ):
        tags = preview(web, path)
        assert title in tags["og:title"]
        assert about in tags["og:description"]
        assert tags["description"] == tags["og:description"]
    # Behind a proxy, the picture is fetched by https.
    for scheme in ("http", "https"):
        tags = preview(web, "", **{"X-Forwarded-Proto": scheme, "X-Forwarded-For": "192.0.2.7"})
        assert tags["og:image"].startswith(f"{scheme}://{HOST}/static/preview.png")
        assert "<" not in "".join(tags.values())
    picture = web.get(tags["og:image"].removeprefix(f"https://{HOST}/"))
    assert picture.headers["content-type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    size = struct.unpack(">II", picture.content[16:24])
    assert size == (int(tags["og:image:width"]), int(tags["og:image:height"])) == (1200, 630)
    assert len(picture.content) < 40_000


def test_an_invitation_is_one_where_it_is_sent(web: httpx.Client, client: httpx.Client) -> None:
    code = opened(client, "divisor-duel:60", name="Anna").code
    tags = preview(web, f"room/{code}")
    assert tags["og:title"] == "Anna invites you to a number duel"
    assert tags["og:description"] == f"Divisor Duel from 60. {RULE}"
    empty = opened(client, "divisor-duel:60", seat=0).code
    assert preview(web, f"room/{empty}")["og:title"] == "A number duel"
    for wrong in ({"nme": "x"}, {"name": "x" * 101}):
        refused(client.post(f"api/rooms/{code}/seat", json=wrong), 422, "InvalidRequest")
    client.post(f"api/rooms/{code}/seat", json={"name": "Ben"})
    assert preview(web, f"room/{code}")["og:title"] == "A number duel: Anna and Ben"
    replay = told(client.get(f"api/rooms/{code}"))["replay"]
    assert "Anna" in preview(web, f"replay/{replay}")["og:title"]
