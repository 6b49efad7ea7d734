"""Addresses as QR codes: for a terminal, and for a page."""

from asyncio import get_running_loop
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from io import BytesIO, StringIO
from typing import Annotated
from urllib.parse import quote

import segno
from fastapi import Query, Request
from fastapi.responses import Response

from numduel.thinking.meter import VISIT
from numduel.web.pages.rendering import router
from numduel.web.state import base_of

_LONGEST = 2_000
"""Characters of an address that still fit into a code."""
_DRAWING = ThreadPoolExecutor(1, "qr")
"""One at a time, and not in the loop: the longest takes some hundredths of a second."""


def qr_text(text: str) -> str:
    """Lines of half blocks, two rows of the code in each: light on a dark ground."""
    out = StringIO()
    _code(text).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


@router.get("/qr.svg")
async def qr_picture(
    request: Request, to: Annotated[str, Query(max_length=_LONGEST)] = ""
) -> Response:
    """The code of an address of this server, as others reach it."""
    address = f"{base_of(request)}{quote(to, safe='/?=&:,~+%')[:_LONGEST]}"
    draw, loop = VISIT.get().paid(qr_svg), get_running_loop()
    drawn = await loop.run_in_executor(_DRAWING, draw, address)
    return Response(drawn, media_type="image/svg+xml")


@lru_cache(maxsize=32)
def qr_svg(text: str) -> str:
    """A picture of the code, black on white, without any style: the page sets its size."""
    out = BytesIO()
    plain = {"xmldecl": False, "svgclass": None, "lineclass": None}
    _code(text).save(out, kind="svg", border=4, light="#fff", omitsize=True, title=text, **plain)
    return out.getvalue().decode()


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)
