"""The one layer around the application: every check, in order; and the headers of every answer."""

import asyncio
from collections.abc import Collection, Iterable
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.errors import TooManyRequests
from numduel.thinking.meter import BYTE, VISIT, Meter, of_address
from numduel.web.pages.errors import answer, refusal
from numduel.web.safety import callers
from numduel.web.settings import Limits
from numduel.web.state import TOKEN, Refusal, token_in
from numduel.wording.text import DIVISION

WAIT_SECONDS = 10.0  # how long a request waits for a place among those of its address

_LENGTHS = {b"content-length", b"transfer-encoding"}
_LOOKED_AT = {b"host", b"origin", b"cookie", b"sec-fetch-site", b"authorization", *_LENGTHS}

_STARTS, _STARTED = ("http.response.start", "websocket.http.response.start"), "numduel.started"

BROKEN = Refusal(
    500, "ServerError", "Something went wrong on our side. It is not your fault, and it was logged."
)

LINGER_SECONDS, LINGER_BYTES = 1.0, 1 << 20  # how long and how much a refused client may still send


AMBIGUOUS = Refusal(
    400,
    "AmbiguousLength",
    "The request gives its length twice: by Content-Length and by Transfer-Encoding.",
)
"""A proxy could see its end elsewhere than we do, and take what follows for a request."""
NO_LENGTH = Refusal(  # a body in tiny chunks takes a thousand times as long to read as in one piece
    411, "LengthRequired", "Send the request with a Content-Length, and not in chunks."
)

Headers = list[tuple[bytes, bytes]]

POLICY = (  # no inline script or style, nothing from elsewhere, and no page of ours in a frame
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_OURS: Headers = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    # Not no-referrer: browsers would then send forms with "Origin: null".
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cache-control", b"no-store"),
]


class Guard:
    """Refusals are sentences; every answer, ours or the application's, has the safety headers.

    All that is done for a request is measured, and on the account of whoever sent it.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, meter: Meter, names: Collection[str] | None = None
    ) -> None:
        self._app = app
        self._limits = limits
        self._names = names
        self._meter = meter
        self._live = callers.LiveConnections(limits)
        within = f"{limits.body_seconds:g} second{'' if limits.body_seconds == 1 else 's'}"
        self._too_slow = Refusal(
            408, "BodyTooSlow", f"The request did not arrive within {within}. Try again."
        )
        self._too_large = Refusal(
            413, "BodyTooLarge", f"The request is too large: the limit is {limits.body:,} bytes."
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        found: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            if name in _LOOKED_AT:
                found.setdefault(name, []).append(value)
        if scope.get("method") == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # the server sends what comes of it without a body
        scope[TOKEN] = token_in(found)
        visit = self._meter.visit(callers.anonymous(scope.get("client")), scope[TOKEN], scope)
        VISIT.set(visit)  # each request and each connection has a context of its own

        async def safe_send(message: Message) -> None:
            if message["type"] in _STARTS:
                scope[_STARTED] = True
                message["headers"] = with_safety(message.get("headers", ()))
            if body := message.get("body"):
                visit.pay(len(body) * BYTE)
            await send(message)

        serve = self._request if scope["type"] == "http" else self._socket
        try:
            await visit.run(serve(scope, receive, safe_send, found))
        finally:
            visit.step_aside()

    async def _request(
        self, scope: Scope, receive: Receive, send: Send, found: callers.Found
    ) -> None:
        refused, body = self._check(scope, found) or self._check_length(found), b""
        if refused is None and b"content-length" in found:
            try:
                async with asyncio.timeout(self._limits.body_seconds):
                    more = True
                    while more:
                        message = await receive()
                        if message["type"] == "http.disconnect":
                            return
                        body += message.get("body", b"")
                        more = message.get("more_body", False)
            except TimeoutError:
                refused = self._too_slow
        if refused is not None:
            await _answer(refused, scope, receive, send, not found.keys().isdisjoint(_LENGTHS))
            return
        try:
            await VISIT.get().come_in(WAIT_SECONDS)
        except TimeoutError:
            late = TooManyRequests(what="requests", seconds=int(WAIT_SECONDS))
            await _answer(refusal(late), scope, receive, send)
            return
        DIVISION.set("÷")
        try:
            await self._app(scope, _replayed(body, receive), send)
        except Exception:
            if _STARTED not in scope:
                await answer(BROKEN, scope)(scope, receive, send)
            raise  # the server logs it

    async def _socket(
        self, scope: Scope, receive: Receive, send: Send, found: callers.Found
    ) -> None:
        visit = VISIT.get()
        counted = visit.limited, of_address(visit), visit.member
        refused = self._check(scope, found) or self._live.open(*counted)
        if refused is not None:
            await _answer(refused, scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._live.close(*counted)

    def _check_length(self, found: callers.Found) -> Refusal | None:
        if b"transfer-encoding" in found:
            return AMBIGUOUS if b"content-length" in found else NO_LENGTH
        # The server has made sure that there is one number of at most 20 digits.
        announced = int(found.get(b"content-length", (b"0",))[0])
        return self._too_large if announced > self._limits.body else None

    def _check(self, scope: Scope, found: callers.Found) -> Refusal | None:
        # A WebSocket has no method, and counts as a change.
        changes = scope.get("method") not in callers.SAFE_METHODS
        return (
            callers.check_host(found, changes, self._names)
            or callers.check_cookies(found)
            or (callers.check_origin(found) if changes else None)
        )


def with_safety(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers, and ours that are not among them: unless it says so, no answer is stored."""
    given = list(headers)
    names = {name.lower() for name, _ in given}
    return given + [(name, value) for name, value in _OURS if name not in names]


async def _answer(
    refused: Refusal, scope: Scope, receive: Receive, send: Send, unread: bool = False
) -> None:
    """Refuse; what is still unread is taken in for a little: the client would be reset, and not
    read why. It belongs to this request, and so nothing may follow it.
    """
    response = answer(refused, scope)
    if not unread:
        await response(scope, receive, send)
        return
    response.headers["Connection"] = "close"
    headers = response.raw_headers
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    taken, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while more and taken < LINGER_BYTES:
                message = await receive()
                taken, more = taken + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.body"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Receive the body in one piece, then whatever comes."""
    first: Message | None = {"type": "http.request", "body": body}

    async def again() -> Message:
        nonlocal first
        message, first = first, None
        return message or await receive()

    return again
