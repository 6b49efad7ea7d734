"""The pages of a class, without scripts: joining, rounds, the wall, questions, the map."""

from urllib.parse import quote

import httpx
from starlette.routing import Route

from numduel.games import all_games
from numduel.web.app import create_app
from numduel.web.pages.school.teacher import _ACTIONS
from numduel.web.safety.connections import Requests
from numduel.web.settings import Limits, Settings
from web.classroom import RULE, classroom
from web.markup import Element
from web.server import Server
from web.visitor import Visitor


def test_a_code_is_typed_as_people_type_and_a_join_needs_a_cookie(server: Server) -> None:
    with classroom(server) as room:
        pupil, host = room.visitor(), room.visitor()
        for typed in (room.code, room.code.upper(), f" {room.code[:2]} {room.code[2:]} ",
                      f"http://school.example/class/{room.code}"):  # fmt: skip
            pupil.get("/")
            pupil.press("code-form", code=typed)
            assert pupil.at == room.at
        assert pupil.has("join")
        pupil.press("join", name="Ada")
        assert pupil.words("stage").startswith("You are in, Ada")
        host.post("/rooms", board="divisor-duel:60", opponent="friend")
        code = host.at.rpartition("/")[2]
        pupil = room.visitor()
        pupil.get("/class")
        pupil.press("code-form", code=code.upper())
        assert pupil.at == f"/room/{code}"
        for typed in ("zzzzz", "zzzzzzzzzz", "no such code", "💥"):
            pupil.get(f"/join?code={quote(typed)}")
            assert (pupil.status, pupil.value("code")) == (404, typed)
            assert pupil.words("code-wrong") == (
                "There is no class or room with this code. Check it and try again."
            )
        ghost = room.visitor()
        ghost.post(f"{room.at}/join", name="Ghost")
        assert (ghost.status, ghost.has("join")) == (409, True)
        assert "cookie" in ghost.words("wrong")
        assert "Ghost" not in room.teach().text


def test_names_come_and_go(server: Server) -> None:
    with classroom(server, "Mia", "Rude", "<b>Ben</b>") as room:
        assert room.teach().has("only-here")
        listed = room.teacher.by_id("roster").all("li")
        assert [one.all("span")[0].words for one in listed] == ["Mia", "Rude", "bBenb"]
        assert listed[1].all("summary")[0].words.endswith("Rename or remove Rude")
        for name, said in (
            ("mia", 'called "mia"'),
            ("Teacher", "Only a teacher"),
            ("T34ch3r", "Only a teacher"),
            ("", "Type your"),
        ):
            room.join(name)
            assert said in room.pupils[name].words("wrong")
            assert (room.pupils[name].status, room.pupils[name].value("name")) == (409, name)
        room.teacher.send(f"{room.at}/teacher/rename", [("pupil", "3"), ("name", "Ben")])
        assert "You are Ben" in room.pupil("<b>Ben</b>").page.words
        removed = room.pupils["Rude"]
        room.teacher.send(f"{room.at}/teacher/remove", [("pupil", "2")])
        assert "Rude" not in room.teacher.text
        removed.get(removed.at)
        assert removed.has("removed")
        assert not removed.has("join")
        removed.post(f"{room.at}/join", name="Kind")
        assert removed.status == 409
        room.press("arrange", locked="", made_up="1")
        assert "for whoever joins from now on" in room.teach().page.words
        nameless = room.visitor()
        nameless.get(room.at)
        assert not nameless.has("name")
        nameless.press("join")
        assert nameless.words("stage").startswith("You are in, ")


