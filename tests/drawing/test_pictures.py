"""Pictures: well-formed, titled, told by marks as well as colours, dark and light; and as PNG."""

import struct
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from resvg_py import svg_to_bytes

import numduel
from numduel.analysis import analyse
from numduel.drawing.path import analysis_page, draw_card, draw_path, path_picture
from numduel.drawing.plot import (
    Bar,
    Spot,
    draw_bars,
    draw_curves,
    draw_plot,
    plot_lines,
    running_means,
)
from numduel.drawing.square import (
    Cell,
    draw_graph,
    draw_square,
    draw_values,
    graph_lines,
    square_lines,
    value_lines,
)
from numduel.drawing.svg import DARK, LIGHT, save_picture
from numduel.errors import FileError, MissingExtra
from numduel.match import read_notation
from numduel.wording import problem
from numduel.wording.analysis import Row, rows

CELLS = [Cell(n, n in (1, 9, 10), 0 if n in (1, 9, 10) else n % 14 + 1) for n in range(1, 31)]
LOST = {4: False, 3: False, 2: False, 1: True, 0: True}
MOVES = {4: (2, 1), 3: (1, 0), 2: (0,), 1: (), 0: ()}
THROWN = read_notation("divisor-duel:60/2.2.7")
ROWS = rows(replace(analyse(THROWN), names=("Alice <b>", "Bob")))
SUM = read_notation("subtract-a-prime:20+divisor-duel:60/2:15.1:3")
PASSED = read_notation("power-play:30/pass.2/penalty=2")
LONG: list[Row] = [{**ROWS[0], "turn": turn} for turn in range(1, 121)]
CURVES = {
    "model & more": [Spot(0.9, (0.8, 1)), None, Spot(0.2, (0.1, 0.4))],
    "beside": [Spot(0.5, (0, 1)), Spot(0.5, (0, 1)), Spot(0.2, (0, 1))],
}
BARS = [Bar("perfect", 0.9, "90%", (0.8, 0.95)), Bar("nobody", None, "none")]
PICTURES = {
    "square": draw_square("Divisor Duel", CELLS, 10),
    "square of one column": draw_square("A long title that needs a smaller size", CELLS, 1),
    "no lost number": draw_square("None", [Cell(2, False)], 10),
    "many lost numbers": draw_square("Many", [Cell(n, True) for n in range(1, 1200)], 10),
    "values": draw_values("Subtract a Prime", CELLS, 7),
    "graph": draw_graph("Subtract a Prime", LOST, MOVES),
    "graph of one": draw_graph("Subtract a Prime", {1: True}, {1: ()}),
    "path": draw_path("Alice & Bob", [60], ROWS),
    "path of nothing": draw_path("Nothing yet", [60, 0], []),
    "long path": draw_path("Long", [10**40], LONG),
    "plot": draw_plot("Accuracy", [0.5, 1, 0.25], "2026-11-01", "2026-11-15"),
    "plot of one": draw_plot("Accuracy", [0.5]),
    "plot of nothing": draw_plot("Accuracy", []),
    "curves": draw_curves("Right answers", ["250+", "500+", "750+"], CURVES, ["beside"]),
    "curve of one": draw_curves("Right answers", ["250+"], {"a" * 40: [Spot(1, (0, 1))]}),
    "card": draw_card("Divisor Duel from 60", ["Won."], [60, 45, 30], "divisor-duel:60/15.15"),
    "large card": draw_card("Large " * 10, ["Won."], [10**50] * 30, "word" * 60),
    "bars": draw_bars("Win rate", BARS, 1.0),
    "match": path_picture(SUM, analyse(SUM)),
    "match with a pass": path_picture(PASSED, analyse(PASSED)),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_well_formed_and_says_what_it_shows(name: str) -> None:
    written = str(PICTURES[name])
    root = ElementTree.fromstring(written)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    ids = (root.get("aria-labelledby") or "").split()
    told = [*root.iter(f"{SVG}title"), *root.iter(f"{SVG}desc")]
    assert [one.get("id") for one in told] == ids
    assert len(ids) == sum(bool(one.text) for one in told) == 2
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x") or -1) <= width
        assert 0 < float(text.get("y") or -1) < height
    for word in ("http", "<script", "@import", "url(", "<image"):  # no network, no script
        assert word not in written.replace("http://www.w3.org/2000/svg", "")


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    return max(lights) / min(lights)


def test_gold_is_read_and_seen_in_either_dress() -> None:
    sheet = (Path(numduel.__file__).parent / "web/static/style.css").read_text()
    light, _, dark = sheet.partition("@media (prefers-color-scheme: dark)")
    for part, colours in ((light, LIGHT), (dark, DARK)):
        assert contrast(colours["on_gold"], colours["gold"]) >= 7
        assert contrast(colours["gold_edge"], colours["paper"]) >= 3
        assert contrast(colours["gold"], colours["won"]) >= 1.1
        assert f"--gold: {colours['gold']};" in part
        assert f"--gold-line: {colours['gold_edge']};" in part


def test_lost_numbers_are_marked_without_colour_too() -> None:
    root = ElementTree.fromstring(str(PICTURES["square"]))
    marks = [e for e in root.iter(f"{SVG}path") if e.get("class") == "on-gold"]
    assert len(marks) == 3 + 1, "three lost numbers and the legend"
    bold = {e.text for e in root.iter(f"{SVG}text") if e.get("font-weight") == "bold"}
    assert {"1", "9", "10"} < bold


def test_names_cannot_break_out_of_a_picture_or_page() -> None:
    assert "Alice &lt;b&gt;" in str(PICTURES["path"])
    page = analysis_page(THROWN, analyse(THROWN))
    body = page.partition("<body>")[2].partition("</body>")[0]
    ElementTree.fromstring(body.strip())
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert '<tr class="mistake">' in page
    assert "<svg" in page


def test_files(tmp_path: Path) -> None:
    save_picture(PICTURES["card"], str(tmp_path / "card.SVG"))
    assert (tmp_path / "card.SVG").read_text() == str(PICTURES["card"])
    for name in ("path", "graph of one"):
        path, picture = tmp_path / "picture.png", PICTURES[name]
        save_picture(picture, str(path))
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", data[16:24])
        assert width == pytest.approx(2 * picture.width, abs=2)
        assert height == pytest.approx(2 * picture.height, abs=2)


def refused(path: Path) -> str:
    """Why a picture cannot be written there."""
    with pytest.raises((FileError, MissingExtra)) as caught:
        save_picture(PICTURES["card"], str(path))
    assert not path.exists()
    return problem(caught.value)


def test_what_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = 'A picture file must end in .svg or .png; "card.gif" does not.'
    assert refused(Path("card.gif")) == said
    said = " cannot be written: No such file or directory."
    assert refused(tmp_path / "nowhere" / "card.svg").endswith(said)
    monkeypatch.setattr("resvg_py.svg_to_bytes", partial(svg_to_bytes, skip_system_fonts=True))
    assert "The system has no fonts" in refused(tmp_path / "card.png")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "pip install '.[images]'" in refused(tmp_path / "card.png")


def plain(text: str, kind: str) -> str:
    return text


def test_maps_and_plots_in_a_terminal() -> None:
    assert square_lines(CELLS[:10], 5, plain)[:2] == ["[ 1]  2   3   4   5", "  6   7   8 [ 9][10]"]
    assert value_lines(CELLS[:4], 2, plain)[:2] == ["1: [0] 3", "3:  4  5"]
    assert square_lines([], 5, plain)
    assert value_lines([], 5, plain)
    after = [" 4  -> 2, [1]", " 3  -> [1], [0]", " 2  -> [0]", "[1] -> no move", "[0] -> no move"]
    assert graph_lines(LOST, MOVES, plain, 80)[:5] == after
    lines = plot_lines([0, 1, 0.5], plain, height=2)
    assert lines[:3] == [" 100% | o", "  50% | -o", "   0% |o"]
    assert len(plot_lines([], plain)) == 11
    assert running_means([1, 0, 1]) == [1, 0.5, pytest.approx(2 / 3)]
