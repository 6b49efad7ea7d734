"""Nothing is given away early: while a class looks for the map, its pupils see their class alone.

A pupil's browser holds the codes of the classes that it has joined. Until the map is unveiled,
whatever else it asks for leads back to the class: other pages, pictures, rooms and the API all
could tell what the class is to find. Another browser is another visitor: the guide says so.
"""

from contextlib import suppress

from fastapi import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from numduel.classes import SchoolClass, is_class_code
from numduel.errors import NotAllowed, NumduelError
from numduel.web.pages.errors import answer, refusal
from numduel.web.pages.rendering import remember
from numduel.web.state import classes_of, lobby_of, token_of

COOKIE = "numduel-class"
_MOST = 3  # classes of one browser, the last ones
_OPEN = ("static", "qr.svg", "privacy", "check", "join")
"""First parts of addresses that tell nothing of a game's map."""


def with_class(response: Response, request: Request, code: str) -> Response:
    """The response, telling a pupil's browser to remember the class."""
    codes = _codes(request)
    if code not in codes:
        remember(response, request, COOKIE, ".".join([*codes, code][-_MOST:]), "/")
    return response


class KeptSecret:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reply: ASGIApp = self._app
        if scope["type"] == "http":
            request = Request(scope)
            if codes := _codes(request):
                reply = await _refused(request, codes) or reply
        await reply(scope, receive, send)


def _codes(request: Request) -> list[str]:
    return list(filter(is_class_code, request.cookies.get(COOKIE, "")[:40].split(".")))


async def _refused(request: Request, codes: list[str]) -> Response | None:
    """What a pupil is answered instead; None where nothing is given away."""
    first, *parts = request.url.path.strip("/").split("/")
    if first in _OPEN:
        return None
    if first == "class" and parts and (parts[0] in codes or parts[1:] in ([], ["join"])):
        return None
    on = [one for code in codes if (one := await _looked(request, code)) and not one.tells]
    if not on or await _plays_there(request, [one.code for one in on]):
        return None
    if first == "api":
        return answer(refusal(NotAllowed(problem="class is on"), 403), request.scope)
    return RedirectResponse(f"/class/{on[-1].code}", 303)


async def _looked(request: Request, code: str) -> SchoolClass | None:
    with suppress(NumduelError):
        found = await classes_of(request).look(code, token_of(request))
        return found if found.me else None
    return None


async def _plays_there(request: Request, codes: list[str]) -> bool:
    """Is it a room of the class, or news of one?"""
    kind, code, *_ = [*request.url.path.removeprefix("/api").strip("/").split("/"), ""]
    if kind not in ("room", "rooms"):
        return kind in ("classes", "walls")
    with suppress(NumduelError):
        return (await lobby_of(request).look(code)).class_code in codes
    return False