def test_latecomers_wait_at_the_door(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=0) as room:
        for name in ("Cleo", "Dan", "Eve"):
            late = room.join(name)
            assert "goes on by itself" in late.words("waits")
            assert late.page.one("h1").words == f"You are at the door, {name}"
        door = room.teach().by_id("door")
        assert [one.all("bdi")[0].words for one in door.all("li")] == ["Cleo", "Dan", "Eve"]
        room.teacher.send(f"{room.at}/teacher/remove", [("pupil", "5")])
        assert room.pupil("Eve").has("removed")
        room.press("admit", pupil="3")
        assert room.pupil("Cleo").has("table")
        assert not room.pupil("Dan").has("table")
        assert "The door is locked" in room.teach().page.words
        room.press("arrange", locked="")
        said = room.teach().page.words
        assert "whoever comes now is in. Whoever came before still waits at the door." in said
        assert "locks by itself" not in said, "the first round was before"
        room.teacher.send(f"{room.at}/teacher/admit", [("pupil", "0")])
        assert room.pupil("Dan").has("table")
        other = room.visitor()
        other.get(room.at)
        other.press("join", name="ada")
        other.press("again")
        assert "agree that you are Ada" in other.words("waits")
        assert "Ada on another device" in room.teach().words("door")
        room.press("admit")
        other.get(room.at)
        assert other.has("table")
        assert room.pupil("Ada").has("join"), "who has the seat now is another device"


def test_teachers_pages_are_for_teachers(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=0) as room, classroom(server) as other:
        tile = room.teach("wall").page.all("li", "tile")[0].all("a")[0].attributes["href"]
        for stranger in (room.pupil("Ada"), room.visitor(), other.teacher):
            for page in ("teacher", "wall", "discuss", "map", "learned", "learned.csv"):
                stranger.get(f"{room.at}/{page}")
                assert stranger.at == room.at, page
            stranger.get(tile)
            assert stranger.at == room.at
            assert stranger.json(f"/api/walls/{room.code}/live") == {"version": 0}
            for action in (*_ACTIONS, "end", "invite"):
                stranger.send(f"{room.at}/teacher/{action}", [("seen", "3"), ("pupil", "1")])
                assert stranger.at == room.at or stranger.status == 403, action
        assert room.pupil("Ada").has("table"), "nothing of it was done"


def test_what_was_refused_on_a_board_that_is_gone_leads_to_no_board(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=1) as room:
        asked = [("board", "nonsense"), ("from", "wall/zzzzzzzzzz")]
        room.teacher.send(f"{room.at}/teacher/ask", asked)
        assert (room.teacher.status, room.teacher.has("gone")) == (404, True)
        room.teacher.send(f"{room.at}/teacher/ask", [("board", "nonsense"), ("from", "nowhere/x")])
        assert (room.teacher.status, room.teacher.has("roster")) == (422, True)


def test_a_second_teacher_comes_by_a_link_and_another_laptop_by_a_code(server: Server) -> None:
    with classroom(server, "Ada") as room:
        assert "teaches with you" not in room.teach().text
        room.teacher.press("invite")
        hidden = room.teacher.by_id("secret")
        assert "open" not in hidden.attributes, "not before it is asked for"
        link = room.teacher.value("co-link").removeprefix(room.teacher.origin)
        picture = room.teacher.raw(room.teacher.page.one("img", "qr").attributes["src"])
        assert room.teacher.value("co-link") in picture.text
        secret = link.rpartition("/")[2]
        for page in ("teacher", "wall", "discuss", "map", "learned"):
            assert secret not in room.teach(page).text
        second, third = room.visitor(), room.visitor()
        second.get(link)
        second.get(f"{room.at}/teacher")
        assert second.at == room.at, "looking lets nobody in"
        second.get(link)
        assert not second.page.all("nav"), "nothing leads away"
        second.press("let-in", name="Ms Lee")
        assert "Ada" in second.words("roster")
        assert not second.has("end-class")
        third.get(link)
        third.press("let-in", name="Me")
        assert third.status == 409
        assert "Ms Lee teaches with you" in room.teach().words("teachers")
        room.press("dismiss")
        second.get(f"{room.at}/teacher")
        assert second.at == room.at
        room.teach().press("key")
        code = room.teacher.words("key-code")
        laptop = room.visitor()
        laptop.get("/class")
        laptop.press("code-form", code=code)
        laptop.press("let-in")
        assert "Ada" in laptop.words("roster")
        assert laptop.has("end-class"), "it is the first teacher's"
        laptop.press("key")
        assert laptop.words("key-code") != code


