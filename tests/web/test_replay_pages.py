"""Replays and analyses, compared with the referee, from a real server."""

import tracemalloc
from collections.abc import Sequence
from copy import deepcopy
from types import SimpleNamespace
from typing import NoReturn
from urllib.parse import quote

import httpx
import pytest
from fastapi import Request

from loops import on_loop
from numduel import Board
from numduel.analysis import analyse
from numduel.errors import TookTooLong
from numduel.match import Record, Referee, Setup, read_notation
from numduel.web.pages.study import replay
from numduel.wording.analysis import judgement
from web.markup import Element, check, get
from web.playing import duel, play_all, told
from web.server import Server
from web.visitor import Visitor

WORD = "divisor-duel:60/15.15.2.14.7"


def shared(page: Element, name: str) -> str:
    fields = page.all("input")
    return next(one.attributes["value"] for one in fields if one.attributes.get("id") == name)


def check_replay(
    web: httpx.Client, address: str, record: Record, names: Sequence[str] = ()
) -> None:
    boards = [record.setup.board, *(turn.board for turn in record.replay().turns)]
    for turn, board in enumerate(boards):
        page = get(web, f"{address}turn={turn}")
        figures = [number.words for number in page.one("ul", "board").all("span", "number")]
        assert figures == [str(number.value) for number in board.numbers]
        ways = [link.attributes.get("data-go") for link in page.all("a")]
        back, on = ["first", "previous"], ["next", "last"]
        assert [way for way in ways if way] == back * (turn > 0) + on * (turn < len(boards) - 1)
    if record.winner is not None:
        assert f"{(names or record.setup.names)[record.winner]} wins." in page.words


@pytest.mark.parametrize(
    "word",
    [
        WORD,
        "power-play:30/pass.2/first=2,penalty=3",
        "prime-subtractor:23/13/overshoot=loses,overshot=13",
        "subtract-a-prime:20+divisor-duel:60~misere/2:15.1:2/resigned=2",
        "divisor-duel:60/",
    ],
)
def test_a_replay_shows_every_position(web: httpx.Client, word: str) -> None:
    check_replay(web, f"/replay?match={quote(word)}&", read_notation(word))
    page = get(web, f"/analysis?match={quote(word)}")
    assert shared(page, "notation") == word
    for picture in page.one("main").all("img"):
        assert web.get(picture.attributes["src"]).text.startswith("<svg")


def test_each_move_of_a_mixed_board_has_its_own_sign(web: httpx.Client) -> None:
    word = quote("power-play:30+divisor-duel:60+power-play:4/1:5.2:5.3:2")
    shown = ["1: ÷5 →leaves 6", "2: −5 →leaves 55", "3: ÷2 →leaves 2"]
    turns = get(web, f"/replay?match={word}").one("ol", "turns").all("li")[1:]
    assert [turn.one("a").words.partition(": ")[2] for turn in turns] == shown
    rows = get(web, f"/analysis?match={word}").one("tbody").all("tr")
    assert [row.all("td")[1].words for row in rows] == shown


def test_a_replay_has_a_verdict_beside_each_turn(web: httpx.Client) -> None:
    for word in ("power-play:30/pass.2/first=2,penalty=3",
                 "subtract-a-prime:20+divisor-duel:60/2:15.1:2"):  # fmt: skip
        judged = analyse(read_notation(word)).moves
        for turn in (0, len(judged)):
            page = get(web, f"/replay?match={quote(word)}&turn={turn}")
            shown = [one.all("span", "judged") for one in page.one("ol", "turns").all("li")[1:]]
            assert [one.words for [one] in shown] == [judgement(one).capitalize() for one in judged]
            assert ["mistake" in one.classes for [one] in shown] == [one.mistake for one in judged]


class Hopeless:
    """Thinkers for whom everything takes too long."""

    asked = 0

    async def ask(self, *_: object, **__: object) -> NoReturn:
        self.asked += 1
        raise TookTooLong(question="analysis", seconds=5)


@on_loop
async def test_matches_that_nobody_can_judge_take_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay, "_known", deepcopy(replay._known))  # this fills it
    thinkers = Hopeless()
    lobby = SimpleNamespace(thinkers=thinkers)
    request = Request({"type": "http", "app": SimpleNamespace(state=SimpleNamespace(lobby=lobby))})
    tracemalloc.start()
    for number in range(1_400):
        for _ in range(2):
            assert await replay._judged(request, f"{number}+{'x' * 15_000}/") == {}
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert thinkers.asked == 1_400, "nobody is asked again"
    assert used < 1.2 * (16 << 20)


def test_a_pasted_record_is_replayed(web: httpx.Client) -> None:
    referee = Referee(Setup(Board.parse("divisor-duel:60"), ("Ann", "<b>Bo")))
    referee.begin()
    for move in ("15", "15", "2"):
        referee.enter(move)
    text = str(Record.of(referee)).replace("\n", "\r\n")
    answer = web.post("/replay", data={"match": text})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/replay?match=divisor-duel:60/15.15.2"
    answer = web.post("/replay", data={"match": text.replace("-> 45", "-> 44")})
    assert answer.status_code == 422
    assert "Line 10" in check(answer.text).text


