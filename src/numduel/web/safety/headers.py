"""What every answer tells browsers: run our own files and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

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


def with_safety(headers: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers, and ours that are not among them.

    So an answer is not stored, unless it says how long it may be.
    """
    given = list(headers)
    names = {name.lower() for name, _ in given}
    return given + [(name, value) for name, value in _OURS if name not in names]
