"""Answers that were given lately."""

from __future__ import annotations

from collections import OrderedDict

_ENTRY = 300
"""Bytes that Python needs for one entry besides its texts."""


class KnownAnswers:
    """Answers by question, as bytes; those not asked for the longest are forgotten first."""

    def __init__(self, room: int = 16 << 20, longest: int = 1 << 18) -> None:
        self._room = room
        self._longest = longest
        self._answers: OrderedDict[bytes, bytes] = OrderedDict()

    def get(self, question: bytes) -> bytes | None:
        """The answer, if it is still known."""
        answer = self._answers.get(question)
        if answer is not None:
            self._answers.move_to_end(question)
        return answer

    def add(self, question: bytes, answer: bytes) -> None:
        """Keep the answer, unless it is longer than most."""
        if question in self._answers or len(question) + len(answer) > self._longest:
            return
        self._answers[question] = answer
        self._room -= len(question) + len(answer) + _ENTRY
        while self._room < 0:
            self._room += sum(map(len, self._answers.popitem(last=False))) + _ENTRY
