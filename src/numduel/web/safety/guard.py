"""The one layer around the application: every check, in order; and the headers of every answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.thinking.waiting_line import ASKER, STEP_ASIDE
from numduel.web.pages.errors import Refusal, answer
from numduel.web.safety import body, origin
from numduel.web.safety.rates import Rates, anonymous
from numduel.web.settings import Limits
from numduel.wording.text import DIVISION

_LOOKED_AT = frozenset(
    {b"host", b"origin", b"cookie", b"sec-fetch-site", b"content-length", b"transfer-encoding"}
)

_LENGTHS = frozenset({b"content-length", b"transfer-encoding"})

_STARTS = ("http.response.start", "websocket.http.response.start")

BROKEN = Refusal(
    500, "ServerError", "Something went wrong on our side. It is not your fault, and it was logged."
)

Headers = list[tuple[bytes, bytes]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No inline script, no inline style, nothing from elsewhere, and no page of ours in a frame."""

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
    """Refusals are sentences; every answer, ours or the application's, has the safety headers."""

    def __init__(self, app: ASGIApp, limits: Limits, names: Collection[str] | None = None) -> None:
        self._app = app
        self._limits = limits
        self._names = names
        self._rates = Rates(limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def safe_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                STEP_ASIDE.get()()  # the answer is made; how fast it is read is the client's affair
                message["headers"] = with_safety(message.get("headers", ()))
            await send(message)

        if scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}  # the server sends what comes of it without a body
        found = _look(scope)
        length = body.announced(
            found.get(b"content-length", ()), found.get(b"transfer-encoding", ())
        )
        client = anonymous(scope.get("client"))
        ASKER.set(client)  # each request and each connection has a context of its own
        refused = self._check(scope, found, client)
        if refused is None and len(found.keys() & _LENGTHS) > 1:
            refused = body.AMBIGUOUS
        if refused is None and length is not None and length > self._limits.body:
            refused = body.too_large(self._limits)
        if refused is None and length != 0:
            try:
                whole = await body.read(receive, self._limits)
            except body.Disconnected:
                return
            if isinstance(whole, Refusal):
                refused = whole
            else:
                receive = body.replayed(whole, receive)
        if refused is not None:
            await _answer(refused, scope, receive, safe_send, unread=length != 0)
            return
        DIVISION.set("÷")
        place = await self._rates.place(client)
        STEP_ASIDE.set(place.close)
        try:
            await self._app(scope, receive, safe_send)
        except Exception:
            if not started:
                await answer(BROKEN, scope)(scope, receive, safe_send)
            raise  # the server logs it
        finally:
            place.close()

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def safe_send(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = with_safety(message.get("headers", ()))
            await send(message)

        client = anonymous(scope.get("client"))
        ASKER.set(client)  # each request and each connection has a context of its own
        refused = self._check(scope, _look(scope), client) or self._rates.open_socket(client)
        if refused is not None:
            await _answer_socket(refused, scope, receive, safe_send)
            return
        try:
            await self._app(scope, receive, safe_send)
        finally:
            self._rates.close_socket(client)

    def _check(
        self, scope: Scope, found: Mapping[bytes, list[bytes]], client: bytes
    ) -> Refusal | None:
        now = monotonic()
        # A WebSocket has no method, and counts as a change.
        changes = scope.get("method") not in origin.SAFE_METHODS
        return (
            self._rates.request(client, now)
            or origin.check_host(found, changes, self._names)
            or origin.check_cookies(found)
            or (origin.check_origin(found) if changes else None)
            or self._rates.opened(client, scope, now)
        )


def with_safety(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers, and ours that are not among them: unless it says so, no answer is stored."""
    given = list(headers)
    names = {name.lower() for name, _ in given}
    return given + [(name, value) for name, value in _OURS if name not in names]


def _look(scope: Scope) -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        if name in _LOOKED_AT:
            found.setdefault(name, []).append(value)
    return found


async def _answer(
    refused: Refusal, scope: Scope, receive: Receive, send: Send, unread: bool
) -> None:
    response = answer(refused, scope)
    if unread:
        # What is still to come belongs to this request: nothing may follow it.
        response.headers["Connection"] = "close"
        send = body.lingering(receive, send)
    await response(scope, receive, send)


async def _answer_socket(refused: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a live connection: with a sentence where the server can send one."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await answer(refused, scope)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1013, "reason": refused.error})
