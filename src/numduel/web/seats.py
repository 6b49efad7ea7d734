"""Who asks: the token of a browser's cookie, or of a program's Authorization header.

A token is made with the first change, never by looking at a page. It does not say whose
it is; the store keeps it only hashed together with a room's code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.requests import HTTPConnection
from starlette.responses import Response

from numduel.rooms.tokens import is_token, new_token

COOKIE = "numduel"
SECONDS = 365 * 24 * 3600
"""How long a browser keeps its seats after the last change."""

_SENT = re.compile(rf"(?:^|;)[ \t]*{COOKIE}=([^;]*)")
_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE)


def token_of(request: HTTPConnection) -> str | None:
    """The token sent, None where none has the right form. A program's counts before a cookie."""
    if (said := request.headers.get("authorization")) is not None:
        bearer = _BEARER.fullmatch(said)
        return bearer[1] if bearer and is_token(bearer[1]) else None
    sent = tokens_in(value.encode("latin-1") for value in request.headers.getlist("cookie"))
    return next(iter(sent), None)  # the guard refuses two


def token_for(request: HTTPConnection) -> str:
    """The token of whoever makes a change: the one sent, or a new one."""
    return token_of(request) or new_token()


def with_cookie(response: Response, request: HTTPConnection, token: str) -> Response:
    """The response, telling the browser to keep the token. Programs keep their own."""
    if "authorization" not in request.headers:
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
