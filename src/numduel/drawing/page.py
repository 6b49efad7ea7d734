"""A page that stands alone: text, tables and pictures in one HTML file, no network."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from numduel.drawing.svg import DARK, FONTS, LIGHT

_STYLE = f"""
:root {{ color-scheme: light dark; }}
body {{ font-family: {FONTS}; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  line-height: 1.5; background: {LIGHT["paper"]}; color: {LIGHT["ink"]}; }}
svg {{ max-width: 100%; height: auto; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.3rem 0.9rem 0.3rem 0;
  border-bottom: 1px solid {LIGHT["line"]}; }}
td:first-child {{ overflow-wrap: anywhere; }}
.figures :is(th, td):not(:first-child) {{ text-align: right;
  font-variant-numeric: tabular-nums; }}
tr.mistake td {{ font-weight: bold; }}
code {{ overflow-wrap: anywhere; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: {DARK["paper"]}; color: {DARK["ink"]}; }}
  th, td {{ border-color: {DARK["line"]}; }}
}}
"""


def make_page(title: str, parts: Sequence[str], style: str = _STYLE) -> str:
    """The page of these parts, which are HTML, below the title."""
    body = "\n".join(parts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
</body>
</html>
"""


def heading(words: str) -> str:
    """The beginning of a section."""
    return f"<h2>{escape(words)}</h2>"


def paragraph(words: str, code: str = "") -> str:
    """A paragraph, which may end with something to copy."""
    return f"<p>{escape(words)}{f' <code>{escape(code)}</code>' if code else ''}</p>"


def scrolling(inside: object, kind: str = "") -> str:
    """What may be wider than the screen."""
    return f'<div class="scroll{f" {kind}" if kind else ""}">\n{inside}</div>'


def make_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    marked: Collection[int] = (),
    kind: str = "",
) -> str:
    """A table; the rows at the `marked` places stand out. Of kind "figures": numbers to compare."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "\n".join(
        ('<tr class="mistake">' if at in marked else "<tr>")
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for at, row in enumerate(rows)
    )
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return scrolling(table, kind)
