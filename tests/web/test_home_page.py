"""Home: a game is already on. Pages of a real server, compared with the rules."""

import re
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import httpx

from numduel.board import Board
from numduel.classes.kept_classes import CLASS_KEPT
from numduel.errors import NumduelError, TooManyDigits
from numduel.games import keys, load
from numduel.players import player_words
from numduel.rooms.kept_rooms import Rooms
from numduel.wording import problem
from web.hostile import LONG_PRIME
from web.playing import Player, duel, opened
from web.server import Server
from web.visitor import Visitor


def rooms_in(server: Server) -> int:
    rooms = Rooms(server.place, lambda _code, _version: None)
    try:
        return rooms.count()
    finally:
        rooms.close()


def test_there_is_a_button_for_each_move_and_no_other(me: Visitor) -> None:
    for text in (*(f"{key}:{load(key).default_start}" for key in keys() if key != "power-play"),
                 "divisor-duel:60,divisors=prime~misere", "prime-subtractor:23,opening=any",
                 "subtract-a-prime:20+divisor-duel:60+power-play:30",
                 "digit-subtraction-duel:123456789012345678901234567890"):  # fmt: skip
        board = Board.parse(text)
        me.get(f"/?board={quote(text)}")
        assert me.moves() == [board.write_move(move) for move in board.moves()]
        for button, move in zip(me.page.all("button", "move"), board.moves(), strict=True):
            left = board.play(move).numbers[move.place].value
            assert button.words.endswith(f" {move.amount}, leaves {left}") or left > 10**12


def test_a_button_says_what_it_does_and_divides_where_the_rules_divide(me: Visitor) -> None:
    """From 4, dividing by 2 and subtracting 2 leave the same number."""
    me.get(f"/?board={quote('power-play:4+digit-subtraction-duel:2+divisor-duel:4')}")
    assert [one.words for one in me.page.all("button", "move")] == [
        "÷2 → 2Divide by 2, leaves 2",
        "−2 → 0Subtract 2, leaves 0",
        "−2 → 2Subtract 2, leaves 2",
    ]
    board = "halve-or-subtract-1:4"  # where only halving wins
    me.get(f"/?board={board}&opponent=perfect")
    assert me.words("move-help") == "You can play 1, ÷2."
    me.post("/rooms", board=board, opponent="perfect", first="1")
    for step in (1, 2, 3):
        me.press("ask-hint", str(step))
    pages = [me.page.one("main").words, me.get(f"/explore?board={board}").one("main").words]
    assert all("÷2" in words and "/2" not in words for words in pages), "a division has one sign"
    assert me.json(f"/check?board={board}&move=%C3%B72") == me.json(f"/check?board={board}&move=/2")


def test_of_many_moves_the_smallest_have_buttons(me: Visitor) -> None:
    """A page has 200 of them at most, shared by the numbers; others are typed."""
    for digits in (7, 100):
        text = f"subtract-a-prime:{10**digits - 1}"
        me.get(f"/?board={text}")
        assert me.moves() == [str(move.amount) for move in islice(Board.parse(text).moves(), 200)]
        assert me.by_id("move").attributes["name"] == "move"
        assert "The smallest moves; type any other" in me.words("moves")
        assert str(10**digits - 1) in me.words("board"), "the number is shown whole"
    me.get("/?board=" + "%2B".join(["subtract-any:999999999"] * 12))
    share = 200 // 12
    assert me.moves() == [f"{place}:{n}" for place in range(1, 13) for n in range(1, share + 1)]
    assert me.words("moves").count("the smallest moves") == 12
    assert len(me.text) < 100_000
    me.get("/?board=subtract-any:999%2Bdivisor-duel:60")
    few = [f"2:{move}" for move in load("divisor-duel").moves(60)]
    assert me.moves() == [*(f"1:{n}" for n in range(1, 201 - len(few))), *few], "none is left over"


