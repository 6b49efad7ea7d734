"""How answers of language models are read: a corpus of their styles, and hostile texts."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, errors
from numduel.players.reading import Kind, Reading, kind_of, read_answer

ANSWERS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "answers.jsonl").read_text("utf-8").splitlines()
]
SIXTY = Board.parse("divisor-duel:60")
TWO = Board.parse("subtract-a-prime:20+divisor-duel:60")


def written(reading: Reading, board: Board) -> str:
    """A reading as the corpus writes it: "15", "illegal 2:7", "none", "unreadable"."""
    move = ""
    if reading.move is not None:
        place, amount = reading.move
        move = str(amount) if place == 0 and len(board.numbers) == 1 else f"{place + 1}:{amount}"
    return move if reading.kind is Kind.MOVE else f"{reading.kind} {move}".strip()


def test_every_style_is_read_by_the_rules() -> None:
    for number, answer in enumerate(ANSWERS, 1):
        board = Board.parse(answer["board"])
        read = read_answer(answer["text"], board, none_allowed=answer["none_allowed"])
        assert written(read, board) == answer["reads"], (number, answer["text"][:300])
        assert (read.error is None) == (read.kind in (Kind.MOVE, Kind.NONE))
        if read.error is not None:
            assert kind_of(read.error) is read.kind
            assert "(" not in type(read.error).__name__ + str(read.error)[:8], "it is a sentence"


PIECES = (
    "[", "]", "{", "}", "\\boxed{", "<think>", "</think>", "15", "3", " ", "\n", ",", ":", "/",
    '{"move": ', '"', "none", "or", "```", "**", "$", "<answer>", "Answer: ", "٧", "\u202f", "-",
    "\\text{", "|", "<|", "[THINK]", "\ud800", "\0", "²",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join) | st.text(), st.booleans())
def test_reading_never_raises(text: str, none_allowed: bool) -> None:
    for board in (SIXTY, TWO):
        read = read_answer(text, board, none_allowed=none_allowed)
        if read.kind is Kind.MOVE:
            assert read.move is not None
            assert board.is_legal(read.move)
        assert none_allowed or read.kind is not Kind.NONE


@given(st.text(), st.sampled_from([2, 3, 4, 5, 6, 10, 12, 15, 20, 30]))
def test_whatever_comes_before_the_last_brackets_is_not_read(text: str, amount: int) -> None:
    plain = text.replace("<", "").replace("[", "").replace("◁", "").replace("{", "")
    read = read_answer(f"{plain}\n[{amount}]", SIXTY)
    assert (read.kind, read.move) == (Kind.MOVE, (0, amount))


@given(st.text(alphabet="0123456789[]{}<>/think \\boxed\n"))
def test_reasoning_is_never_read(text: str) -> None:
    thought = text.replace("<", "").replace("[/", "")
    assert read_answer(f"<think>{thought}", SIXTY).kind is Kind.UNREADABLE
    assert read_answer(f"{thought}</think>", SIXTY).kind is Kind.UNREADABLE
    assert read_answer(f"<think>{thought}</think>[15]", SIXTY).move == (0, 15)


LONG = 60_000
HOSTILE = (
    "[", "]", "[1", "{", "}", "\\boxed{", '{"a":', '{"move":1', "<think>", "</think>", "<", "<a ",
    "9", "1,000,", "1 ", " ", "\n", "\r", "*", ".", "[1] ", "[1] or ", "/", "<|", "\\text", "٧",
    '{"move":{"a":1},"b":', "```\n", "> ", "# ", "_", "\\", "-", "\u200f",
)  # fmt: skip


def test_hostile_text_is_read_in_linear_time() -> None:
    """Where the time grew with the square of the length, a piece would take minutes."""
    for piece in HOSTILE:
        many = piece * (LONG // len(piece))
        nested = (piece * 300 + "}" * 300) * (LONG // (300 * (len(piece) + 1)))
        before = process_time()
        for text in (f"{many}x", nested):
            read_answer(text, SIXTY, none_allowed=True)
        assert process_time() - before < 5, piece


def test_errors_say_what_was_wrong() -> None:
    for text, said in (
        ("7 or 8", '"7 or 8" names more than one number.'),
        ("[7.5]", '"7.5" is not a whole number; write it without a decimal point.'),
        ("no idea", '"no idea" names no number.'),
        ("[7]", "7 does not divide 60."),
    ):
        assert str(read_answer(text, SIXTY).error) == said
    assert isinstance(read_answer("[2]", TWO).error, errors.AmbiguousMove)
