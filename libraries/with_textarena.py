"""TextArena: whole matches by id, by two agents of its own interface."""

import re

import textarena

import numduel.adaptors.text_arena  # noqa: F401  registers the ids
from libraries.playthroughs import differs
from numduel import Board, solve
from numduel.games import keys

FORMS = ("[{}]", "I think {0} is best.\n\n**[{0}]**", "<think>[1]</think>Answer: {}")


def main() -> str:
    """The perfect player against the smallest move, in several styles of answer."""
    assert not differs("text_arena")
    played = 0
    boards = [*keys(), "subtract-a-prime:9+divisor-duel:12", "subtract-1-3-4:21~misere"]
    for name in boards:
        for form in FORMS:
            match = (
                textarena.make(f"numduel/{name}-v0")
                if name in keys()
                else textarena.make("numduel/board-v0", board=name)
            )
            match.reset(num_players=2)
            start = match.board
            best = 0 if solve(start).outcome == "win" else 1
            done = False
            while not done:
                player, seen = match.get_observation()
                board: Board = match.board
                assert seen.count(f"You are Player {player}.") == 1
                values = [str(number.value) for number in board.numbers]
                told = re.findall(r"is now (\d+)\.", seen)[-len(values) :]
                assert (told, re.findall(r"Player (\d) is to move", seen)[-1]) == (
                    values,
                    str(player),
                )
                found = list(solve(board).winning_moves) if player == best else []
                move = (found or list(board.moves()))[0]
                done, _ = match.step(form.format(board.write_move(move)))
            rewards, _ = match.close()
            assert rewards == {best: 1, 1 - best: -1}, (name, form)
            played += 1
    drawn = textarena.make("numduel/divisor-duel-v0", digits=6)
    drawn.reset(num_players=2, seed=1)
    first = drawn.board
    assert 10**5 <= first.numbers[0].value < 10**6
    drawn.reset(num_players=2, seed=2)
    assert drawn.board != first
    match = textarena.make("numduel/divisor-duel-v0")
    match.reset(num_players=2)
    assert not match.step("I pass.")[0]
    done, _ = match.step("[7]")
    rewards, info = match.close()
    assert done
    assert rewards == {0: -1, 1: 1}
    assert info[0]["invalid_move"]
    return f"{played} matches by id, three styles of answer, drawn starts, own rules, bad answers"