def test_a_round_from_form_to_end(server: Server) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", turns=0) as room:
        assert room.teach().words("now-heading") == "Round 1: Take 1, 3 or 4 from 9"
        assert room.teacher.words("progress") == "0 of 2 boards are done."
        assert room.teacher.has("code-again"), "the code makes way for the round"
        room.press("next")
        assert "still being played" in room.teacher.words("wrong")
        assert all(room.pupil(name).has("table") for name in room.pupils)
        began = {name for name in room.pupils if room.pupil(name).moves()}
        assert len(began) == 2, "the odd one out begins against the computer"
        room.press("pause")
        assert {room.pupil(name).words("stage") for name in room.pupils} == {
            "Eyes to the front Wait for your teacher. Your match will go on."
        }
        for page in ("teacher", "wall"):
            assert room.teach(page).words("progress").startswith("Paused. 0 of 2")
        room.press("resume")
        assert room.teach("wall").words("progress") == "0 of 2 boards are done."
        room.play(9)
        assert room.teach().words("progress") == "2 of 2 boards are done."
        room.press("pause")
        assert room.pupil("Ada").words("stage") == "Eyes to the front Wait for your teacher."
        room.press("stop")
        assert room.pupil("Ada").words("stage").startswith("Look to the front")
        room.press("next")
        assert room.teach().words("now-heading") == "Round 2: Take 1, 3 or 4 from 9"
        pairs = [one for one in players(room.teach("wall").page) if one <= room.pupils.keys()]
        assert [{name for name in pair if room.pupil(name).moves()} for pair in pairs] == [
            pair - began for pair in pairs
        ], "the other player begins"


def test_a_rematch_does_not_undo_what_is_done(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=9) as room:
        first = room.teach("wall").page.one("li", "tile").one("span", "who").children[0]
        for name in room.pupils:
            room.pupil(name).press("rematch")
        wall = room.teach("wall")
        assert wall.words("progress") == "1 of 1 board is done."
        tile = wall.page.one("li", "tile")
        assert tile.one("strong", "score").words == ("1:0" if "★" in first.words else "0:1")
        assert tile.one("span", "hops").words == "Match 2"
        room.play(1)
        assert "Match 2: 9 → 8" in room.teach("wall").page.one("li", "tile").words


def test_pairs_are_made_by_hand_and_hidden_names_stay_hidden(server: Server) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", "Dan") as room:
        places = {"place-1": "2", "place-2": "1", "place-3": "1", "place-4": "2"}
        room.start(pairing="hand", **places, **RULE)
        wall = room.teach("wall")
        assert players(wall.page) == [{"Ada", "Dan"}, {"Ben", "Cleo"}]

        def shows_names() -> bool:
            return "Ada" in wall.page.words

        assert shows_names()
        wall.press("names")
        assert not shows_names()
        tiles = [one.attributes["data-key"] for one in wall.page.all("li", "tile")]
        assert tiles == sorted(tiles), "in no order of the roster"
        room.press("pause", "wall")
        assert wall.at.endswith("/wall")
        assert not shows_names()
        wall.get(wall.page.all("li", "tile")[0].one("a").attributes["href"])
        assert not shows_names()
        assert wall.words("to-move") in ("A to move", "B to move")
        room.teach("wall")
        wall.press("names")
        assert shows_names()


