"""Rooms without scripts, by the forms of a real server: two players, a watcher, computers."""

from __future__ import annotations

import re

import httpx
import pytest

from numduel.analysis import analyse
from numduel.board import Board
from numduel.match import read_notation
from numduel.players import LADDER
from numduel.solver import solve
from numduel.study.maps import make_map
from numduel.wording import problem
from numduel.wording.hints import hint
from numduel.wording.players import computer_name
from numduel.wording.why import why
from web.markup import read
from web.visitor import Visitor


def meet(host: Visitor, friend: Visitor, **terms: str) -> str:
    """Open a room for a friend, who sits down; the room's address."""
    host.post("/rooms", opponent="friend", **{"board": "subtract-a-prime:20", **terms})
    address = host.at
    friend.get(address)
    friend.press("sit")
    host.get(address)
    return address


def version(page: Visitor) -> str:
    return page.by_id("table").attributes["data-version"]


def test_a_match_without_scripts_from_the_first_page_to_the_end(me: Visitor) -> None:
    me.get("/?game=divisor-duel&number=60&opponent=random")
    me.press("moves", me.moves()[0])
    for _ in range(60):
        if me.has("over"):
            break
        board = Board.parse(me.by_id("typed").attributes["data-board"])
        assert me.moves() == [board.write_move(move) for move in board.moves()]
        assert me.words("turn") == "Your turn"
        me.press("moves", me.moves()[0])
    word = me.value("notation")
    referee = read_notation(word).replay()
    assert referee.over is not None
    won = referee.over.winner == 0
    assert me.words("turn") == ("You won" if won else "You lost")
    assert [one.one("strong").words for one in me.by_id("players").all("li")] == [
        "You", "Dice"
    ]  # fmt: skip
    assert me.by_id(f"seat-{referee.over.winner + 1}").one(kind="wins").words.endswith("1")


