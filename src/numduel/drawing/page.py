"""A page that stands alone: text, tables and pictures in one HTML file, no network."""

from collections.abc import Collection, Sequence
from html import escape
from pathlib import Path
from string import Template

from numduel.drawing.svg import DARK, FONTS, LIGHT

_DARK = {f"dark_{name}": colour for name, colour in DARK.items()}


def read_style(name: str) -> str:
    """The style sheet of this name, with the fonts and colours of pictures."""
    text = Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")
    return f"\n{Template(text).substitute(LIGHT, fonts=FONTS, **_DARK)}"


_STYLE = read_style("page")


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


def short(words: str, limit: int) -> str:
    return words if len(words) <= limit else f"{words[: limit - 3]}..."


def heading(words: str) -> str:
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
