"""TextArena: whole matches by id, by two agents of its own interface."""

from __future__ import annotations

import textarena

import numduel.adaptors.text_arena  # noqa: F401  registers the ids
from libraries.playthroughs import differs
from numduel import Board, solve
from numduel.games import keys

FORMS = ("[{}]", "I think {0} is best.\n\n**[{0}]**", "<think>[1]</think>\\boxed{{{0}}}", "{}")


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
                assert isinstance(player, int)
                assert seen
                board: Board = match.board
                found = list(solve(board).winning_moves) if player == best else []
                move = (found or list(board.moves()))[0]
                done, _ = match.step(form.format(board.write_move(move)))
            rewards, _ = match.close()
            assert rewards == {best: 1, 1 - best: -1}, (name, form)
            played += 1
    match = textarena.make("numduel/divisor-duel-v0")
    match.reset(num_players=2)
    assert not match.step("I pass.")[0]
    done, _ = match.step("[7]")
    rewards, info = match.close()
    assert done
    assert rewards == {0: -1, 1: 1}
    assert info[0]["invalid_move"]
    return f"{played} matches by id, four styles of answer, boards of own rules, bad answers"