def test_what_is_refused_stays_where_it_was(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=0) as room:
        tile = room.teach("wall").page.all("li", "tile")[0].one("a").attributes["href"]
        for page, action, heading in (
            ("wall", "pause", "Round 1"), (tile.removeprefix(f"{room.at}/"), "ask", "Ada and Ben"),
            ("discuss", "ask", "Discuss a position"), ("map", "map", "What we have seen"),
        ):  # fmt: skip
            teacher = room.press(action, page, seen="1", game="digit-subtraction-duel", number="7")
            assert teacher.status == 409, page
            assert "moved on" in teacher.words("wrong")
            title = teacher.page.one("h1").words
            assert title.startswith(heading) or {*heading.split()} == {*title.split()}
            at = [one.attributes.get("value") for one in teacher.page.all("input")
                  if one.attributes.get("name") == "from"]  # fmt: skip
            assert {*at} == {page}
        teacher = room.press("ask", "discuss", number="x")
        assert (teacher.value("number"), teacher.page.one("h1").words) == (
            "x",
            "Discuss a position",
        )


def test_the_own_rule_is_chosen_typed_as_people_write_and_has_variants(server: Server) -> None:
    with classroom(server, "Ada", "Ben") as room:
        assert "/make" in [one.attributes["href"] for one in room.teach().by_id("round").all("a")]
        room.start(game="divisor-duel", own="subtract 1 3 4")
        assert room.teacher.status == 422
        assert "Your own rule" in room.teacher.words("own-wrong")
        for typed in ("subtract 1 3 4", "Subtract 1, 3 or 4", "1,3,4", "take 4 3 1"):
            room.start(game="own", own=typed, number="9", anyway="1")
            assert room.teach().words("now-heading").endswith("Take 1, 3 or 4 from 9"), typed
            assert room.teacher.value("own") == "subtract-1-3-4"
        room.start(game="own", own="", anyway="1")
        assert "Type your own rule" in room.teacher.words("own-wrong")
        room.start(game="power-play", anyway="1")
        assert "Power Play" in room.teach().words("now-heading"), "what was typed before counts not"
        room.teach()
        fields = {"game": "divisor-duel", "own": "", "number": "12", "anyway": "1", "misere": "1"}
        room.teacher.send(
            f"{room.at}/teacher/round",
            [*fields.items(), ("divisor-duel.divisors", "even"), ("prime-subtractor.opening", "x"),
             ("seen", room.teacher.by_id("round").all("input")[0].attributes["value"])],
        )  # fmt: skip
        assert room.teacher.status == 200, room.teacher.text
        even = room.pupil("Ada").moves() or room.pupil("Ben").moves()
        assert even == ["2", "4", "6"]
        assert "checked" in room.teach().by_id("variants").one("input").attributes
        assert room.teacher.words("now-heading").endswith("(even divisors only) from 12, misère")
        room.teach("discuss").press("ask", number="20")
        asked = [one.attributes["value"] for one in room.pupil("Ada").page.all("button", "move")]
        assert asked == ["2", "4", "10"], "of the same game"


def test_pairs_by_hand_are_what_they_say(server: Server) -> None:
    with classroom(server, "Ada", "Ben", "Cleo", "Dan", "Eve") as room:
        places = {f"place-{number}": "1" for number in (1, 2, 3)}
        room.start(pairing="hand", **places, **RULE)
        assert "Board 1 has more than two pupils" in room.teacher.words("wrong")
        places |= {"place-2": "2", "place-3": "3", "place-4": "3", "place-5": "4"}
        room.start(pairing="hand", **places, **RULE)
        met = players(room.teach("wall").page)
        assert [{*room.pupils} & pair for pair in met] == [
            {"Ada"},
            {"Ben"},
            {"Cleo", "Dan"},
            {"Eve"},
        ]


def players(wall: Element) -> list[set[str]]:
    seats = [tile.one("span", "who").children for tile in wall.all("li", "tile")]
    return [{one.words.strip("▶★").removesuffix(" to move") for one in pair} for pair in seats]


