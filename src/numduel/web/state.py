"""What the application keeps for whoever answers a request; who asks, by a token; what was refused.

The token is in a browser's cookie or a program's Authorization header. It is made with the first
change, never by looking at a page; the store keeps it only hashed together with a room's code.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import cast

from starlette.requests import HTTPConnection
from starlette.responses import Response

from numduel.classes import Classes
from numduel.errors import NumduelError
from numduel.rooms import Lobby
from numduel.rooms.tokens import is_token, new_token
from numduel.thinking.thinkers import Thinkers

COOKIE = "numduel"
TOKEN = "numduel.token"  # where the guard puts the token, in what it hands on
SECONDS = 365 * 24 * 3600  # how long a browser keeps its seats after the last change

_SENT = re.compile(rf"(?:^|;)[ \t]*{COOKIE}=([^;]*)")
_BEARER = re.compile(r"bearer(?: +(\S+) *)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int = 200
    error: str = ""  # one word for programs
    message: str = ""  # a sentence for people; empty where nothing was refused
    headers: Mapping[str, str] = field(default_factory=dict)
    where: str = ""  # the field of the form that was wrong
    form: Mapping[str, str] = field(default_factory=dict)  # what was filled in
    cause: NumduelError | None = None  # the error itself: a page may offer something instead

    def at(self, where: str) -> str:
        """The sentence, if it is about this field."""
        return self.message if self.where == where else ""


def refused(request: HTTPConnection) -> Refusal:
    """What the page that is shown next has to say."""
    return cast("Refusal", getattr(request.state, "refused", Refusal()))


def lobby_of(request: HTTPConnection) -> Lobby:
    return cast("Lobby", request.app.state.lobby)


def classes_of(request: HTTPConnection) -> Classes:
    return cast("Classes", request.app.state.classes)


def thinkers_of(request: HTTPConnection) -> Thinkers:
    return lobby_of(request).thinkers


def base_of(request: HTTPConnection) -> str:
    """The first page's address as others reach it, where that is known; it ends with a slash."""
    shared: tuple[str, ...] = request.app.state.settings.addresses
    return shared[0] if shared and _is_own(request) else str(request.base_url)


def only_here(request: HTTPConnection) -> bool:
    return _is_own(request) and not request.app.state.settings.addresses


def _is_own(request: HTTPConnection) -> bool:
    """Was the server asked by a name that every machine has for itself?"""
    host = request.url.hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def token_of(request: HTTPConnection) -> str | None:
    return cast("str | None", request.scope[TOKEN])


def token_in(headers: Mapping[bytes, Sequence[bytes]]) -> str | None:
    """The token there, None where none has the right form. A program's counts before a cookie."""
    said = headers.get(b"authorization", (b"",))[0].decode("latin-1")
    if _BEARER.match(said):
        bearer = _BEARER.fullmatch(said)
        return bearer[1] if bearer and is_token(bearer[1] or "") else None
    return next(iter(tokens_in(headers.get(b"cookie", ()))), None)  # the guard refuses two


def by_program(request: HTTPConnection) -> bool:
    """Does a program ask, with a token of its own? Another password is for a proxy before us."""
    return _BEARER.match(request.headers.get("authorization", "")) is not None


def token_for(request: HTTPConnection) -> str:
    """The token of whoever makes a change: the one sent, or a new one."""
    return token_of(request) or new_token()


def with_cookie(response: Response, request: HTTPConnection, token: str) -> Response:
    """The response, telling the browser to keep the token. Programs keep their own."""
    if not by_program(request):
        secure = "; Secure" if request.scope.get("scheme") in ("https", "wss") else ""
        cookie = f"{COOKIE}={token}; Path=/; Max-Age={SECONDS}; HttpOnly; SameSite=Lax{secure}"
        response.headers.append("Set-Cookie", cookie)
    return response


def tokens_in(values: Iterable[bytes]) -> set[str]:
    texts = (text.strip() for value in values for text in _SENT.findall(value.decode("latin-1")))
    return set(filter(is_token, texts))


def holds_cookie(values: Iterable[bytes]) -> bool:
    """Is our cookie among these values of Cookie headers, whatever it holds?"""
    return any(_SENT.search(value.decode("latin-1")) for value in values)
