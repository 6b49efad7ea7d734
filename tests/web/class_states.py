"""The pages of a class in every state that they can be in, for `test_browser_pages.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from web.classroom import classroom, in_browser
from web.states import Stage, State, at

PUPILS: list[tuple[str, ...]] = [
    (), ("round",), ("round", "pause"), ("round", "ask discuss"), ("round", "map map"),
    ("round", "ask discuss", "show discuss"), ("round", "map map", "unveil map"),
]  # fmt: skip
"""What was done before a pupil looks: an action, and the page from which it is done."""


def classes() -> Iterator[State]:
    yield at("class", "/class", "class")
    yield at("class that has ended", "/class", "class?ended=1")
    yield at("join", "/join", "join")
    yield at("join with a wrong code", "/join", "join?code=zzzzz", 404)
    yield at("class that is gone", "/class/{code}", "class/zzzzz", 404)

    def taught(page: str, *done: str) -> Callable[[Stage], None]:
        """The visitor teaches four pupils, and after all this opens a page of the class."""

        def reach(stage: Stage) -> None:
            with classroom(stage.visitor.server, "Ada", "Ben", "Cleo", "Ümit") as room:
                if done:
                    room.start(own="subtract-1-3-4", number="9")
                    room.play(2)
                for action in done[1:]:
                    room.press(*action.split())
                in_browser(stage.visitor, room.teacher)
                room.teach("wall")
                tile = room.teacher.page.all("li", "tile")
                board = tile[0].one("a").attributes["href"] if tile else ""
                stage.go(board if page == "board" else f"class/{room.code}/{page}")

        return reach

    def sees(*done: str) -> Callable[[Stage], None]:
        """The visitor is a pupil of a class in which all this was done."""

        def reach(stage: Stage) -> None:
            with classroom(stage.visitor.server, "Ada", "Ben") as room:
                in_browser(stage.visitor, room.join("Mia"))
                if done:
                    room.start(own="subtract-1-3-4", number="5")
                    room.play(5)
                for action in done[1:]:
                    room.press(*action.split())
                stage.go(f"class/{room.code}")

        return reach

    shown = {
        "teacher": [(), ("round",), ("round", "pause"), ("round", "stop")],
        "wall": [(), ("round",)],
        "board": [("round",)],
        "discuss": [(), ("round", "ask discuss"), ("round", "ask discuss", *["show discuss"] * 3)],
        "map": [(), ("round",), ("round", "map map"), ("round", "map map", "unveil map")],
        "learned": [(), ("round",)],
    }
    routes = {"board": "/class/{code}/wall/{room_code}"}
    for page, states in shown.items():
        for done in states:
            name = f"class: {page}" + "".join(f", {one}" for one in done)
            route = routes.get(page, f"/class/{{code}}/{page}")
            yield State(name, route, taught(page, *done), 200, 1)
    yield State("class: to join", "/class/{code}", _to_join, 200, 1)
    for done in PUPILS:
        name = "class: pupil" + "".join(f", {one}" for one in done)
        yield State(name, "/class/{code}", sees(*done), 200, 1)
    yield at(
        "class: second teacher", "/class/{code}/teacher/{secret}", "class/zzzzz/teacher/secret"
    )


def _to_join(stage: Stage) -> None:
    with classroom(stage.visitor.server) as room:
        stage.visitor.context.clear_cookies()
        stage.go(f"class/{room.code}")


CLASS_STATES = list(classes())
