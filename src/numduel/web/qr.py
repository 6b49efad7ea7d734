"""Addresses as QR codes: for a terminal, and for a page."""

from __future__ import annotations

from io import BytesIO, StringIO

import segno


def qr_text(text: str) -> str:
    """Lines of half blocks, two rows of the code in each: light on a dark ground."""
    out = StringIO()
    _code(text).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def qr_svg(text: str) -> str:
    """A picture of the code, black on white, without any style: the page sets its size."""
    out = BytesIO()
    _code(text).save(
        out,
        kind="svg",
        border=4,
        dark="#000",
        light="#fff",
        omitsize=True,
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        title=text,
    )
    return out.getvalue().decode()


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)
