"""SVG as text: elements, one style for all pictures, titles for screen readers; and as files.

And pages that stand alone: text, tables and pictures in one HTML file, no network.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template

from numduel.arguments import checked
from numduel.errors import FileError, MissingExtra

Paint = Callable[[str, str], str]
"""Gives text for a terminal a look: "lost", "won", "bad", "soft", "here" or "here lost"."""
FONTS = (
    '"DejaVu Sans", "Liberation Sans", "Noto Sans", Roboto, Ubuntu, Cantarell, FreeSans, '
    '"Open Sans", Lato, "Segoe UI", "Helvetica Neue", Helvetica, Arial, Verdana, sans-serif'
)
MONOSPACE = '"DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", Menlo, Consolas, monospace'

# Gold marks the lost numbers, the traps, and nothing else. It and blue stay apart for every
# common kind of colour blindness (Okabe and Ito, 2008).
_COLOURS = {
    "paper": ("#ffffff", "#14181c"),
    "ink": ("#1c2126", "#eef2f5"),
    "soft": ("#5b6570", "#a9b4bf"),
    "line": ("#c4ccd4", "#3d4750"),
    "faint": ("#aab4be", "#56616b"),
    "won": ("#d9e8f5", "#1f3a52"),
    "won_edge": ("#8fb3d1", "#4d7ea6"),
    "gold": ("#ffd54a", "#e8b923"),
    "gold_edge": ("#7d5a00", "#fff0b3"),
    "on_gold": ("#241c00", "#241c00"),
    "one": ("#0b62a4", "#6db8f0"),
    "two": ("#7b3fa0", "#cfa6f2"),
    "bad": ("#b3261e", "#ff8a80"),
}
LIGHT, DARK = ({name: pair[dress] for name, pair in _COLOURS.items()} for dress in (0, 1))


def _rules(colours: dict[str, str]) -> str:
    return (
        ".paper {{ fill: {paper} }} .ink {{ fill: {ink} }} .soft {{ fill: {soft} }} "
        ".won {{ fill: {won}; stroke: {won_edge} }} "
        ".lost {{ fill: {gold}; stroke: {gold_edge}; stroke-width: 2 }} "
        ".on-gold {{ fill: {on_gold} }} "
        ".line {{ stroke: {line}; fill: none }} "
        ".way {{ stroke: {one}; stroke-width: 2.5; fill: none }} "
        ".other {{ stroke: {faint}; stroke-width: 1; fill: none }} "
        ".one {{ stroke: {one}; stroke-width: 2; fill: none }} "
        ".two {{ stroke: {two}; stroke-width: 2; fill: none; stroke-dasharray: 6 4 }} "
        ".dot {{ fill: {one}; stroke: none }} "
        ".bad {{ stroke: {bad}; stroke-width: 3; fill: none }} .wrong {{ fill: {bad} }}"
    ).format(**colours)


STYLE = (
    f"text {{ font-family: {FONTS}; }} .mono {{ font-family: {MONOSPACE}; }} {_rules(LIGHT)} "
    f"@media (prefers-color-scheme: dark) {{ {_rules(DARK)} }}"
)


class Picture:
    """An SVG picture, written element by element from back to front. A notebook shows it."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.width, self.height = width, height
        self._head = (title, description)
        self.name = ""
        """What tells this picture's ids from those of others on the same page."""
        self._parts: list[str] = []
        self.add("rect", x=0, y=0, width=width, height=height, rx=8, kind="paper")

    def add(self, tag: str, inside: str | None = None, kind: str = "", **values: object) -> None:
        """An element: `kind` is its class; `stroke_width` becomes `stroke-width`."""
        pairs = {"class": kind} if kind else {}
        pairs |= {name.replace("_", "-"): _shown(value) for name, value in values.items()}
        written = "".join(f' {name}="{escape(value)}"' for name, value in pairs.items())
        end = "/>" if inside is None else f">{escape(inside, quote=False)}</{tag}>"
        self._parts.append(f"<{tag}{written}{end}")

    def text(self, x: float, y: float, words: str, size: float = 14, kind: str = "ink",
             anchor: str = "start", bold: bool = False, fill: str = "") -> None:  # fmt: skip
        more = {"font_weight": "bold"} if bold else {}
        more |= {"fill": fill} if fill else {}
        self.add("text", words, kind, x=x, y=y, font_size=size, text_anchor=anchor, **more)

    def box(self, x: float, y: float, size: float, kind: str, rx: float = 4, **more: str) -> None:
        self.add("rect", None, kind, x=x, y=y, width=size, height=size, rx=rx, **more)

    def circle(self, x: float, y: float, r: float = 4, kind: str = "dot") -> None:
        self.add("circle", None, kind, cx=x, cy=y, r=r)

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        self.add("line", None, kind, x1=x1, y1=y1, x2=x2, y2=y2)

    def way(self, spots: Iterable[tuple[float, float]], kind: str = "way") -> None:
        self.add("polyline", None, kind, points=" ".join(f"{x:.1f},{y:.1f}" for x, y in spots))

    def diamond(self, x: float, y: float, reach: float) -> None:
        """The mark of a trap, for those who cannot tell gold from blue."""
        r = _shown(float(reach))
        shape = f"M{_shown(x)} {_shown(y - reach)}l{r} {r} -{r} {r} -{r} -{r}z"
        self.add("path", None, "on-gold", d=shape)

    def _repr_svg_(self) -> str:
        return str(self)

    def __str__(self) -> str:
        title, description = (escape(words, quote=False) for words in self._head)
        ids = (f"{self.name}title", f"{self.name}description")
        width, height = _shown(self.width), _shown(self.height)
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="{ids[0]} {ids[1]}">',
            f'<title id="{ids[0]}">{title}</title>',
            f'<desc id="{ids[1]}">{description}</desc>',
            f"<style>{STYLE}</style>",
        ]
        return "\n".join([*head, *self._parts, "</svg>\n"])


