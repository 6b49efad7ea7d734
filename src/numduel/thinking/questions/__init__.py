"""The questions that thinkers answer: a closed list of plain functions, JSON in and out.

No question starts a program, opens a file or reaches an address. Numbers of boards are text in
the answers, since programs that read JSON lose digits of large ones. A question raises what the
library raises where it has no answer.
"""

from collections.abc import Callable, Mapping

from numduel.thinking.questions import learning, looking_back, position

QUESTIONS: dict[str, Callable[..., Mapping[str, object]]] = {
    "moves": position.moves,
    "move": position.move,
    "hint": position.hint,
    "verdict": position.verdict,
    "map": position.map_of,
    "overview": position.overview,
    "analysis": looking_back.analysis,
    "replay": looking_back.replay,
    "duel": learning.duel,
    "puzzle": learning.puzzle,
    "answer": learning.answer,
    "sheet": learning.sheet,
    "puzzle_set": learning.puzzle_set,
    "lesson": learning.lesson,
    "step": learning.step,
}
