"""Rooms without scripts, by the forms of a real server: two players, a watcher, computers."""

import re

import pytest

from numduel.analysis import analyse
from numduel.board import Board
from numduel.match import read_notation
from numduel.players import COMPUTERS, LADDER
from numduel.solver import solve
from numduel.wording.players import computer_name, says
from numduel.wording.why import hint, why
from web.visitor import Visitor

Three = tuple[Visitor, Visitor, Visitor]


@pytest.fixture
def met(visitors: Three) -> Three:
    host, friend, watcher = visitors
    host.post("/rooms", opponent="friend", board="subtract-a-prime:20")
    friend.get(host.at)
    friend.press("sit")
    host.get(host.at)
    watcher.get(host.at)
    return visitors


def version(page: Visitor) -> str:
    return page.by_id("table").attributes["data-version"]


def sent_by(me: Visitor, form: str) -> dict[str, str]:
    fields = me.by_id(form).all("input")
    return {one.attributes["name"]: one.attributes["value"] for one in fields}


def test_a_match_without_scripts_from_the_first_page_to_the_end(me: Visitor) -> None:
    me.get("/?game=divisor-duel&number=60&opponent=random")
    me.press("moves", me.moves()[0])
    for _ in range(60):
        if me.has("over"):
            break
        board = Board.parse(me.by_id("typed").attributes["data-board"])
        assert me.moves() == [board.write_move(move) for move in board.moves()]
        assert me.words("turn") == "Your turn"
        me.press("moves", me.moves()[-1])
    referee = read_notation(me.value("notation")).replay()
    assert referee.over is not None
    assert me.words("turn") == ("You won" if referee.over.winner == 0 else "You lost")
    assert [one.one("strong").words for one in me.by_id("players").all("li")] == ["You", "Dice"]
    assert me.by_id(f"seat-{referee.over.winner + 1}").one(kind="wins").words.endswith("1")


def test_the_end_shows_the_map_and_where_the_match_was_decided(met: Three) -> None:
    host, friend, watcher = met
    for player, move in ((host, "3"), (friend, "11"), (host, "5")):
        player.get(host.at)
        player.press("moves", move)
    for who, heading in ((host, "You won"), (friend, "You lost"), (watcher, None)):
        who.get(host.at)
        assert heading is None or who.words("turn") == heading
    assert watcher.has("map")
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
    again = sent_by(host, "again")
    assert again == {"board": str(point.board), "opponent": "perfect", "first": "1"}
    host.post("/rooms", **again)
    assert host.words("turn") == "Your turn"
    assert "20" in host.words("board")


def test_whoever_beats_a_rung_is_offered_the_next(me: Visitor) -> None:
    for rung, later in zip(LADDER, [*LADDER[1:], None], strict=True):
        me.post("/rooms", board="subtract-a-prime:20", opponent=rung, move="19")
        assert me.words("turn") == "You won"
        assert me.words("beaten").startswith(f"You beat {computer_name(rung)}")
        assert me.has("next") == bool(later)
        if later:
            sent = sent_by(me, "next")
            assert sent == {"board": "subtract-a-prime:20", "opponent": later, "first": "1"}
            me.post("/rooms", **sent)
            assert me.words("turn") == "Your turn"
            assert computer_name(later) in me.words("seat-2")


def test_every_opponent_has_a_face_and_speaks_in_character(me: Visitor) -> None:
    faces = set()
    for word in COMPUTERS:
        me.post("/rooms", board="divisor-duel:60", opponent=word, first="2")
        while me.words("turn").endswith("is thinking"):
            me.get(me.at)
        drawn = re.findall(r'<svg class="face".*?</svg>', me.text, re.DOTALL)
        assert len(drawn) == 1
        assert len(drawn[0]) < 600
        faces.update(drawn)
        me.press("resign-form")
        assert says(word, "won") in me.words("speech")
    assert len(faces) == len(COMPUTERS)
    me.post("/rooms", board="subtract-a-prime:20", opponent="beginner", move="19")
    assert me.words("speech") == f"Pip: “{says('beginner', 'lost')}”"


def test_whoever_lost_may_try_again_from_there_against_the_same(me: Visitor) -> None:
    me.post("/rooms", board="digit-subtraction-duel:25", opponent="level:5", move="2")
    while not me.has("over"):
        me.press("moves", me.moves()[0])
    assert me.words("turn") == "You lost"
    assert not me.has("next")
    assert sent_by(me, "again")["opponent"] == "level:5"
    assert me.words("over").count("you begin") == 1
    me.press("rematch")
    assert me.words("turn") == "Your turn"


def test_a_takeback_between_friends_needs_a_yes(met: Three) -> None:
    host, friend, watcher = met
    address = host.at
    host.press("moves", "3")
    for answer, left in (("0", "17"), ("1", "20")):
        host.get(address)
        host.press("takeback")
        assert "has to agree" in host.words("asked")
        assert host.words("said").endswith("17 is left. You ask to take back your last move.")
        for other, status in ((host, 409), (watcher, 403)):
            other.post(f"{address}/answer", version=version(host), yes="1")
            assert other.status == status
            assert "17" in other.words("board"), "nothing is undone by asking"
        friend.get(address)
        friend.press("asked-answer", answer)
        assert left in friend.words("board")
    assert "asks to take back their last move" in watcher.words("asked")
    host.get(address)
    assert host.words("turn") == "Your turn"
    friend.post(f"{address}/takeback", version=version(host))
    assert friend.status == 409, "the friend has not moved: there is nothing to take back"


