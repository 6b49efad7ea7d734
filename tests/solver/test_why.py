"""Reasons and hints in plain words: every sentence that names an answer names one that wins."""

import re

import pytest
from hypothesis import given

from match.test_board import boards
from numduel import Board, errors, solve
from numduel.wording.text import said_move, short_move, typed_move
from numduel.wording.why import STEPS, argument, hint, why
from rules.plain_rules import HARD
from solver.test_certificates import BOARDS as CERTIFIED
from terminal import on_terminal, piped, run

BOARDS = [
    *CERTIFIED,
    "subtract-a-prime:1",
    "subtract-a-prime:2",
    "subtract-a-prime:49~misere",
    "divisor-duel:3465",
    "divisor-duel:3465~misere",
    f"divisor-duel:{HARD}",
    f"divisor-duel:{HARD},divisors=odd~misere",
    "divisor-duel:60,divisors=odd",
    "power-play:36",
    "subtract-a-prime:9+subtract-a-prime:9",
    "subtract-a-prime:9+subtract-a-prime:9~misere",
]


@pytest.mark.parametrize("text", BOARDS, ids=lambda text: re.sub(r"\d{30,}", "huge", text))
def test_sentences(text: str) -> None:
    verdict = solve(Board.parse(text))
    short, full = why(verdict), argument(verdict)
    assert short
    assert full[: len(short)] == short
    assert full[-1].startswith(f"How this is known: {verdict.method}.")
    for sentence in full:
        assert sentence.endswith((".", "?"))
        assert sentence[0].isupper() or sentence[0].isdigit()


def test_a_loss_is_answered_move_by_move() -> None:
    assert why(solve("subtract-a-prime:9")) == [
        "If you play 2, the other player plays 7 and leaves 0.",
        "If you play 3, the other player plays 5 and leaves 1.",
        "If you play 5, the other player plays 3 and leaves 1.",
        "If you play 7, the other player plays 2 and leaves 0.",
    ]


def test_every_answer_leaves_a_loss() -> None:
    for n in range(2, 200):
        for key in ("subtract-a-prime", "divisor-duel", "digit-subtraction-duel"):
            for ending in ("", "~misere"):
                verdict = solve(Board.parse(f"{key}:{n}{ending}"))
                for sentence in argument(verdict):
                    found = re.search(r"leaves? (\d+)\.$", sentence)
                    if found:
                        left = solve(Board.parse(f"{key}:{found[1]}{ending}"))
                        assert left.outcome == "loss", (key, n, sentence)


def test_the_values_of_a_won_sum_cancel_after_the_move() -> None:
    board = Board.parse("divisor-duel:24+subtract-a-prime:9+digit-subtraction-duel:123")
    values = [int(s.split()[-1].rstrip(".")) for s in argument(solve(board)) if "The value of" in s]
    assert len(values) == 3
    assert values[0] ^ values[1] ^ values[2] == 0


def test_a_sum_is_explained_from_the_move_that_was_played() -> None:
    board = Board.parse("subtract-a-prime:20+subtract-a-prime:9")
    for text, reason in (("1:11", "Both are alike"), ("1:19", "Each is a trap by itself")):
        first, second = why(solve(board), board.parse_move(text))
        assert first.startswith(f"Play {text[2:]} from the first number to leave")
        assert reason in second
    assert "the smallest that no move" in why(solve("subtract-a-prime:7+subtract-a-prime:8"))[1]


SAID = [
    ("prime-subtractor:1009", "that the opening may take", "1009 leaves 0"),
    ("prime-subtractor:1009", "1007 is no trap.", "1009 leaves 0"),
    ("digit-subtraction-duel:25~misere", "", "multiple of ten again"),
    ("digit-subtraction-duel:5~misere", "Every move ends the match", "multiple of ten again"),
    ("power-play:30", "no choice matters", "No move is left"),
    ("power-play:1", "No move is left, and the player who cannot move loses.", "no choice"),
]
"""A lost opening is not called won, misère reasons are true at the edge, and no choice matters."""


def test_what_is_said_and_what_is_not() -> None:
    for text, said, unsaid in SAID:
        full = " ".join(argument(solve(text)))
        assert said in full, text
        assert unsaid not in full, text


WHO = "(?:you|the other player)"
REPLY = re.compile(rf"If {WHO} plays? (\S+), {WHO} plays? (\S+) and leaves? (\d+)\.")


