"""The questions that thinkers answer: a closed list of plain functions, JSON in and out.

No question starts a program, opens a file or reaches an address. Numbers of boards are text in
the answers, since programs that read JSON lose digits of large ones. A question raises what the
library raises where it has no answer.
"""

from collections.abc import Callable, Mapping

from numduel.thinking.questions import learning, looking_back, position

_ALL: tuple[Callable[..., Mapping[str, object]], ...] = (
    *(position.moves, position.move, position.hint, position.verdict, position.map_of),
    *(position.overview, looking_back.analysis, looking_back.replay),
    *(learning.duel, learning.puzzle, learning.answer, learning.sheet, learning.puzzle_set),
    *(learning.lesson, learning.step),
)
QUESTIONS = {question.__name__.removesuffix("_of"): question for question in _ALL}
"""By name; "map" is a name of Python's own."""
