"""Pictures as SVG, made by hand: maps, move graphs, paths of matches, plots, cards.

Everything is told by a mark or a word as well as by colour, in a dark and a
light dress, with a title and a description for screen readers.
"""

from numduel.drawing.card import draw_card
from numduel.drawing.graph import draw_graph
from numduel.drawing.path import Station, draw_path
from numduel.drawing.picture_file import save_picture
from numduel.drawing.plot import draw_plot
from numduel.drawing.square import Cell, draw_square, draw_values

__all__ = [
    "Cell",
    "Station",
    "draw_card",
    "draw_graph",
    "draw_path",
    "draw_plot",
    "draw_square",
    "draw_values",
    "save_picture",
]
