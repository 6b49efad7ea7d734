"""A class for tests: a teacher and pupils, each with a browser without scripts."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from patience import until
from web.browser import LAPTOP, Browsers
from web.browser import Visitor as Window
from web.server import Server
from web.visitor import Visitor

RULE = {"game": "own", "own": "subtract-1-3-4", "number": "9"}


class Classroom:
    def __init__(self, server: Server, stack: ExitStack) -> None:
        self._server, self._stack = server, stack
        self.teacher = self.visitor()
        self.teacher.get("/class")
        self.teacher.press("start-class")
        self.code = self.teacher.at.split("/")[2]
        self.pupils: dict[str, Visitor] = {}

    @property
    def at(self) -> str:
        return f"/class/{self.code}"

    def visitor(self) -> Visitor:
        return self._stack.enter_context(Visitor(self._server.address))

    def join(self, name: str) -> Visitor:
        pupil = self.visitor()
        pupil.get(f"/join?code={self.code}")

        def came() -> bool:
            pupil.press("join", name=name)
            return pupil.status != 429  # many come at once

        until(came)
        self.pupils[name] = pupil
        return pupil

    def pupil(self, name: str) -> Visitor:
        self.pupils[name].get(self.at)
        return self.pupils[name]

    def teach(self, page: str = "teacher") -> Visitor:
        self.teacher.get(f"{self.at}/{page}")
        return self.teacher

    def start(self, **filled: str) -> None:
        """Start a round by the form; with `anyway`, while another is played."""
        self.teach().press("round", **filled)

    def press(self, action: str, page: str = "teacher", **filled: str) -> Visitor:
        """The teacher presses the button of a form that does this, with this in its fields."""
        teacher = self.teach(page)
        forms = teacher.page.all("form")
        form = next(one for one in forms if one.attributes["action"].endswith(action))
        fields = {one.attributes["name"]: one.attributes["value"] for one in form.all("input")}
        teacher.post(form.attributes["action"], **(fields | filled))
        return teacher

    def play(self, turns: int, last: bool = False) -> None:
        """So often everybody who can moves: the smallest move, or the last of the buttons."""
        for _ in range(turns):
            for name in self.pupils:
                if moves := self.pupil(name).moves():
                    self.pupils[name].press("moves", moves[-1 if last else 0])


@contextmanager
def classroom(server: Server, *names: str, turns: int | None = None) -> Iterator[Classroom]:
    """A class of these pupils; with `turns`, after so many of a short round."""
    with ExitStack() as stack:
        room = Classroom(server, stack)
        for name in names:
            room.join(name)
        if turns is not None:
            room.start(**RULE)
            room.play(turns)
        yield room


def teacher_of(
    browsers: Browsers, server: Server, room: Classroom, window: tuple[int, int] = LAPTOP
) -> Window:
    return in_browser(browsers.visitor(server, window), room.teacher)


def in_browser(window: Window, who: Visitor) -> Window:
    window.context.clear_cookies()
    cookies = [
        {"name": name, "value": value, "url": window.server.address}
        for name, value in who.cookies.items()
    ]
    window.context.add_cookies(cookies)  # type: ignore[arg-type]
    return window
