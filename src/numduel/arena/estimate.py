"""What an arena will ask of its models, about, before it begins."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from itertools import islice
from random import Random
from typing import NamedTuple

from numduel.arena.plan import Plan
from numduel.arguments import checked
from numduel.board import Board, Move
from numduel.errors import NumduelError
from numduel.players import Limits, View, make_computer
from numduel.players.language import prompt
from numduel.players.view import CHARACTERS

_SAMPLED = 12


class Estimate(NamedTuple):
    """About how much one model will be asked, and how much at most."""

    player: str
    matches: int
    requests: int
    prompt_tokens: int
    most_requests: int


@checked
def estimates(plan: Plan, limits: Limits, known: Collection[int] = ()) -> list[Estimate]:
    """For each model of the plan; matches that are `known` are not played again.

    Random players try some boards: matches of theirs are about as long.
    """
    models = [word for word in plan.players if word.startswith("llm:")]
    waiting = [pairing for pairing in plan if pairing.number not in known] if models else []
    boards = list(dict.fromkeys(pairing.board for pairing in waiting))[:_SAMPLED]
    tried = [_tried(board, limits) for board in boards] or [(0.0, 0.0)]
    requests, characters = (sum(column) / len(tried) for column in zip(*tried, strict=True))
    most = (limits.turns + 1) // 2 * limits.tries
    if limits.requests is not None:
        most = min(most, limits.requests + limits.tries - 1)
        share = min(1, limits.requests / max(1, requests))
        requests, characters = share * requests, share * characters
    found = []
    for word in models:
        matches = sum(word in (plan.players[p.first], plan.players[p.second]) for p in waiting)
        tokens = round(matches * characters / CHARACTERS)
        found.append(Estimate(word, matches, round(matches * requests), tokens, matches * most))
    return found


def _tried(board: Board, limits: Limits) -> tuple[float, float]:
    """Questions to one player in a match from this board, and the characters of all of them."""
    start, moves = board, list[Move | None]()
    player = make_computer("random", Random(str(board)))
    asked = length = 0.0
    with suppress(NumduelError):
        while not board.is_over and len(moves) < limits.turns:
            if limits.ask_forced or len(list(islice(board.moves(), 2))) > 1:
                asked += 0.5
                length += len(prompt(View(board, start, tuple(moves)), limits.list_moves)) / 2
            move = player.choose(board)
            moves.append(move)
            board = board.play(move)
    return asked, length