def test_the_check_while_typing_agrees_with_the_board(me: Visitor) -> None:
    board = Board.parse("subtract-a-prime:20")
    for move in ("11", "9", "23", "x", "", "<b>7</b>", "9" * 60):
        said = me.json(f"/check?board={board}&move={quote(move)}")
        try:
            left = board.play(board.parse_move(move)).numbers[0].value
        except NumduelError as error:
            assert said == {"ok": False, "says": problem(error)}
        else:
            assert said == {"ok": True, "says": f"Subtract {move}: {left} is left."}
    both = quote("subtract-a-prime:20+divisor-duel:60")
    for where, told in ((f"{both}&move=2:15", "Subtract 15 on number 2: 45 is left."),
                        ("power-play:4&move=2", "Divide by 2: 2 is left.")):  # fmt: skip
        assert me.json(f"/check?board={where}") == {"ok": True, "says": told}
    assert me.json(f"/check?board={both}&move=2")["ok"] is False  # type: ignore[index]
    assert me.raw(f"/check?board=subtract-a-prime:{'9' * 101}&move=2").status_code == 422


def test_a_first_move_that_can_be_played_opens_a_room_and_nothing_else_does(
    me: Visitor, server: Server
) -> None:
    before = rooms_in(server)
    for address in ("/?game=divisor-duel", "/?opponent=friend", "/?first=2&misere=1"):
        me.get(address)
    assert not me.cookies
    me.get("/?game=subtract-a-prime&number=20")
    me.press("typed", move="9")
    assert me.status == 422
    assert me.value("move") == "9"
    assert me.by_id("move").attributes["aria-invalid"] == "true"
    assert "autofocus" in me.by_id("move").attributes
    assert me.words("move-wrong").startswith("9 is not prime.")
    # The length of a move is looked at before it is calculated with.
    board, said = f"prime-subtractor:{'9' * 100}", problem(TooManyDigits(digits=3_376, limit=102))
    me.post("/rooms", board=board, overshoot="loses", opponent="random", move=LONG_PRIME)
    assert (me.status, me.words("move-wrong")) == (422, said)
    checked = me.json(f"/check?board={board}&overshoot=loses&move={LONG_PRIME}")
    assert checked == {"ok": False, "says": said}
    assert rooms_in(server) == before
    me.get("/?game=divisor-duel&opponent=largest&number=60")
    me.press("moves", "15")
    assert rooms_in(server) == before + 1
    assert re.fullmatch(r"/room/[a-z2-9]{10}", me.at)
    # The computer takes the largest: 45 - 15.
    assert "played 15. 30 is left. Your turn." in me.words("said")
    assert me.words("history").count("→") == 2


WRONG = [
    ("?game=power-play&number=7", "number-1-wrong", "Power Play cannot start from 7."),
    (f"?game=subtract-a-prime&number={'9' * 101}", "number-1-wrong", "101 digits"),
    ("?game=chess", "game-1-wrong", "There is no game called"),
    ("?minutes=never", "minutes-wrong", "A clock gives each player"),
    ("?minutes=0.01", "minutes-wrong", "A clock gives each player from 10 seconds to 24 hours."),
    ("?opponent=engine:sh", "opponent-wrong", "There is no player called"),
    ("?game=power-play&penalty=0", "penalty-wrong", "The penalty must be"),
    ("?" + "&".join(["game=divisor-duel&number=60"] * 13), "table", "at most 12 numbers"),
    ("make?rule=subtract-primes", "rule-wrong", "Did you mean subtract-prime?"),
    ("make?rule=substract-1-3", "rule-wrong", "Did you mean subtract-1-3?"),
    ("make?rule=nonsense", "rule-wrong", "is not part of a rule"),
    ("make?rule=subtract-9-to-4", "rule-wrong", "the smaller amount comes first"),
    ("make?was=&take=0", "rule-wrong", "an amount must be from 1 to"),
    ("make?rule=subtract-1&number=x", "number-wrong", "is not a number"),
    ("make?rule=subtract-1&number=0", "number-wrong", "cannot start from 0"),
    ("make?was=halve&rule=halve", "made", "No rule yet"),
]


