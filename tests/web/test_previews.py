"""What a link shows where it was sent: a title, a sentence, and a picture that can be fetched."""

from __future__ import annotations

import struct

import httpx
import pytest

from numduel import Board
from numduel.wording.rule_in_short import rule_in_short
from web.markup import check
from web.playing import opened, told

HOST = "duel.example.org"


def rule(board: str) -> str:
    """The rule of a board of one number."""
    [said] = rule_in_short(Board.parse(board))
    return said


def preview(web: httpx.Client, path: str, **headers: str) -> dict[str, str]:
    """The tags that a preview is made of, as who came by this host reads them."""
    answer = web.get(path, headers={"Host": HOST, **headers})
    assert answer.status_code == 200, path
    tags = [one.attributes for one in check(answer.text).one("head").all("meta")]
    named = [
        (tag.get("property") or tag.get("name"), tag["content"]) for tag in tags if len(tag) > 1
    ]
    found = dict(named)
    assert len(found) == len(named), "each tag is there once"
    return {str(name): content for name, content in found.items()}


@pytest.mark.parametrize(
    ("path", "title", "about"),
    [
        ("", "Digit Subtraction Duel from 25", rule("digit-subtraction-duel:25")),
        ("?board=divisor-duel:60", "Divisor Duel from 60", rule("divisor-duel:60")),
        ("puzzle", "Puzzle of the day", "Which?"),
        ("replay?match=divisor-duel:60/15.15.2", "Divisor Duel", "turn by turn"),
        ("learn", "Learn", "rule for making it smaller"),
    ],
)  # fmt: skip
def test_every_page_has_a_preview(web: httpx.Client, path: str, title: str, about: str) -> None:
    tags = preview(web, path)
    assert title in tags["og:title"]
    assert about in tags["og:description"]
    assert tags["description"] == tags["og:description"]
    assert tags["og:image"].startswith(f"http://{HOST}/static/preview.png")


def test_an_invitation_is_one_where_it_is_sent(web: httpx.Client, client: httpx.Client) -> None:
    code = opened(client, "divisor-duel:60", name="Anna").code
    tags = preview(web, f"room/{code}")
    assert tags["og:title"] == "Anna invites you to a number duel"
    assert tags["og:description"] == f"Divisor Duel from 60. {rule('divisor-duel:60')}"
    empty = opened(client, "divisor-duel:60", seat=0).code
    assert preview(web, f"room/{empty}")["og:title"] == "A number duel"
    client.post(f"api/rooms/{code}/seat", json={"name": "Ben"})
    assert preview(web, f"room/{code}")["og:title"] == "A number duel: Anna and Ben"
    replay = told(client.get(f"api/rooms/{code}"))["replay"]
    assert "Anna" in preview(web, f"replay/{replay}")["og:title"]


def test_behind_a_proxy_the_picture_is_fetched_by_https(web: httpx.Client) -> None:
    tags = preview(web, "", **{"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"})
    assert tags["og:image"].startswith(f"https://{HOST}/static/preview.png")
    assert "<" not in "".join(tags.values())


def test_the_picture_is_as_large_as_it_says(web: httpx.Client) -> None:
    tags = preview(web, "")
    picture = web.get(tags["og:image"].removeprefix(f"http://{HOST}/"))
    assert picture.headers["content-type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    size = struct.unpack(">II", picture.content[16:24])
    assert size == (int(tags["og:image:width"]), int(tags["og:image:height"])) == (1200, 630)
    assert len(picture.content) < 40_000
