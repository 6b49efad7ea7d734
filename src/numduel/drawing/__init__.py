"""Pictures as SVG, made by hand: maps, move graphs, paths of matches, plots, cards.

Everything that colour says is also said by a mark or a word. Pictures have a dark and a
light theme, and a title and a description for screen readers.
"""

from numduel.drawing.square import Cell, draw_graph, draw_square, draw_values
from numduel.drawing.svg import Picture, save_picture

__all__ = ["Cell", "Picture", "draw_graph", "draw_square", "draw_values", "save_picture"]
