"""What was found out about an explored board, as its page shows it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

from numduel.board import Board
from numduel.errors import NumduelError, Unanswerable
from numduel.thinking.questions.position import ExplainedVerdict, Moves, TitledMap
from numduel.web.pages.board_view import after, moves_of
from numduel.web.pages.errors import sentence
from numduel.web.pages.rendering import encoded
from numduel.web.problems import status_of

A = TypeVar("A")


@dataclass(slots=True)
class Found:
    """What the thinkers say about a board. What they could not find is None, with a sentence."""

    verdict: ExplainedVerdict | None = None
    moves: Moves | None = None
    map: TitledMap | None = None
    wrong: dict[str, str] = field(default_factory=dict)
    status: int = 200

    async def told(self, what: str, asked: Awaitable[A] | None) -> A | None:
        """The answer; None, with a sentence, where there is none."""
        try:
            return await asked if asked else None
        except NumduelError as error:
            self.wrong[what] = sentence(error)
            if what == "verdict" and not isinstance(error, Unanswerable):
                self.status = status_of(error)
            return None

    @property
    def is_over(self) -> bool:
        """Is it known that there is no move?"""
        return self.moves is not None and self.moves["complete"] and not self.moves["moves"]

    def moves_to_show(self, board: Board) -> list[dict[str, object]]:
        """All moves where they are few, else those that win.

        Each with the board after it, and whether it wins: None where that is not known.
        """
        winning = self.verdict["winning_moves"] if self.verdict else []
        told = self.verdict is not None and self.verdict["complete"]
        texts = winning
        if self.moves and self.moves["complete"]:
            texts = [one["move"] for one in self.moves["moves"]]
        listed = [board.parse_move(text) for text in texts]
        return [
            {
                "move": shown,
                "board": str(after(board, *move)),
                "wins": True if shown.text in winning else (False if told else None),
            }
            for move, shown in zip(listed, moves_of(board, listed), strict=True)
        ]

    def square(self, board: Board) -> dict[str, object] | None:
        """What the macro of the hundred square takes; None where there is no map."""
        if self.map is None:
            return None
        number = board.numbers[0]
        head, _, tail = str(board).partition(f":{number.value}")
        return {
            "numbers": self.map["numbers"],
            "lost": set(self.map["lost"]),
            "values": self.map["values"],
            "unknown": set(self.map["unknown"]),
            "here": number.value,
            "link": f"/explore?board={encoded(head)}:",
            "after": encoded(tail),
        }
