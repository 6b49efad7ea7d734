"""What browsers are told with every answer: run our own files and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

Headers = list[tuple[bytes, bytes]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No inline script, no inline style, nothing from elsewhere, and no page of ours in a frame."""

_ALWAYS: Headers = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    # Not no-referrer: browsers would then send forms with "Origin: null".
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
_NOT_KEPT: Headers = [*_ALWAYS, (b"cache-control", b"no-store")]


def with_safety(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers and ours. An answer is not stored, unless it says how long it may be."""
    given = list(headers)
    kept = any(name.lower() == b"cache-control" for name, _ in given)
    return given + (_ALWAYS if kept else _NOT_KEPT)
