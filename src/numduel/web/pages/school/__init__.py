"""School: a class's pages, for its teacher, its pupils and the projector."""

from numduel.web.pages.school import learned, map, pupil, question, teacher, wall

__all__ = ["learned", "map", "pupil", "question", "teacher", "wall"]