def test_the_form_says_what_it_offers_and_what_does_not_fit(server: Server) -> None:
    with classroom(server, "Ada", "Ben") as room:
        told = room.teach().by_id("rules")
        assert [one.words for one in told.all("dt")] == [game.title for game in all_games()]
        for game, one in zip(all_games(), told.all("dd"), strict=True):
            assert one.words.endswith(f"Starts from {game.default_start:,}.")
            assert len(one.words) > len(f"Starts from {game.default_start:,}."), "and the rule"
        offered = [one.attributes["value"] for one in room.teacher.by_id("pairing").all("option")]
        assert offered == ["random", "hand"], "nobody has won yet"
        for name, value, said in (
            ("own", "subtract-primes", "subtract-primes"), ("number", "x", "x"),
            ("minutes", "soon", "A clock gives each player from 10 seconds"),
        ):  # fmt: skip
            room.start(**(RULE | {name: value}))
            assert (room.teacher.status, room.teacher.value(name)) == (422, value)
            assert said in room.teacher.words("wrong")
            assert said in room.teacher.words(f"{name}-wrong"), "beside its field"
            assert not room.teacher.has("now-heading")
        room.start(**RULE)
        offered = [one.attributes["value"] for one in room.teach().by_id("pairing").all("option")]
        assert offered == ["random", "winners", "same", "hand"]
        room.start(**RULE)
        assert room.teacher.status == 422
        assert room.teacher.words("wrong").endswith(
            "Round 1 is still being played. Tick the box to start a new one."
        )
        assert room.teach().words("now-heading").startswith("Round 1")
        room.start(anyway="1", **RULE)
        assert room.teach().words("now-heading").startswith("Round 2")
        room.play(9)
        room.start(pairing="winners", **RULE)
        assert room.teach().words("now-heading").startswith("Round 3"), "all boards were done"


def test_without_hints_nothing_tells_of_the_map_and_with_them_it_is_there(server: Server) -> None:
    with classroom(server, "Ada") as room:
        room.start(opponent="beginner", **RULE)
        assert not room.pupil("Ada").has("ask-hint")
        at = room.pupils["Ada"].by_id("room").attributes["data-at"]
        asked = room.pupils["Ada"].part(f"{at}/table?ply=0&hint=3")
        assert "hint" not in {one.attributes.get("id") for one in asked.all()}, "nor if asked for"
        room.play(9)
        pupil = room.pupil("Ada")
        assert pupil.has("over")
        assert not pupil.has("map")
        assert not pupil.page.all("span", "judged")
        links = {one.attributes["href"].split("?")[0] for one in pupil.page.all("a")}
        assert links <= {"#main"}, "nothing leads out of the class"
        room.start(opponent="beginner", hints="1", **RULE)
        assert room.pupil("Ada").has("ask-hint")
        room.play(9)
        assert room.pupil("Ada").has("map")


ASKED = {
    "/explore": "?board=subtract-1-3-4:9", "/replay": "?match=subtract-1-3-4:9/1",
    "/analysis": "?match=subtract-1-3-4:9/1", "/api/verdict": "?board=subtract-1-3-4:9",
    "/api/map": "?board=subtract-1-3-4:9", "/api/hint": "?board=subtract-1-3-4:9",
}  # fmt: skip
TELLS_NOTHING = {
    "/static/{name:path}", "/qr.svg", "/privacy", "/check", "/join", "/api/{topic}/{code}/live",
}  # fmt: skip
"""Every other address of a page leads a pupil back to the class."""