def test_the_analysis_names_the_turning_point(web: httpx.Client) -> None:
    page = get(web, f"/analysis?match={WORD}")
    assert [row.all("td")[2].words for row in page.all("tr", "mistake")] == [
        "! mistake: 3 would have won", "! mistake: 7 would have won"
    ]  # fmt: skip
    again = page.one("main").one("form")
    sent = {field.attributes["name"]: field.attributes["value"] for field in again.all("input")}
    assert sent == {"board": "divisor-duel:30", "opponent": "perfect", "first": "1"}


def test_a_match_of_the_server_has_a_short_address(
    web: httpx.Client, client: httpx.Client, server: Server
) -> None:
    room = play_all(duel(client), "15", "15", "2", "14", "7")
    code, names = room["replay"], [seat["name"] for seat in room["seats"]]
    record = read_notation(room["match"])
    check_replay(web, f"/replay/{code}?", record, names)
    page = get(web, f"/analysis/{code}")
    assert all(name in page.words for name in names)
    picture = web.get(page.one("main").all("img")[0].attributes["src"])
    assert names[0] in picture.text
    assert shared(page, "address") == f"{server.address}replay/{code}"
    for missing in ("/replay/zzzzzzzz", "/analysis/zzzzzzzz", "/path.svg?code=<b>"):
        assert "There is no match at this address." in get(web, missing, 404).text


@pytest.mark.parametrize(("name", "called"), [("Anna", "Anna"), ("", "A player")])
def test_you_are_you_and_others_see_your_name(
    me: Visitor, web: httpx.Client, name: str, called: str
) -> None:
    me.post("/rooms", board="subtract-a-prime:20", opponent="perfect", name=name, move="19")
    address, room = me.value("replay-link").partition("/replay/")[2], me.at
    for path in (f"/replay/{address}?turn=1", f"/analysis/{address}"):
        mine, theirs = me.get(path).words, get(web, path).words
        assert "You won against Perfect in 1 turn." in mine
        assert f"{called} won against Perfect in 1 turn." in theirs
        assert called not in mine
        assert me.by_id("back").attributes["href"] == room
        assert room not in web.get(path).text, "others have only the replay"
        assert "You" not in theirs.replace("Your own", "")
    assert "accuracy 100%: kept the win in 1 of 1 turn that could have lost it" in mine
    assert "You move next." in me.get(f"/replay/{address}?turn=0").words
    assert "You played 19 and left 1." in me.get(f"/replay/{address}?turn=1").words
    # Whoever tries again meets the same opponent.
    form = me.get(f"/replay/{address}").one("main").one("form")
    sent = {field.attributes["name"]: field.attributes["value"] for field in form.all("input")}
    assert sent == {"board": "subtract-a-prime:20", "opponent": "perfect", "first": "1"}


def test_a_long_match_is_shown_in_parts(client: httpx.Client, web: httpx.Client) -> None:
    """The last 50 turns in its room, and in its replay those around a turn; links lead to all."""
    players = duel(client, "digit-subtraction-duel:99999")
    played: list[str] = []
    room = players[0].room()
    for _ in range(120):
        played.append(max(room["board"].partition(":")[2]))
        room = told(players[room["ply"] % 2].play(played[-1], room["version"]))
    assert (room["ply"], room["turns"], room["match"]) == (120, played[-50:], None)
    assert players[0].all_turns() == played
    page = get(web, f"/room/{room['code']}")
    history = page.one("ol", "history")
    assert (len(history.all("li")), history.attributes["start"]) == (50, "71")
    link = next(one for one in page.all("a") if one.words == "Earlier turns")
    numbers: set[int] = set()
    turn = 70
    assert link.attributes["href"] == f"/replay/{room['replay']}?turn={turn}"
    for way in ("Earlier turns", "Later turns"):
        address: str | None = link.attributes["href"]
        while address is not None:
            page = get(web, address)
            shown = page.one("ol", "turns").all("a")
            listed = [int(one.words.partition(".")[0]) for one in shown if one.words[:1].isdigit()]
            assert len(listed) == 50
            numbers.update(listed)
            links = [one.attributes["href"] for one in shown if one.words == way]
            address = links[0] if links else None
    assert numbers == set(range(1, 121))


def test_a_long_analysis_is_shown_in_parts(web: httpx.Client) -> None:
    """Each turn links to the match, so that a page of all turns would grow with their square."""
    word = f"digit-subtraction-duel:999999/{'.'.join(['9'] * 1_000)}"
    first = get(web, f"/analysis?match={word}")
    later = get(web, f"/analysis?match={word}&turn=51")
    for page, begins in ((first, 1), (later, 51)):
        rows = page.one("tbody").all("tr")
        assert [row.one("th").words for row in rows] == [str(begins + at) for at in range(50)]
        assert len(page.text) < 250_000
    (link,) = [one for one in first.all("a") if one.words == "Later turns"]
    assert link.attributes["href"] == f"/analysis?match={word}&turn=51"
    assert [one.words for one in later.all("a") if one.words.endswith(" turns")] == [
        "Earlier turns", "Later turns"
    ]  # fmt: skip
