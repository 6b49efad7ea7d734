"""Certificates: a verdict with its reasons, as JSON that `check` verifies."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from numduel.arithmetic import factor, is_prime, is_prime_nearby, primes_up
from numduel.board import Board, Move
from numduel.errors import TooLarge
from numduel.games import Game
from numduel.solver.check import ENTRIES, FORMAT, VERSION
from numduel.solver.premises import EVEN_LOSSES, PRIME_GAMES, rule_for
from numduel.solver.search import Search
from numduel.solver.verdict import Verdict
from numduel.solver.ways import solve
from numduel.theory import find
from numduel.theory.own_rule import FixedRule

_LISTED = 5_000
"""Numbers beyond this are not put into such a table."""
_CHOICES = 40
_TRIAL = 1_000


def certificate(verdict: Verdict) -> str:
    """A move, when the player to move wins; a proof that what it leaves is lost.

    The proof has every answer of the winner where these can be listed, else a finite argument from
    a named claim. Raises `TooLarge` where no winning move can be named or no short proof is known.
    """
    board = Board(verdict.board.numbers, verdict.misere)
    move, left = None, board
    if verdict.outcome == "win" and not board.is_over:
        chosen = verdict.winning_move()
        move, left = board.write_move(chosen), board.play(chosen)
    data = {
        "format": FORMAT,
        "version": VERSION,
        "board": str(board),
        "misere": verdict.misere,
        "outcome": verdict.outcome,
        "move": move,
        "proof": _proof(left, verdict),
    }
    return json.dumps(data, indent=1)


def _proof(left: Board, verdict: Verdict) -> dict[str, Any]:
    if verdict.misere and verdict.outcome == "win" and verdict.board.is_over:
        return {"kind": "strategy", "lost": {}}
    if all(number.value <= _LISTED for number in left.numbers):
        table = _strategy(left, verdict)
        if table is not None:
            return {"kind": "strategy", "lost": table}
    if len(left.numbers) == 1:
        game, n = left.numbers[0]
        if rule_for(game, left.misere):
            return {"kind": "rule"}
        if (bits := _period(game, left.misere)) is not None:
            return bits
        if game.key == "power-play":
            return {"kind": "factors", "factors": [p for p, k in factor(n) for _ in range(k)]}
        if game.key in PRIME_GAMES:
            opening = game.settings.get("opening") == "below" and is_prime(n)
            if not (opening and left.misere):
                return _walk(n, opening, left.misere)
    raise TooLarge("to prove", board=verdict.board, misere=verdict.misere)


def _period(game: Game, misere: bool) -> dict[str, Any] | None:
    """The losses of an own rule up to where they begin to repeat; None where that is not proved."""
    theory = find(game)
    if not isinstance(theory, FixedRule) or (period := theory.period(misere)) is None:
        return None
    count = period.start + period.length + theory.game.amounts[-1]
    bits = "".join("1" if theory.lost(n, misere) else "0" for n in range(count))
    return {"kind": "period", "start": period.start, "length": period.length, "lost": bits}


def _strategy(left: Board, verdict: Verdict) -> dict[str, dict[str, str | None]] | None:
    """Each loss that the winner ever leaves, with an answer to every move; None when too many."""
    winners = _winners(verdict)
    table: dict[str, dict[str, str | None]] = {}
    waiting = {str(left): left}
    entries = 0
    while waiting:
        text, board = waiting.popitem()
        answers = table[text] = {}
        for move in board.moves():
            entries += len(left.numbers)  # each is looked at, and so is every answer
            if entries > ENTRIES:
                return None
            after = board.play(move)
            reply = None
            if not (board.misere and after.is_over):
                try:
                    replies = list(islice(winners(after), _CHOICES))
                except TooLarge:
                    return None
                if not replies:
                    return None
                boards = [after.play(reply) for reply in replies]
                known = (i for i, b in enumerate(boards) if str(b) in table or str(b) in waiting)
                # A loss listed already costs nothing; else the largest move leaves the least.
                best = next(known, len(replies) - 1)
                reply = after.write_move(replies[best])
                if str(boards[best]) not in table:
                    waiting[str(boards[best])] = boards[best]
            answers[board.write_move(move)] = reply
    return table


def _winners(verdict: Verdict) -> Callable[[Board], Iterator[Move]]:
    """How to find winning moves: one search for all boards where search was the way."""
    if verdict.method == "search" and verdict.misere:
        return Search(misere=True).winning_moves
    return lambda board: iter(solve(board).winning_moves)


def _walk(n: int, opening: bool, misere: bool) -> dict[str, Any]:
    proof: dict[str, Any] = {"kind": "walk"}
    if opening:
        proof["opening"] = [_small_factor(n - e) for e in EVEN_LOSSES[1:]]
    x = n - 2 if opening or misere else n
    steps = []
    if x <= EVEN_LOSSES[-1]:
        return {**proof, "steps": [], "e": None}
    while not any(is_prime_nearby(x - e) for e in EVEN_LOSSES):
        steps.append([_small_factor(x - e) for e in EVEN_LOSSES])
        x -= 2
    return {**proof, "steps": steps, "e": next(e for e in EVEN_LOSSES if is_prime_nearby(x - e))}


def _small_factor(n: int) -> int | None:
    """A prime factor below 1,000; None where the checker has to test."""
    return next((p for p in primes_up(_TRIAL) if n % p == 0 and p < n), None)
