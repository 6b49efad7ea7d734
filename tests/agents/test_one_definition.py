"""`optimal` is one figure, whoever computes it: the arena, inspect-ai's task, statistics."""

from __future__ import annotations

import gc
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from agents.test_arena import Own
from numduel import Board, Move
from numduel.arena import Plan, run, standings_of
from numduel.match import Record, Referee, Setup
from numduel.players import make_computer
from numduel.solver.search import Search
from numduel.study.statistics import add_up

BOARD, MATCHES = Board.parse("digit-subtraction-duel:75"), 24
pytestmark = [
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*MemoryObject(Send|Receive)Stream.*:pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]  # fmt: skip


def matches() -> list[tuple[int, list[tuple[Board, Move]]]]:
    """Who of us begins, and every turn: random against level:2, as the task plays them."""
    played = []
    for number in range(MATCHES):
        random = Random(number)
        players = (make_computer("level:2", random), make_computer("random", random))
        ours, board = number % 2, BOARD
        turns: list[tuple[Board, Move]] = []
        while not board.is_over:
            move = players[len(turns) % 2 == ours].choose(board)
            turns.append((board, move))
            board = board.play(move)
        played.append((ours, turns))
    return played


def by_the_book(played: list[tuple[int, list[tuple[Board, Move]]]]) -> float:
    """Pooled over all of our turns with a win and a way to throw it away, by plain search."""
    search, kept, choices, sure = Search(), 0, 0, 0
    for ours, turns in played:
        for board, move in turns[ours::2]:
            loses = [search.lost(board.play(each)) for each in board.moves()]
            sure += all(loses)
            if any(loses) and not all(loses):
                choices += 1
                kept += search.lost(board.play(move))
    assert sure, "there are turns in which every move wins, and they do not count"
    return kept / choices


def test_arena_inspect_and_statistics_agree(tmp_path: Path) -> None:
    from agents.test_inspect import scores
    from numduel.adaptors.inspect import make_task

    played = matches()
    wanted = by_the_book(played)
    assert 0.1 < wanted < 0.9

    records = []
    for ours, turns in played:
        kinds = ("person", "level:2") if ours == 0 else ("level:2", "person")
        referee = Referee(Setup(BOARD, kinds))
        referee.begin()
        for _, move in turns:
            referee.play(move)
        records.append(Record.of(referee, datetime.now(UTC), kinds))
    (tally,) = add_up(records).tallies
    assert tally.accuracy == pytest.approx(wanted)

    own = iter([move for ours, turns in played for _, move in turns[ours::2]])
    other = iter([move for ours, turns in played for _, move in turns[1 - ours :: 2]])
    plan = Plan(("ours", "other"), (BOARD,), rounds=MATCHES // 2)
    replaying = {"ours": Own(lambda _: next(own)), "other": Own(lambda _: next(other))}
    results = run(plan, players=replaying)
    found = {standing.player: standing for standing in standings_of(plan, results).players}
    assert found["ours"].rate("optimal_rate") == pytest.approx(wanted)

    how = {"player": "random", "opponent": "level:2", "matches": MATCHES}
    task = make_task("digit-subtraction-duel", board=str(BOARD), **how)
    assert scores(task, tmp_path)["optimal"] == pytest.approx(wanted)
    gc.collect()  # inspect-ai's streams, here and not in whichever test comes next
