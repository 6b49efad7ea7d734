"""Pictures as SVG, made by hand: maps, move graphs, paths of matches, plots, cards.

Everything is told by a mark or a word as well as by colour, in a dark and a
light dress, with a title and a description for screen readers.
"""
