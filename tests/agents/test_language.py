"""What language models are told, and how their answers are read."""

from __future__ import annotations

import pytest

from numduel import Board, Move, errors
from numduel.games import keys, load
from numduel.players.language import View, ask, prompt, read_answer


def test_every_game_is_told() -> None:
    for key in keys():
        game = load(key)
        board = Board.of(game, game.default_start, misere=True)
        move = next(iter(board.moves()))
        view = View(board.play(move), board, (move,))
        text = prompt(view)
        assert game.title in text
        assert "misère" in text
        assert f"The opponent played {move.amount}" in text
        assert "Legal moves: " in text
        assert "Legal moves" not in prompt(view, legal=False)
        assert "played" not in prompt(view, history=False)
        assert f"is now {view.board.numbers[0].value}." in text


def test_history_tells_whose_move_it_was_and_of_long_matches_the_end() -> None:
    board = Board.parse("divisor-duel:60")
    moves = (Move(0, 15), Move(0, 15))
    text = prompt(View(Board.parse("divisor-duel:30"), board, moves))
    assert "You played 15, which left 45.\n- The opponent played 15, which left 30." in text
    text = prompt(View.of(Board.parse("subtract-a-prime:1000003")))
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
    answers = iter(["7 or 8", "I take 7.", "[15]", "7", "7", None])

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
    with pytest.raises(errors.IllegalMove):
        ask(sixty, complete, tries=2)
    with pytest.raises(errors.PlayerFailed):
        ask(sixty, complete)


@pytest.mark.parametrize("board", ["divisor-duel:60", "subtract-a-prime:20+divisor-duel:60"])
def test_the_form_that_the_prompt_asks_for_is_read(board: str) -> None:
    view = View.of(Board.parse(board))
    text = prompt(view)
    form = "[place:number]" if "+" in board else "[number]"
    assert f"Give your move in square brackets, as {form}." in text
    for move in view.board.moves():
        written = f"[{view.board.write_move(move)}]"
        assert read_answer(f"{text}\n{written}", view.board).move == move
        assert read_answer(view.board.write_move(move), view.board).move == move