def test_what_does_not_fit_is_told_at_its_field(me: Visitor) -> None:
    for address, where, said in WRONG:
        me.get(f"/{address}")
        assert me.status == 422
        assert said in me.words(where)


def test_numbers_come_and_go(me: Visitor) -> None:
    me.get("/?game=subtract-a-prime&number=20")
    me.press("setup", "yes")
    assert [me.value("number-1"), me.value("number-2")] == ["20", "23"]
    me.press("setup", "yes")
    assert me.has("number-3")
    me.press("setup", "2")
    assert [me.value("number-1"), me.value("number-2")] == ["20", "60"]
    assert not me.has("number-3")
    me.send("/rooms", [("game", "power-play"), ("number", "30"), ("game", "divisor-duel"),
                       ("number", "60"), ("opponent", "friend")])  # fmt: skip
    assert me.words("board").startswith("1: Power Play 30 2: Divisor Duel 60")


def test_variants_policies_and_who_begins_go_along(me: Visitor) -> None:
    me.get("/?game=divisor-duel&divisors=even&misere=1&first=2&takeback=no&minutes=2")
    assert "even divisors only" in me.words("board")
    assert "Misère" in me.words("table")
    assert not me.moves(), "the computer begins"
    me.press("start")
    assert me.at.startswith("/room/")
    assert "even divisors only" in me.words("board")
    assert re.search(r"\b(2:00|1:5[0-9])", me.words("seat-1"))
    assert not me.has("takeback")
    assert (me.words("turn"), me.words("history").count("→")) == ("Your turn", 1)
    me.get("/?game=prime-subtractor&number=23&overshoot=loses&opponent=random")
    me.press("typed", move="29")
    assert me.words("turn") == "You lost"
    assert "below zero" in me.words("over")


def test_opponents_are_the_built_in_ones(me: Visitor) -> None:
    me.get("/")
    offered = [one.attributes["value"] for one in me.by_id("opponent").all("option")]
    assert sorted(offered) == sorted([*player_words()[1:], "friend"])
    me.post("/rooms", board="divisor-duel:60", opponent="person")
    assert me.status == 422


def test_a_board_may_be_any_position_but_needs_a_move(me: Visitor) -> None:
    me.post("/rooms", board="power-play:7", opponent="perfect", first="1")
    assert me.at.startswith("/room/")
    me.post("/rooms", board="subtract-a-prime:1", opponent="perfect")
    assert me.status == 409
    assert "Nobody can move on this board." in me.words("table")
    for query in ("game=divisor-duel&number=7", "board=digit-subtraction-duel:0"):
        me.get(f"/?{query}")
        assert (me.status, me.words("turn")) == (409, "This cannot be played")
        assert "Nobody can move on this board." in me.words("table")
        assert not me.has("moves")


def test_the_first_page_is_light(me: Visitor) -> None:
    """Everything that the browser loads for it, uncompressed, pictures too, is under 80 KB."""
    files = me.files("/")
    assert {Path(name).name for name in files} >= {"style.css", "room.css", "home.js", "follow.js"}
    assert sum(name.endswith("/map.svg") for name in files) == len(keys())
    assert sum(map(len, [me.raw("/").content, *files.values()])) < 80_000


def test_the_page_on_privacy_has_the_periods_that_the_server_goes_by(
    me: Visitor, client: httpx.Client
) -> None:
    for address in ("/", "/class"):
        assert any(link.attributes["href"] == "/privacy" for link in me.get(address).all("a"))

    def left(room: Player) -> float:
        ends = datetime.fromisoformat(room.room()["expires"])
        return (ends - datetime.now(UTC)) / timedelta(hours=1)

    used, _ = duel(client)
    says = me.get("/privacy").words
    days, hours = re.findall(r"(\d+) days after the last change, (\d+) hours after it was", says)[0]
    assert (int(days) * 24, int(hours)) == (round(left(used)), round(left(opened(client))))
    assert f"at the latest {CLASS_KEPT // timedelta(hours=1)} hours after the last action" in says