def _shown(value: object) -> str:
    """Numbers without needless digits, so that pictures compare."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


@checked
def save_picture(picture: Picture, path: str) -> None:
    """Write the picture, as SVG or PNG by its ending. Raises `FileError`, `MissingExtra`."""
    ending = Path(path).suffix.lower()
    if ending not in (".svg", ".png"):
        raise FileError(path=path, problem="ending")
    save_bytes(to_png(picture) if ending == ".png" else str(picture).encode(), path)


def save_bytes(data: bytes, path: str) -> None:
    """Write a file. Raises `FileError`."""
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise FileError(path=path, problem="unwritten", reason=error.strerror) from error


def to_png(picture: Picture) -> bytes:
    """The picture as PNG, in its light theme. Raises `FileError` where there are no fonts."""
    blank, worded = (Picture(100, 30, "", "") for _ in range(2))
    worded.text(5, 20, "numduel")
    if _render(worded) == _render(blank):
        raise FileError(path="", problem="no fonts")
    return _render(picture)


def _render(picture: Picture) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise MissingExtra(extra="images", package="resvg-py") from error
    return bytes(svg_to_bytes(svg_string=str(picture), zoom=2))


def read_style(name: str) -> str:
    """The style sheet of this name, with the fonts and colours of pictures."""
    text = Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")
    dark = {f"dark_{name}": colour for name, colour in DARK.items()}
    return f"\n{Template(text).substitute(LIGHT, fonts=FONTS, **dark)}"


_STYLE = read_style("page")


def make_page(title: str, parts: Sequence[str], style: str = _STYLE) -> str:
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


def make_table(header: Sequence[str], rows: Sequence[Sequence[str]],
               marked: Collection[int] = (), kind: str = "") -> str:  # fmt: skip
    """A table; the rows at the `marked` places stand out. Of kind "figures": numbers to compare."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    lines = []
    for at, row in enumerate(rows):
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
        begin = '<tr class="mistake">' if at in marked else "<tr>"
        lines.append(f"{begin}{cells}</tr>")
    body = "\n".join(lines)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return scrolling(table, kind)
