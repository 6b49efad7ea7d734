"""The pages of a class, without scripts: joining, rounds, the wall, questions, the map."""

from urllib.parse import quote

from numduel.web.pages.school.teacher import _ACTIONS
from numduel.web.safety.connections import Requests
from numduel.web.settings import Limits
from web.classroom import classroom
from web.server import Server


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
