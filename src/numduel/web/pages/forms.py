"""What a form sent, and what an address asks for, as plain text."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request


async def pairs(request: Request) -> list[tuple[str, str]]:
    """The fields of an urlencoded form in order, without blanks around."""
    body = (await request.body()).decode("utf-8", "replace")
    read = parse_qsl(body, keep_blank_values=True)  # a body is short: the guard makes sure
    return [(name, value.strip()) for name, value in read]


async def fields(request: Request) -> dict[str, str]:
    """The fields of an urlencoded form, each once: the last counts."""
    return dict(await pairs(request))


def whole(text: str | None, usual: int, least: int, most: int) -> int:
    """The number in the text, kept within the limits; the usual one for anything else."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 10):
        return usual
    return min(max(int(text), least), most)