def test_the_end_shows_the_map_and_where_the_match_was_decided(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    for player, move in ((host, "3"), (friend, "11"), (host, "5")):
        player.get(address)
        player.press("moves", move)
    watcher.get(address)
    for who, heading in ((host, "You won"), (friend, "You lost")):
        who.get(address)
        assert who.words("turn") == heading
    cells = watcher.by_id("map").one("ol").all("li")
    drawn = make_map(Board.parse("subtract-a-prime:20").numbers[0].game, 100)
    assert len(cells) == len(drawn.cells) == 100
    for cell, place in zip(cells, drawn.cells, strict=True):
        assert ("lost" in cell.classes) == place.lost, place
        assert (", a trap" in cell.words) == place.lost, place
        assert ("played" in cell.classes) == (place.number in (20, 17, 6, 1)), place
    reasons = why(solve(Board.parse("subtract-a-prime:9")))
    assert watcher.words("why") == " ".join(["Why is 9 a trap?", *reasons])
    judged = analyse(read_notation(watcher.value("notation")))
    point = judged.turning_point
    assert point is not None
    assert point.best is not None
    assert sum(turn.mistake for turn in judged.moves) > 1
    assert f"Turn {point.turn} was the first turning point: you played 3," in host.words("turning")
    assert f"{point.best.amount} would have kept the win" in host.words("turning")
    assert f"{host.by_id('seat-1').one('strong').words} played 3" in watcher.words("turning")
    again = {one.attributes["name"]: one.attributes["value"]
             for one in host.by_id("again").all("input")}  # fmt: skip
    assert again == {"board": str(point.board), "opponent": "perfect", "first": "1"}
    host.post("/rooms", **again)
    assert host.words("turn") == "Your turn"
    assert "20" in host.words("board")


@pytest.mark.parametrize("rung", range(len(LADDER)))
def test_whoever_beats_a_rung_is_offered_the_next(me: Visitor, rung: int) -> None:
    me.post("/rooms", board="subtract-a-prime:20", opponent=LADDER[rung], move="19")
    assert me.words("turn") == "You won"
    assert me.words("beaten").startswith(f"You beat {computer_name(LADDER[rung])}. ")
    later = LADDER[rung + 1 : rung + 2]
    assert me.has("next") == bool(later)
    for word in later:
        sent = {one.attributes["name"]: one.attributes["value"]
                for one in me.by_id("next").all("input")}  # fmt: skip
        assert sent == {"board": "subtract-a-prime:20", "opponent": word, "first": "1"}
        me.post("/rooms", **sent)
        assert me.words("turn") == "Your turn"
        assert computer_name(word) in me.words("seat-2")


def test_whoever_lost_may_try_again_from_there_against_the_same(me: Visitor) -> None:
    me.post("/rooms", board="digit-subtraction-duel:25", opponent="level:5", move="2")
    while not me.has("over"):
        me.press("moves", me.moves()[0])
    assert me.words("turn") == "You lost"
    assert not me.has("next")
    sent = {one.attributes["name"]: one.attributes["value"]
            for one in me.by_id("again").all("input")}  # fmt: skip
    assert sent["opponent"] == "level:5"
    assert me.words("over").count("you begin") == 1
    me.press("rematch")
    assert me.words("turn") == "Your turn"


def test_a_visitor_sits_down_by_a_button_and_never_by_looking(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    host.post("/rooms", opponent="friend", board="subtract-a-prime:20")
    address, before = host.at, version(host)
    assert host.words("turn") == "Waiting for your friend"
    assert host.value("link").endswith(address)
    assert not host.has("moves")
    friend.get(address)
    friend.get(address)
    assert friend.words("turn").endswith(" invites you")
    assert version(friend) == before
    assert not friend.cookies
    friend.press("sit")
    assert friend.at == address
    assert "you" in friend.words("seat-2")
    watcher.get(address)
    assert not watcher.page.one("main").all("form"), "a watcher has nothing to press"
    watcher.post(f"{address}/sit")
    assert watcher.status == 409
    assert "Both seats are taken. You can watch." in watcher.words("wrong")


def test_the_qr_code_holds_the_rooms_address(me: Visitor) -> None:
    me.post("/rooms", opponent="friend", board="subtract-a-prime:20")
    picture = me.raw(me.by_id("waiting").one("img").attributes["src"])
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert me.value("link") in picture.text
    assert me.raw("/room/aaaaaaaaaa/qr.svg").status_code == 404


def test_a_host_longer_than_any_name_gets_no_qr_code(me: Visitor, web: httpx.Client) -> None:
    me.post("/rooms", opponent="friend", board="subtract-a-prime:20")
    at = me.by_id("waiting").one("img").attributes["src"]
    for length, status in ((253, 200), (254, 400), (5_000, 400)):
        picture = web.get(at, headers={"Host": "x" * length})
        assert picture.status_code == status
        assert picture.headers["content-type"].startswith("image/svg" if status == 200 else "text")


def test_a_takeback_between_friends_needs_a_yes(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    host.press("moves", "3")
    host.press("takeback")
    assert "has to agree" in host.words("asked")
    assert host.words("said").endswith("17 is left. You ask to take back your last move.")
    assert "17" in host.words("board"), "nothing is undone by asking"
    host.post(f"{address}/answer", version=version(host), yes="1")
    assert host.status == 409
    assert "other player" in host.words("wrong")
    watcher.post(f"{address}/answer", version=version(host), yes="1")
    assert watcher.status == 403
    assert "asks to take back their last move" in watcher.words("asked")
    friend.get(address)
    friend.press("asked-answer", "0")
    assert "17" in friend.words("board")
    host.get(address)
    host.press("takeback")
    friend.get(address)
    friend.press("asked-answer", "1")
    assert "20" in friend.words("board")
    host.get(address)
    assert host.words("turn") == "Your turn"
    # The friend has not moved, so there is nothing to take back for them.
    friend.post(f"{address}/takeback", version=version(host))
    assert friend.status == 409


def test_a_rematch_swaps_who_begins_and_takes_watchers_along(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    host.press("moves", "19")
    assert host.words("turn") == "You won"
    host.press("rematch")
    assert "has to accept" in host.words("over")
    friend.get(address)
    assert "offers a rematch" in friend.words("said")
    friend.press("rematch")
    assert friend.words("turn") == "Your turn", "whoever did not begin begins"
    watcher.get(address)
    assert watcher.by_id("table").attributes["data-round"] == "2"
    assert watcher.by_id("seat-1").one(kind="wins").words.endswith("1")
    assert "20" in watcher.words("board")


def test_a_repeat_is_harmless_and_a_stale_move_is_told_so(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, _ = visitors
    address = meet(host, friend)
    before = version(host)
    host.post(f"{address}/play", version=before, move="3")
    seen = version(host)
    host.post(f"{address}/play", version=before, move="3")
    assert host.status == 200
    assert version(host) == seen
    host.post(f"{address}/play", version=before, move="5")
    assert host.status == 409
    assert "The match has moved on" in host.words("move-wrong")
    friend.post(f"{address}/play", version=seen, move="")
    assert friend.status == 422
    host.post(f"{address}/play", version=seen, move="2")
    assert host.status == 409
    assert "other player's turn" in host.words("move-wrong")
    for nothing in ("nonsense", "", "0"):
        host.post(f"{address}/play", version=nothing, move="2")
        assert host.status == 409
    assert version(host) == seen


def test_every_form_of_a_room_says_what_it_answers(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    """Sent twice, as a script does when an answer is lost, each is done once."""
    host, friend, _ = visitors
    address = meet(host, friend)

    def twice(who: Visitor, form: str, **values: str) -> None:
        who.get(address)
        hidden = [i.attributes for i in who.by_id(form).all("input") if i.attributes["type"]]
        sent = {one["name"]: one["value"] for one in hidden if one["type"] == "hidden"}
        path = who.by_id(form).attributes["action"]
        assert sent == {"version": version(who)}
        for _ in range(2):
            who.post(path, **sent, **values)
            assert who.status == 200, (form, who.words("wrong"))
            told.append(version(who))

    told: list[str] = []
    twice(host, "moves", move="3")
    twice(friend, "moves", move="2")
    twice(host, "takeback")
    twice(friend, "asked-answer", yes="1")
    twice(host, "moves", move="3")
    twice(host, "resign-form")
    twice(friend, "rematch")
    twice(host, "rematch")
    assert told[::2] == told[1::2], "the second changed nothing"
    assert len(set(told)) == 8, "the first did"


def test_a_takeback_from_the_computer_sent_twice_takes_one_move_back(me: Visitor) -> None:
    me.post("/rooms", board="digit-subtraction-duel:99", opponent="largest", move="9")
    me.press("moves", "8")
    assert me.by_id("table").attributes["data-ply"] == "4"
    seen, at = version(me), me.at
    for _ in range(2):
        me.post(f"{at}/takeback", version=seen)
        assert me.by_id("table").attributes["data-ply"] == "2"


def test_a_wrong_move_keeps_what_was_typed(me: Visitor) -> None:
    me.post("/rooms", board="subtract-a-prime:100", opponent="perfect", move="2")
    at = me.at
    text = '9<b>"'
    me.press("typed", move=text)
    assert me.status == 422
    assert me.value("move") == text
    assert text not in me.text
    assert me.by_id("move").attributes["aria-invalid"] == "true"
    board = Board.parse(me.by_id("typed").attributes["data-board"])
    with pytest.raises(Exception) as error:  # noqa: PT011  whatever the board says
        board.play(board.parse_move(text))
    assert me.words("move-wrong") == " ".join(problem(error.value).split())  # type: ignore[arg-type]
    # Reloading the answer shows the room.
    me.get(f"{at}/play")
    assert me.at == at
    assert me.value("move") == ""


def test_others_can_do_nothing(visitors: tuple[Visitor, Visitor, Visitor]) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    before = version(host)
    for what in ("play", "resign", "takeback", "answer", "rematch", "delete"):
        watcher.post(f"{address}/{what}", version=before, move="3", yes="1")
        assert watcher.status == 403, what
        assert watcher.has("wrong"), what
    friend.post(f"{address}/delete")
    assert friend.status == 403
    host.get(address)
    assert version(host) == before


def test_resigning_and_deleting_are_confirmed(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    for name in ("resign", "delete"):
        assert host.by_id(name).tag == "details"
        assert host.by_id(name).all("form")
    assert not friend.has("delete")
    friend.post(f"{address}/resign", version=version(host))
    assert friend.words("turn") == "You lost"
    assert "You resigned." in friend.words("over")
    replay = re.search(r"/replay/\w+", friend.value("replay-link"))
    assert replay is not None
    watcher.get(replay[0])
    assert watcher.status == 200
    host.post(f"{address}/delete")
    assert "The room and its matches are deleted." in host.words("table")
    for gone in (address, f"{address}/table", replay[0]):
        assert watcher.raw(gone).status_code == 404
    watcher.get(address)
    assert watcher.words("gone").startswith("This room is gone")
    assert watcher.json(f"{address}/version") == {"version": 0, "over": True}


def test_the_script_gets_the_part_that_changes(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    host.press("moves", "3")
    part = watcher.part(f"{address}/table")
    table = part.children[0]
    assert table.attributes["id"] == "table"
    watcher.get(address)
    whole = watcher.by_id("table")
    assert [one.attributes for one in table.all()] == [one.attributes for one in whole.all()]
    assert table.words == whole.words
    assert watcher.json(f"{address}/version") == {
        "version": int(version(watcher)),
        "over": False,
    }


def test_hints_come_in_three_steps(me: Visitor) -> None:
    me.post("/rooms", board="divisor-duel:60", opponent="perfect", first="1")
    board = Board.parse("divisor-duel:60")
    for step in (1, 2, 3):
        me.press("ask-hint", str(step))
        assert hint(board, step) in me.words("hint")
    assert me.by_id("ask-hint").one("button").attributes["aria-disabled"] == "true"
    me.press("moves", "15")
    assert not me.has("hint")


def test_people_get_no_hints(visitors: tuple[Visitor, Visitor, Visitor]) -> None:
    host, friend, _ = visitors
    address = meet(host, friend)
    host.get(f"{address}?hint=3&ply=0")
    assert not host.has("hint")
    assert not host.has("ask-hint")


def test_the_page_looks_again_by_itself_only_while_it_waits(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, watcher = visitors
    address = meet(host, friend)
    assert not host.page.all("noscript"), "whoever types is not interrupted"
    for waiting in (friend, watcher):
        waiting.get(address)
        meta = waiting.page.one("noscript").one("meta")
        assert meta.attributes == {"http-equiv": "refresh", "content": f"4;url={address}"}


def test_numbers_beyond_the_square_end_with_the_turning_point_alone(me: Visitor) -> None:
    me.post("/rooms", board=f"subtract-a-prime:{10**30}", opponent="random", move="2")
    me.press("resign-form")
    assert me.words("turn") == "You lost"
    assert not me.has("map")
    assert me.has("turning")


def test_pages_hold_one_live_region_and_no_inline_code(
    visitors: tuple[Visitor, Visitor, Visitor],
) -> None:
    host, friend, _ = visitors
    address = meet(host, friend)
    for who in visitors:
        page = who.get(address)
        live = [one for one in page.all() if "aria-live" in one.attributes]
        assert [one.attributes["id"] for one in live] == ["news"]
        assert [one for one in page.all() if one.attributes.get("role") == "log"] == live
    assert read(host.text).one("main")
