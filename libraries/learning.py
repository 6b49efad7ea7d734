"""How well agents learn these games, and whether what they learn holds for larger numbers.

`python -m libraries.learning` trains every learner on three games, measures it against the
solver, and writes docs/figures/learning*.svg and the tables of docs/learning.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

GAMES = ("divisor-duel", "subtract-a-prime", "digit-subtraction-duel")
BANDS = ((2, 60), (61, 200), (201, 999))
BESIDE = ("random", "largest", "level:1", "level:2", "level:3", "level:4", "perfect")
STEPS = {"q_learning": 10_000, "ppo": 20_480, "search": 6_000}
NAMES = {"q_learning": "Q-learning table", "ppo": "PPO with masks", "search": "AlphaZero-like"}
POINTS = 10


def questions(game: str) -> list[tuple[int, frozenset[int]]]:
    """Each number where a win can be thrown away, with the moves that keep it."""
    from numduel import Board, load, solve

    found = []
    for number in range(2, BANDS[-1][1] + 1):
        board = Board.of(load(game), number)
        if board.is_over or solve(board).outcome == "loss":
            continue
        winning = frozenset(move.amount for move in solve(board).winning_moves)
        if len(winning) < len(list(board.moves())):
            found.append((number, winning))
    return found


def regret(choose: Any, asked: list[tuple[int, frozenset[int]]]) -> list[float]:
    """The share of wins that are thrown away, in each band of numbers."""
    return [
        sum(choose(n) not in winning for n, winning in inside) / len(inside)
        for low, high in BANDS
        if (inside := [(n, winning) for n, winning in asked if low <= n <= high])
    ]


def train(learner: str, game: str, seed: int) -> list[tuple[int, list[float]]]:
    """Regret at each of ten points of the training."""
    import torch

    from libraries import learners

    torch.set_num_threads(1)
    steps, asked = STEPS[learner], questions(game)
    run = getattr(learners, learner)(game, steps, steps // POINTS, seed)
    return [(done, regret(choose, asked)) for done, choose in run]


def tell(learner: str, game: str) -> None:
    """Train in a process of its own, and print what was measured."""
    print(json.dumps(train(learner, game, seed=1)))


def built_in(word: str, game: str) -> list[float]:
    """The same for one of the computer's players."""
    from numduel import Board, load
    from numduel.players import make_computer

    player = make_computer(word, Random(1))
    return regret(lambda n: player.choose(Board.of(load(game), n)).amount, questions(game))


def write(found: dict[str, Any]) -> None:
    """The figures and the tables."""
    from numduel import load
    from numduel.drawing.plot import draw_curves

    place = Path("docs/figures")
    place.joinpath("learning.json").write_text(json.dumps(found, indent=1) + "\n")
    steps = [f"{(at + 1) / POINTS:.0%}" for at in range(POINTS)]
    for game in GAMES:
        for band, (low, high) in (("seen", BANDS[0]), ("unseen", BANDS[-1])):
            at = BANDS.index((low, high))
            curves = {
                NAMES[learner]: [_spot(bands[at]) for _, bands in found[game][learner]]
                for learner in STEPS
            }
            curves |= {word: [_spot(found[game][word][at])] * POINTS for word in BESIDE}
            title = f"{load(game).title}, {low} to {high}: wins thrown away"
            picture = draw_curves(title, steps, curves, beside=BESIDE)
            place.joinpath(f"learning-{game}-{band}.svg").write_text(f"{picture}\n")
    for game in GAMES:
        print(f"\n{game}\n\n| Player | " + " | ".join(f"{a} to {b}" for a, b in BANDS) + " |")
        print("|---|---|---|---|")
        rows = [(NAMES[learner], found[game][learner][-1][1]) for learner in STEPS]
        for name, bands in [*rows, *((word, found[game][word]) for word in BESIDE)]:
            print(f"| {name} | " + " | ".join(f"{share:.0%}" for share in bands) + " |")


def _spot(share: float) -> Any:
    from numduel.drawing.plot import Spot

    return Spot(share, (share, share))


def run() -> None:
    """Train everything, two at a time."""
    began = time.monotonic()
    waiting = [(learner, game) for learner in STEPS for game in GAMES]
    found: dict[str, Any] = {game: {} for game in GAMES}
    for game in GAMES:
        found[game].update({word: built_in(word, game) for word in BESIDE})
    running: list[tuple[str, str, subprocess.Popen[str]]] = []
    while waiting or running:
        while waiting and len(running) < 2:
            learner, game = waiting.pop(0)
            program = f"from libraries import learning; learning.tell({learner!r}, {game!r})"
            process = subprocess.Popen(
                [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
            )
            running.append((learner, game, process))
        learner, game, process = running.pop(0)
        said, _ = process.communicate()
        if process.returncode:
            sys.exit(f"{learner} on {game} failed")
        found[game][learner] = json.loads(said.splitlines()[-1])
        print(f"{learner} on {game}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    write(found)


def main() -> None:
    """Go on in the environment that has Stable-Baselines3."""
    from libraries.__main__ import installed
    from libraries.table import LIBRARIES

    program = "from libraries import learning; learning.run()"
    sys.exit(subprocess.run([installed(LIBRARIES[0]), "-c", program], check=False).returncode)


if __name__ == "__main__":
    main()
