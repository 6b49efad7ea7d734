"""Study: rules, tutorials, puzzles, replays, any board explored, a rule of one's own."""

from numduel.web.pages.study import explore, explored, learn, make, puzzle, replay

__all__ = ["explore", "explored", "learn", "make", "puzzle", "replay"]
