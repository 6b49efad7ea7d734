"""The match at the end of a tutorial leads back to it, without scripts."""

from __future__ import annotations

import pytest

from numduel.games import keys, load
from numduel.study.lessons import Asks, lesson_of
from web.visitor import Visitor

BACK = "Back to the tutorial"


def ways_back(me: Visitor) -> list[str]:
    return [one.attributes["href"] for one in me.page.all("a") if one.words == BACK]


@pytest.mark.parametrize("key", keys())
def test_a_tutorials_match_leads_back_to_the_tutorial(me: Visitor, key: str) -> None:
    steps = lesson_of(load(key))
    matches = [number for number, step in enumerate(steps, 1) if step.asks is Asks.MATCH]
    assert matches
    for number in matches:
        address = f"/learn/{key}?step={number}"
        me.get(address)
        [form] = [one for one in me.page.all("form") if one.attributes["action"] == "/rooms"]
        me.post("/rooms", **{one.attributes["name"]: one.attributes["value"]
                             for one in form.all("input")})  # fmt: skip
        assert me.at.startswith("/room/")
        assert ways_back(me) == [address], "while it is played"
        me.press("resign-form")
        assert me.words("turn") == "You lost"
        assert ways_back(me) == [address], "and after it"
        me.get(address)
        assert steps[number - 1].title in me.page.one("main").words


def test_no_other_match_does(me: Visitor) -> None:
    board = lesson_of(load("divisor-duel"))[-1].position
    me.post("/rooms", board=board, opponent="perfect")
    assert ways_back(me) == [], "the tutorial's own board, but not from there"
    me.post("/rooms", board=board, opponent="beginner")
    assert ways_back(me) == []
    me.post("/rooms", board="divisor-duel:59", opponent="perfect")
    assert ways_back(me) == []
    me.post("/rooms", board=f"{board}+power-play:30", opponent="perfect")
    assert ways_back(me) == []
