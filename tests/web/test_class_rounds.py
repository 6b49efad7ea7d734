"""A class's rounds, from the form that starts them to the wall that shows them."""

from numduel.games import all_games
from web.classroom import RULE, classroom
from web.markup import Element
from web.server import Server


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
        told = room.teach().page.words
        (odd,) = (name for name in room.pupils if f"{name} plays the computer, Iris." in told)
        assert "Iris" in room.pupil(odd).words("players")
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
