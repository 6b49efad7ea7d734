"""SVG as text: elements, one style for all pictures, titles for screen readers."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

FONTS = (
    '"DejaVu Sans", "Liberation Sans", "Noto Sans", Roboto, Ubuntu, Cantarell, FreeSans, '
    '"Open Sans", Lato, "Segoe UI", "Helvetica Neue", Helvetica, Arial, Verdana, sans-serif'
)
MONOSPACE = '"DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono", Menlo, Consolas, monospace'

# Blue and orange stay apart for every common kind of colour blindness (Okabe and Ito, 2008).
_LIGHT = {
    "paper": "fill: #ffffff",
    "ink": "fill: #1c2126",
    "soft": "fill: #5b6570",
    "won": "fill: #d9e8f5; stroke: #8fb3d1",
    "lost": "fill: #f7c873; stroke: #a86400; stroke-width: 2",
    "cross": "stroke: #7a4700; stroke-width: 2; fill: none",
    "line": "stroke: #c4ccd4; fill: none",
    "way": "stroke: #0b62a4; stroke-width: 2.5; fill: none",
    "other": "stroke: #aab4be; stroke-width: 1; fill: none",
    "one": "stroke: #0b62a4; stroke-width: 2; fill: none",
    "two": "stroke: #7a4700; stroke-width: 2; fill: none; stroke-dasharray: 6 4",
    "dot": "fill: #0b62a4; stroke: none",
    "bad": "stroke: #b3261e; stroke-width: 3; fill: none",
    "wrong": "fill: #b3261e",
}
_DARK = {
    "paper": "fill: #14181c",
    "ink": "fill: #eef2f5",
    "soft": "fill: #a9b4bf",
    "won": "fill: #1f3a52; stroke: #4d7ea6",
    "lost": "fill: #7d5210; stroke: #f0b24a; stroke-width: 2",
    "cross": "stroke: #ffd58a; stroke-width: 2; fill: none",
    "line": "stroke: #3d4750; fill: none",
    "way": "stroke: #6db8f0; stroke-width: 2.5; fill: none",
    "other": "stroke: #56616b; stroke-width: 1; fill: none",
    "one": "stroke: #6db8f0; stroke-width: 2; fill: none",
    "two": "stroke: #f0b24a; stroke-width: 2; fill: none; stroke-dasharray: 6 4",
    "dot": "fill: #6db8f0; stroke: none",
    "bad": "stroke: #ff8a80; stroke-width: 3; fill: none",
    "wrong": "fill: #ff8a80",
}


def _rules(dress: dict[str, str]) -> str:
    return " ".join(f".{name} {{ {rule} }}" for name, rule in dress.items())


STYLE = (
    f"text {{ font-family: {FONTS}; }} .mono {{ font-family: {MONOSPACE}; }} {_rules(_LIGHT)} "
    f"@media (prefers-color-scheme: dark) {{ {_rules(_DARK)} }}"
)


class Picture:
    """An SVG picture, written element by element from back to front."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.width = width
        self.height = height
        self._head = (title, description)
        self._parts: list[str] = []
        self.add("rect", x=0, y=0, width=width, height=height, rx=8, kind="paper")

    def add(self, tag: str, inside: str | None = None, kind: str = "", **values: object) -> None:
        """An element: `kind` is its class; `stroke_width` becomes `stroke-width`."""
        pairs = {"class": kind} if kind else {}
        pairs |= {name.replace("_", "-"): _shown(value) for name, value in values.items()}
        written = "".join(f" {name}={quoteattr(value)}" for name, value in pairs.items())
        if inside is None:
            self._parts.append(f"<{tag}{written}/>")
        else:
            self._parts.append(f"<{tag}{written}>{escape(inside)}</{tag}>")

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 14,
        kind: str = "ink",
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Words at a place."""
        weight = {"font_weight": "bold"} if bold else {}
        values = {"x": x, "y": y, "font_size": size, "text_anchor": anchor, **weight}
        self.add("text", words, kind, **values)

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        """A straight line."""
        self.add("line", None, kind, x1=x1, y1=y1, x2=x2, y2=y2)

    def cross(self, x: float, y: float, reach: float, kind: str = "cross") -> None:
        """A small cross."""
        shape = (
            f"M{_shown(x - reach)} {_shown(y - reach)}L{_shown(x + reach)} {_shown(y + reach)}"
            f"M{_shown(x - reach)} {_shown(y + reach)}L{_shown(x + reach)} {_shown(y - reach)}"
        )
        self.add("path", None, kind, d=shape)

    def __str__(self) -> str:
        title, description = self._head
        size = f"{_shown(self.width)} {_shown(self.height)}"
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
                f'width="{_shown(self.width)}" height="{_shown(self.height)}" '
                'role="img" aria-labelledby="title description">',
                f'<title id="title">{escape(title)}</title>',
                f'<desc id="description">{escape(description)}</desc>',
                f"<style>{STYLE}</style>",
                *self._parts,
                "</svg>\n",
            ]
        )


def _shown(value: object) -> str:
    """Numbers without needless digits, so that pictures compare."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
