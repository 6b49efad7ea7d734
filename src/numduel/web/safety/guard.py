"""The one layer around the application: every check, in order; and the headers of every answer."""

from collections.abc import Collection, Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from numduel.errors import TooManyRequests
from numduel.thinking.meter import BYTE, VISIT, Meter, of_address
from numduel.web.pages.errors import Refusal, answer, refusal
from numduel.web.safety import body, origin
from numduel.web.safety.clients import LiveConnections, anonymous
from numduel.web.settings import Limits
from numduel.web.state import TOKEN, token_in
from numduel.wording.text import DIVISION

WAIT_SECONDS = 10.0
"""How long a request waits for a place among those of its address."""

_LOOKED_AT = frozenset(
    {
        b"host", b"origin", b"cookie", b"sec-fetch-site", b"content-length", b"transfer-encoding",
        b"authorization",
    }
)  # fmt: skip

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
        self._live = LiveConnections(limits)

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
        visit = self._meter.visit(anonymous(scope.get("client")), scope[TOKEN], scope)
        VISIT.set(visit)  # each request and each connection has a context of its own
        serve = self._request if scope["type"] == "http" else self._socket
        try:
            await visit.run(serve(scope, receive, send, found))
        finally:
            visit.step_aside()

    async def _request(
        self, scope: Scope, receive: Receive, send: Send, found: origin.Found
    ) -> None:
        started, visit = False, VISIT.get()

        async def safe_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = with_safety(message.get("headers", ()))
            else:
                visit.pay(len(message.get("body", b"")) * BYTE)
            await send(message)

        length, chunked = body.announced(found.get(b"content-length", ())), b"transfer-encoding"
        refused = self._check(scope, found)
        if refused is None and chunked in found:
            refused = body.AMBIGUOUS if b"content-length" in found else body.NO_LENGTH
        if refused is None and length > self._limits.body:
            refused = body.too_large(self._limits)
        if refused is None and length != 0:
            try:
                whole = await body.read(receive, self._limits)
            except body.Disconnected:
                return
            if isinstance(whole, Refusal):
                refused = whole
            else:
                receive, length = body.replayed(whole, receive), 0
        if refused is None:
            try:
                await visit.come_in(WAIT_SECONDS)
            except TimeoutError:
                refused = refusal(TooManyRequests(what="requests", seconds=int(WAIT_SECONDS)))
        if refused is not None:
            await _answer(
                refused, scope, receive, safe_send, unread=length != 0 or chunked in found
            )
            return
        DIVISION.set("÷")
        try:
            await self._app(scope, receive, safe_send)
        except Exception:
            if not started:
                await answer(BROKEN, scope)(scope, receive, safe_send)
            raise  # the server logs it

    async def _socket(
        self, scope: Scope, receive: Receive, send: Send, found: origin.Found
    ) -> None:
        async def safe_send(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = with_safety(message.get("headers", ()))
            await send(message)

        visit = VISIT.get()
        counted = visit.limited, of_address(visit)
        refused = self._check(scope, found) or self._live.open(*counted)
        if refused is not None:
            await _answer_socket(refused, scope, receive, safe_send)
            return
        try:
            await self._app(scope, receive, safe_send)
        finally:
            self._live.close(*counted)

    def _check(self, scope: Scope, found: origin.Found) -> Refusal | None:
        # A WebSocket has no method, and counts as a change.
        changes = scope.get("method") not in origin.SAFE_METHODS
        return (
            origin.check_host(found, changes, self._names)
            or origin.check_cookies(found)
            or (origin.check_origin(found) if changes else None)
        )


def with_safety(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers, and ours that are not among them: unless it says so, no answer is stored."""
    given = list(headers)
    names = {name.lower() for name, _ in given}
    return given + [(name, value) for name, value in _OURS if name not in names]


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