def test_nothing_is_given_away_before_the_map_is_unveiled(server: Server) -> None:
    routes = [one for one in create_app(Settings("unused")).routes if isinstance(one, Route)]
    addresses = {one.path for one in routes if "GET" in (one.methods or ())} - TELLS_NOTHING
    others = {one for one in addresses if not one.startswith("/class/")}
    assert {"/", "/explore", "/puzzle", "/learn/{key}", "/make", "/api/verdict"} <= others
    with classroom(server, "Ada", "Ben", turns=0) as room:
        ada, stranger = room.pupils["Ada"], room.visitor()
        stranger.post("/rooms", board="divisor-duel:60", opponent="friend")
        foreign = stranger.at
        table = room.pupil("Ada").by_id("room").attributes["data-at"]
        codes = {"{key}": "subtract-1-3-4", "{code}": foreign.rpartition("/")[2], "{name}": "table"}

        def given(visitor: Visitor) -> set[str]:
            found = set()
            for one in others:
                at = one + ASKED.get(one, "")
                for part, value in codes.items():
                    at = at.replace(part, value)
                answer = visitor.raw(at)
                refused = one.startswith("/api") and answer.status_code == 403
                if not refused and answer.headers.get("location") != room.at:
                    found.add(one)
            return found

        assert given(ada) == set()
        assert ada.raw(f"{table}/table").status_code == 200, "the pupil's own match"
        assert ada.json(f"/api/rooms/{table.rpartition('/')[2]}")
        ada.post("/class")
        assert ada.at == room.at, "nor is there a class of one's own, to unveil the map there"
        assert given(stranger) == others, "it is the pupils' browsers that are told nothing"
        assert given(room.teacher) == others
        room.press("stop")
        assert given(ada) == set(), "between rounds, too"
        room.press("map", "map")
        assert given(ada) == set()
        room.press("unveil", "map")
        assert given(ada) == others
        room.start(**(RULE | {"own": "subtract-2-3"}))
        assert given(ada) == set(), "another game is to be found out"
        room.start(hints="1", anyway="1", **RULE)
        assert given(ada) == others, "the teacher allows it"
        room.press("end")
        assert given(ada) == others


def test_the_projectors_address_opens_no_page_of_the_teachers(server: Server) -> None:
    """All can read it at the front. Sent as a token, it once told solutions and names."""
    with classroom(server, "Ada", "Ben", turns=0) as room:
        room.teacher.post(f"{room.at}/teacher/projector", page="new")
        bearer = {"Authorization": f"Bearer {room.teacher.at.rpartition('/')[2]}"}
        pages = ("teacher", "wall", "map", "discuss", "puzzles", "learned", "learned.csv")
        for name in (*pages, "results.csv"):
            answer = httpx.get(f"{server.address.rstrip('/')}{room.at}/{name}", headers=bearer)
            assert answer.headers.get("location") == room.at, name


def test_the_reason_stays_with_its_position_until_the_map_is_unveiled(server: Server) -> None:
    with classroom(server, "Ada", "Ben", turns=0) as room:

        def reason(number: str) -> str:
            room.teach("discuss").press("ask", **(RULE | {"number": number}))
            for _ in range(3):
                room.press("show", "discuss")
            assert room.pupil("Ada").words("reason") == room.teacher.words("reason")
            return room.teacher.words("reason")

        said = ("Subtract 1: that leaves 9, a trap.", "Subtract 3: that leaves 7, a trap.")
        assert reason("10") == "".join(("Whoever must move here can win.", *said))
        assert reason("9").endswith("leaves a number from which the other player can win.")
        room.press("map", "map")
        room.press("unveil", "map")
        assert "7" in reason("9"), "the period"


def test_a_class_that_ends_is_gone(server: Server) -> None:
    with classroom(server, "Ada", turns=0) as room:
        room.press("end")
        assert "deleted" in room.teacher.text
        for visitor in (room.pupils["Ada"], room.teacher):
            for page in ("", "/teacher", "/wall", "/map"):
                visitor.get(room.at + page)
                assert (visitor.status, visitor.has("gone")) == (404, True)
        for topic in ("classes", "walls"):
            assert room.teacher.json(f"/api/{topic}/{room.code}/live") == {"version": 0}


def test_forty_pupils_at_one_address_stay_within_its_limits() -> None:
    """All reload at once, with every file of the page, two live connections and the table."""
    pupils, limits, in_a_browser = 40, Limits(), 6
    assert limits.sockets_per_client > 2 * 2 * pupils + 2, "old ones may end later than new"
    assert Requests.most_per_client >= 2 * pupils * in_a_browser
