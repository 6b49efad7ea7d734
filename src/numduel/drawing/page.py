"""A page that stands alone: text, a table and a figure in one HTML file, no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from numduel.drawing.svg import FONTS, Picture

_STYLE = f"""
:root {{ color-scheme: light dark; }}
body {{ font-family: {FONTS}; max-width: 56rem; margin: 2rem auto; padding: 0 1rem;
  line-height: 1.5; background: #ffffff; color: #1c2126; }}
svg {{ max-width: 100%; height: auto; }}
.scroll {{ overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid #c4ccd4; }}
tr.mistake td {{ font-weight: bold; }}
code {{ overflow-wrap: anywhere; }}
@media (prefers-color-scheme: dark) {{
  body {{ background: #14181c; color: #eef2f5; }}
  th, td {{ border-color: #3d4750; }}
}}
"""


def make_page(
    title: str,
    figure: Picture,
    header: Sequence[str],
    rows: Sequence[tuple[bool, Sequence[str]]],
    closing: Sequence[str],
    word: str,
) -> str:
    """The page of an analysis; a row is True where it is to stand out."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "\n".join(
        ('<tr class="mistake">' if marked else "<tr>")
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for marked, row in rows
    )
    paragraphs = "\n".join(f"<p>{escape(line)}</p>" for line in closing)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<div class="scroll">
{figure}</div>
<h2>Turn by turn</h2>
<div class="scroll"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{body}
</tbody>
</table></div>
{paragraphs}
<p>The match in one word: <code>{escape(word)}</code></p>
</main>
</body>
</html>
"""
