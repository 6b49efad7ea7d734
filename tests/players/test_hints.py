"""Hints in three steps, true to the solver."""

from hypothesis import given, settings

from match.test_board import boards
from numduel import Board, errors, solve
from numduel.wording.text import said_move
from numduel.wording.why import STEPS, hint
from rules.plain_rules import HARD
from terminal import on_terminal, piped


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


@settings(deadline=None)
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

    out, err, code = piped(["play", f"power-play:{HARD}"], "hint\nquit\n")
    assert (err, code) == ("", 0)
    assert "is too large to factor" in out, "beyond the solver, it is a sentence"
