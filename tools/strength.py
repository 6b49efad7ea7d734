"""Measure the computer's players: the wins that each keeps where it could throw them away.

`python tools/strength.py [MATCHES]` prints a line for each player. Each plays so many
matches against `random`, in turn from 60 in the three games where choices matter most,
and begins every second one. The figures in `players/__init__.py` are those of 6,000.
"""

import sys
from datetime import UTC, datetime
from random import Random

from numduel.analysis import analyse
from numduel.board import Board
from numduel.match import Record, Referee, Setup
from numduel.players import COMPUTERS

BOARDS = ("subtract-a-prime:60", "divisor-duel:60", "digit-subtraction-duel:60")
MATCHES = 6000


def wins_kept(word: str, matches: int = MATCHES) -> float:
    """The share of the wins that the player kept, of those that a move could throw away."""
    kept = of = 0
    for seed in range(matches):
        board = Board.parse(BOARDS[seed % len(BOARDS)])
        referee = Referee(Setup(board, first=seed // len(BOARDS) % 2))
        referee.begin()
        players = [COMPUTERS[one].make(Random(f"{one}/{seed}")) for one in (word, "random")]
        while not referee.over:
            referee.play(players[referee.player].choose(referee.board))
        match = analyse(Record.of(referee, datetime.now(UTC), (word, "random")))
        kept, of = kept + match.kept(0)[0], of + match.kept(0)[1]
    return kept / of


if __name__ == "__main__":
    for computer in COMPUTERS:
        print(f"{computer:8} {wins_kept(computer, int((sys.argv[1:] or [MATCHES])[0])):.1%}")
