"""What language models are told, and how answers of every style are read."""

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, Move, errors
from numduel.arena.exam.task import FORMS, NUMBERS, UNREADABLE
from numduel.games import keys, load
from numduel.players.language import (
    Kind,
    Reading,
    View,
    ask,
    kind_of,
    prompt,
    read_answer,
    read_text,
)
from raised import raised

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
            assert str(read.error).endswith("."), "it is a sentence"


@given(st.sampled_from(FORMS), st.integers(0, 10**40) | st.just("none"), st.booleans())
def test_every_form_of_the_rule_is_read_alike_for_a_number_and_for_none(
    form: str, answer: object, placed: bool
) -> None:
    said = f"2:{answer}" if placed and answer != "none" else str(answer)
    assert read_text(form.format(said)) == said
    if answer != "none":
        assert read_text(form.format(f"{answer:,}")) == str(answer)


def test_what_the_rule_leaves_out_is_unreadable() -> None:
    for answer in ("15", "none"):
        assert [form for form in UNREADABLE if read_text(form.format(answer))] == []
    assert [read_text(form.format(15)) for form in NUMBERS] == ["15"] * len(NUMBERS)
    assert read_text("Answer: divide by 3") == read_text("[÷3]") == "/3"


PIECES = (
    "[", "]", "{", "}", "is ", "<think>", "</think>", "15", "3", " ", "\n", ",", ":", "/",
    '{"move": ', '"', "none", "or", "```", "**", "$", "<answer>", "Answer: ", "٧", "\u202f", "-",
    "the ", "|", "<|", "[THINK]", "\ud800", "\0", "²",
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
    plain = text.replace("<", "").replace("[", "").replace("◁", "").replace("w", "")
    read = read_answer(f"{plain}\n[{amount}]", SIXTY)
    assert (read.kind, read.move) == (Kind.MOVE, (0, amount))
    assert read_answer(f"{text}</think>\nAnswer: 3\n{plain}\nAnswer: {amount}", SIXTY) == read


@given(st.text(alphabet="0123456789[]{}<>/think \\boxed\n"))
def test_reasoning_is_never_read(text: str) -> None:
    thought = text.replace("<", "").replace("[/", "")
    assert read_answer(f"<think>{thought}", SIXTY).kind is Kind.UNREADABLE
    assert read_answer(f"{thought}</think>", SIXTY).kind is Kind.UNREADABLE
    assert read_answer(f"<think>{thought}</think>[15]", SIXTY).move == (0, 15)


LONG = 60_000
HOSTILE = (
    "[", "]", "[1", "{", "}", "Answer: ", "Answer: 1\n", '{"move":1', "<think>", "</think>", "<",
    "9", "1,000,", "1 ", " ", "\n", "\r", "*", ".", "[1] ", "[1] or ", "/", "the ", "1.", "٧",
    "```\n", "> ", "# ", "_", "\\", "-", "\u200f", "answer is ", "so ",
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
        ("Answer: 7 or 8", '"Answer: 7 or 8" names more than one number.'),
        ("no idea", '"no idea" names no number.'),
    ):
        assert str(read_answer(text, SIXTY).error) == said
    assert isinstance(read_answer("[2]", TWO).error, errors.AmbiguousMove)


def test_every_game_is_told() -> None:
    for key in keys():
        game = load(key)
        board = Board.of(game, game.default_start, misere=True)
        move = next(iter(board.moves()))
        view = View(board.play(move), board, (move,))
        text = prompt(view, legal=True)
        assert game.title in text
        assert "Example" not in text, "it might show a winning move"
        assert "misère" in text
        assert f"The opponent played {move.amount}" in text
        assert "Legal moves: " in text
        assert "Legal moves" not in prompt(view)
        assert "played" not in prompt(view, history=False)
        assert f"is now {view.board.numbers[0].value}." in text


def test_history_tells_whose_move_it_was_and_of_long_matches_the_end() -> None:
    board = Board.parse("divisor-duel:60")
    moves = (Move(0, 15), Move(0, 15))
    text = prompt(View(Board.parse("divisor-duel:30"), board, moves))
    assert "You played 15, which left 45.\n- The opponent played 15, which left 30." in text
    text = prompt(View.of(Board.parse("subtract-a-prime:1000003")), legal=True)
    assert len(text) < 2500
    assert ", ..., " in text
    assert " 999983, 1000003." in text

    start = board = Board.parse("digit-subtraction-duel:2000")
    played: tuple[Move, ...] = ()
    while not board.is_over:
        played += (next(board.moves()),)
        board = board.play(played[-1])
    text = prompt(View(board, start, played))
    assert f"The last 20 of {len(played)} moves:" in text
    assert text.count(" played ") == 20


def test_the_loop_tells_what_was_wrong() -> None:
    asked: list[str] = []
    answers = iter(["7 or 8", "Answer: take 7.", "[15]", "[7]", "[7]", None])

    def complete(text: str) -> str:
        asked.append(text)
        answer = next(answers)
        if answer is None:  # who lets the time run out is not asked again
            raise errors.PlayerFailed(player="slow", problem="time", seconds=1)
        return answer

    sixty = View.of(Board.parse("divisor-duel:60"))
    assert ask(sixty, complete) == Move(0, 15)
    assert "not accepted" not in asked[0]
    assert '"7 or 8" names more than one number.' in asked[1]
    assert "7 does not divide 60." in asked[2]
    raised(errors.IllegalMove, ask, sixty, complete, tries=2)
    raised(errors.PlayerFailed, ask, sixty, complete)


@pytest.mark.parametrize("board", ["divisor-duel:60", "subtract-a-prime:20+divisor-duel:60"])
def test_the_form_that_the_prompt_asks_for_is_read(board: str) -> None:
    view = View.of(Board.parse(board))
    text = prompt(view)
    form = "place:number" if "+" in board else "number"
    assert f"end with a line of its own: Answer: {form}" in text
    assert f"Without such a line, the last [{form}] counts" in text
    for move in view.board.moves():
        written = view.board.write_move(move)
        for said in (f"{text}\nAnswer: {written}", f"{text}\n[{written}]"):
            assert read_answer(said, view.board).move == move