def test_a_stale_move_is_told_so(met: Three) -> None:
    host, friend, _ = met
    address, before = host.at, version(host)
    host.press("moves", "3")
    seen = version(host)
    for who, said, move, status, told in (
        (host, before, "5", 409, "The match has moved on"),
        (host, seen, "2", 409, "other player's turn"),
        (friend, seen, "", 422, ""),
        *((host, nothing, "2", 409, "") for nothing in ("nonsense", "", "0")),
    ):
        who.post(f"{address}/play", version=said, move=move)
        assert who.status == status
        assert told in who.words("move-wrong")
    assert version(host) == seen


def test_every_form_of_a_room_says_what_it_answers(met: Three) -> None:
    """Sent twice, as a script does when an answer is lost, each is done once."""
    host, friend, _ = met
    address = host.at
    told: list[str] = []

    def twice(who: Visitor, form: str, **values: str) -> None:
        who.get(address)
        sent, path = sent_by(who, form), who.by_id(form).attributes["action"]
        assert sent == {"version": version(who)}
        for _ in range(2):
            who.post(path, **sent, **values)
            assert who.status == 200, (form, who.words("wrong"))
            told.append(version(who))

    twice(host, "moves", move="3")
    twice(friend, "moves", move="2")
    twice(host, "takeback")
    twice(friend, "asked-answer", yes="1")
    twice(host, "moves", move="3")
    twice(host, "resign-form")
    twice(friend, "rematch")
    assert "has to accept" in friend.words("over")
    host.get(address)
    assert "offers a rematch" in host.words("said")
    twice(host, "rematch")
    assert host.words("turn") != "Your turn", "whoever did not begin begins"
    assert told[::2] == told[1::2], "the second changed nothing"
    assert len(set(told)) == 8, "the first did"
    host.post("/rooms", board="digit-subtraction-duel:99", opponent="largest", move="9")
    host.press("moves", "8")
    seen, at = version(host), host.at
    for _ in range(2):
        host.post(f"{at}/takeback", version=seen)
        assert host.by_id("table").attributes["data-ply"] == "2", "of four"


def test_a_wrong_move_keeps_what_was_typed(me: Visitor) -> None:
    me.post("/rooms", board="subtract-a-prime:100", opponent="perfect", move="2")
    at, text = me.at, '9<b>"'
    me.press("typed", move=text)
    assert me.status == 422
    assert me.value("move") == text
    assert text not in me.text
    assert me.by_id("move").attributes["aria-invalid"] == "true"
    assert me.words("move-wrong") == f'"{text}" is not a whole number.'
    me.get(f"{at}/play")
    assert (me.at, me.value("move")) == (at, ""), "reloading the answer shows the room"


def test_others_can_do_nothing_and_their_page_looks_again_while_it_waits(met: Three) -> None:
    host, friend, watcher = met
    address, before = host.at, version(host)
    for what in ("play", "resign", "takeback", "answer", "rematch", "delete"):
        watcher.post(f"{address}/{what}", version=before, move="3", yes="1")
        assert (watcher.status, watcher.has("wrong")) == (403, True), what
    friend.post(f"{address}/delete")
    assert friend.status == 403
    host.get(address)
    assert version(host) == before
    assert not host.page.all("noscript"), "whoever types is not interrupted"
    for waiting in (friend, watcher):
        waiting.get(host.at)
        meta = waiting.page.one("noscript").one("meta")
        assert meta.attributes == {"http-equiv": "refresh", "content": f"4;url={host.at}"}


def live_at(room: str) -> str:
    return f"/api/rooms/{room.rpartition('/')[2]}/live"


def test_resigning_and_deleting_are_confirmed(met: Three) -> None:
    host, friend, watcher = met
    address = host.at
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
    assert watcher.json(live_at(address)) == {"version": 0, "over": True}


def test_the_script_gets_the_part_that_changes(met: Three) -> None:
    host, _, watcher = met
    host.press("moves", "3")
    table = watcher.part(f"{host.at}/table").children[0]
    assert table.attributes["id"] == "table"
    watcher.get(host.at)
    whole = watcher.by_id("table")
    assert [one.attributes for one in table.all()] == [one.attributes for one in whole.all()]
    assert table.words == whole.words
    now = {"version": int(version(watcher)), "over": False}
    assert watcher.json(live_at(host.at)) == now


def test_hints_come_in_three_steps_and_not_between_people(me: Visitor, met: Three) -> None:
    me.post("/rooms", board="divisor-duel:60", opponent="perfect", first="1")
    board = Board.parse("divisor-duel:60")
    for step in (1, 2, 3):
        me.press("ask-hint", str(step))
        assert hint(board, step) in me.words("hint")
    assert me.by_id("ask-hint").one("button").attributes["aria-disabled"] == "true"
    me.press("moves", "15")
    assert not me.has("hint")
    host = met[0]
    host.get(f"{host.at}?hint=3&ply=0")
    assert not host.has("hint")
    assert not host.has("ask-hint")