@pytest.mark.parametrize("rule", ["halve-or-subtract-1", "divide-by-2-3-or-subtract-1-4"])
def test_a_division_is_said_as_it_is_typed(rule: str) -> None:
    """As its button shows it, not by the amount that it takes away."""
    said = 0
    for n in range(2, 60):
        board = Board.parse(f"{rule}:{n}")
        for move in board.moves():
            divides = board.numbers[0].game.divides(n, move.amount)
            text = str(move.amount) if divides is None else f"/{divides}"
            assert short_move(board, move) == typed_move(board, move) == text
            assert board.parse_move(text) == move
        left = board
        for line in why(solve(board)):
            if found := re.fullmatch(r"Play (\S+) to leave (\d+)\.", line):
                left = board.play(board.parse_move(found[1]))
                assert left.numbers[0].value == int(found[2])
            if found := REPLY.fullmatch(line):
                after = left.play(left.parse_move(found[1]))
                assert after.play(after.parse_move(found[2])).numbers[0].value == int(found[3])
                said += "/" in found[1] + found[2]
    assert said, "some reasons divide"


def steps(text: str) -> list[str]:
    return [hint(Board.parse(text), step) for step in range(1, 4)]


def test_three_steps() -> None:
    assert steps("prime-subtractor:23") == ["You can win from here.", "Leave 10.", "Play 13."]
    two = "subtract-a-prime:20+divisor-duel:60"
    assert steps(two)[1:] == ["Leave 13 on number 1.", "Play 7 from the first number."]
    for text in ("divisor-duel:45", "digit-subtraction-duel:230", "subtract-a-prime:25"):
        assert steps(text)[0] == "You can't win from here against perfect play."
        assert "No move wins here" in steps(text)[2]
    only = "There is only one move: play 3."
    assert steps("digit-subtraction-duel:30")[1:] == [only] * 2
    for text, ends in (("30", "win"), ("4", "lose"), ("8", "win"), ("30~misere", "lose")):
        said = f"No choice matters here: you {ends} whatever anybody plays."
        assert steps(f"power-play:{text}") == [said] * 3


def test_a_belief_is_called_a_belief() -> None:
    said = hint(Board.parse(f"subtract-a-prime:{10**60}"), 1)
    assert said.startswith("You can win from here. Believed at this size")
    odd = (Board.parse(f"subtract-a-prime:{n}") for n in range(10**99 + 1, 10**99 + 4001, 2))
    lost = next(board for board in odd if solve(board).outcome == "loss")
    assert solve(lost).method == "conjecture"
    said = hint(lost, 1)
    assert said.startswith("You can't win from here against perfect play. Believed at this size")


@given(boards(2, 50))
def test_the_third_step_is_a_winning_move(board: Board) -> None:
    if board.is_over:
        return
    try:
        verdict, last = solve(board), hint(board, STEPS)
    except errors.TooLarge:
        return
    if last.startswith("Play "):
        said = {said_move(board, move): move for move in board.moves()}
        left = board.play(said[last.removeprefix("Play ").partition(".")[0]])
        assert solve(left).outcome == "loss"
        ends = [one for one in board.moves() if not board.misere and board.play(one).is_over]
        assert bool(ends) is left.is_over is last.endswith("That wins at once.")
    else:
        assert verdict.outcome == "loss" or "No choice matters" in last


def test_hints_at_the_prompt_go_on_step_by_step_and_start_anew() -> None:
    lines = ["hint", "HINT", "x", "hint", "hint", "15", "hint", "quit"]
    seen, code = on_terminal(["play", "divisor-duel"], lines)
    assert code == 0
    assert "divisor: hint\nYou can win from here.\n" in seen
    assert "divisor: HINT\nLeave 57.\n" in seen
    assert seen.count("divisor: hint\nPlay 3.\n") == 2
    assert "divisor: hint\nYou can't win from here against perfect play.\n" in seen

    typed = "hint\nhint\nhint\nresign\nresign\nhint\nquit\n"
    out, _, _ = piped(["play", "subtract-a-prime", "--best-of", "5"], typed)
    assert out.split("match 2 of 5")[1].count("You can win from here.") == 1
    assert out.count("Play 19. That wins at once.") == 1

    out = run("play", f"power-play:{HARD}", typed="hint\nquit\n")
    assert "is too large to factor" in out, "beyond the solver, it is a sentence"
