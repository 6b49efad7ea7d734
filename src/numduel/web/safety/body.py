"""Bodies: small, and here in time. The application gets a body whole."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from starlette.types import Message, Receive, Send

from numduel.web.pages.errors import Refusal
from numduel.web.settings import Limits

LINGER_SECONDS = 1.0
LINGER_BYTES = 1 << 20
"""How long, and how much, a refused client may keep sending, so that it reads the answer."""


AMBIGUOUS = Refusal(
    400,
    "AmbiguousLength",
    "The request gives its length twice: by Content-Length and by Transfer-Encoding.",
)
"""A proxy could see its end elsewhere than we do, and take what follows for a request."""
NO_LENGTH = Refusal(
    411, "LengthRequired", "Send the request with a Content-Length, and not in chunks."
)
"""A body in tiny chunks takes a thousand times as long to read as one in a piece."""


class Disconnected(Exception):
    """The client left before its body was here."""


def announced(lengths: Sequence[bytes]) -> int:
    """The bytes that the headers announce."""
    if not lengths:
        return 0
    # int() would take signs, blanks and underscores, and refuse very long texts.
    text = lengths[0]
    return int(text) if text.isdigit() and len(text) < 20 else 1 << 62


def too_large(limits: Limits) -> Refusal:
    return Refusal(
        413, "BodyTooLarge", f"The request is too large: the limit is {limits.body:,} bytes."
    )


def too_slow(limits: Limits) -> Refusal:
    within = f"{limits.body_seconds:g} second{'' if limits.body_seconds == 1 else 's'}"
    return Refusal(408, "BodyTooSlow", f"The request did not arrive within {within}. Try again.")


async def read(receive: Receive, limits: Limits) -> bytes | Refusal:
    """The whole body. Raises `Disconnected`."""
    body = bytearray()
    try:
        async with asyncio.timeout(limits.body_seconds):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Disconnected
                body += message.get("body", b"")
                if len(body) > limits.body:
                    return too_large(limits)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return too_slow(limits)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Receive the body in one piece, then whatever comes."""
    first: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def again() -> Message:
        nonlocal first
        if first is None:
            return await receive()
        message, first = first, None
        return message

    return again


def lingering(receive: Receive, send: Send) -> Send:
    """Send an answer, but take in a little more first: a client that still sends would be reset."""

    async def wait_then_send(message: Message) -> None:
        if message["type"] != "http.response.body" or message.get("more_body", False):
            await send(message)
            return
        await send({**message, "more_body": True})
        await _take_in(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return wait_then_send


async def _take_in(receive: Receive) -> None:
    taken = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while taken < LINGER_BYTES:
                message = await receive()
                taken += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
