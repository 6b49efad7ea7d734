"""An exam: players are asked about single positions, and every answer is scored exactly."""

from numduel.arena.exam.answers import BASELINES, hold_exam, score_again
from numduel.arena.exam.figures import Comparison, Figures, Share, compare, figures_of
from numduel.arena.exam.task import (
    FORMS,
    NUMBERS,
    TASK,
    UNREADABLE,
    Answer,
    ExamFile,
    Scored,
    Setting,
    fingerprint,
    question,
    right_answer,
    score,
)

__all__ = [
    "BASELINES", "FORMS", "NUMBERS", "TASK", "UNREADABLE", "Answer", "Comparison", "ExamFile",
    "Figures", "Scored", "Setting", "Share", "compare", "figures_of", "fingerprint", "hold_exam",
    "question", "right_answer", "score", "score_again",
]  # fmt: skip
