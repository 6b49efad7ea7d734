"""A sheet of puzzles: from its address to the printer."""

from __future__ import annotations

import re

import httpx
import pytest

from numduel.running.puzzle_sheet import make_sheet
from numduel.study.puzzles import KINDS, RATINGS
from web.browser import Browsers
from web.markup import read
from web.server import Server

_PAGE = re.compile(rb"/Type\s*/Page\b")


@pytest.mark.parametrize(
    ("kind", "seeds"),
    [(None, "a"), *(pytest.param(kind, "abc", marks=pytest.mark.soak) for kind in [None, *KINDS])],
)
def test_twelve_puzzles_are_printed_on_one_page_and_their_answers_on_another(
    server: Server, browsers: Browsers, kind: str | None, seeds: str
) -> None:
    anna = browsers.visitor(server)
    for seed in seeds:
        anna.page.set_content(make_sheet(seed, kind, None, 12, "numduel puzzle --sheet x.html"))
        for paper in ("A4", "Letter"):
            printed = anna.page.pdf(format=paper)
            assert len(_PAGE.findall(printed)) == 2, (seed, paper)


def test_the_sheet_of_an_address(web: httpx.Client) -> None:
    [form] = [
        one
        for one in read(web.get("/puzzle").text).all("form")
        if one.attributes["action"] == "/puzzle/sheet"
    ]
    assert [one.attributes["name"] for one in form.all("select")] == ["kind", "rating"]
    answer = web.get("/puzzle/sheet?kind=power-play&rating=600&count=5&seed=a")
    again = str(answer.url)
    assert answer.text == make_sheet("a", "power-play", 600, 5, again)
    (policy,) = answer.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("", "count=12"),
        ("kind=&rating=", "count=12"),
        ("count=99999&rating=tea", "count=48"),
        ("count=-1&rating=9", f"rating={RATINGS[0]}&count=12"),
        ("kind=several&count=3", "kind=several&count=3"),
    ],
)
def test_a_sheet_without_a_seed_is_given_one(web: httpx.Client, asked: str, shown: str) -> None:
    answer = web.get(f"/puzzle/sheet?{asked}")
    assert answer.status_code == 303
    place = answer.headers["location"]
    assert re.fullmatch(f"/puzzle/sheet\\?{shown}&seed=[0-9a-f]{{8}}", place)
    assert web.get(f"/puzzle/sheet?{asked}").headers["location"] != place


def test_a_seed_is_text_and_never_markup(web: httpx.Client) -> None:
    answer = web.get("/puzzle/sheet", params={"seed": "<script>&\"'" + "x" * 60, "count": 1})
    assert "Sheet &lt;script&gt;&amp;" in answer.text
    assert "<script" not in answer.text
    assert "x" * 41 not in answer.text


def test_a_game_that_there_is_not(web: httpx.Client) -> None:
    answer = web.get("/puzzle/sheet?kind=chess&seed=a")
    assert answer.status_code == 422
    assert "script-src 'self'" in answer.headers["content-security-policy"]
