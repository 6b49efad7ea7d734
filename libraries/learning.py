"""What networks learn of these games, and whether it holds for numbers kept apart from training.

`make learning` trains everything that docs/learning.md tells of, on a GPU if torch
has one, writes docs/figures/learning.json, and prints the page's tables.
"""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch

from numduel import Board, Move, load, regret

GAMES = ("divisor-duel", "digit-subtraction-duel", "subtract-a-prime")
LARGEST = 999
SEEDS = (1, 2, 3, 4, 5)
STEPS, BATCH, HIDDEN, REFRESH = 30_000, 256, 128, 20
"""Steps of training, numbers in each, units in each of two layers, and steps between targets."""
STUDENT = 2.776
"""The 97.5% quantile of Student's t with four degrees of freedom: five seeds."""

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
Weights = list[tuple[torch.Tensor, torch.Tensor]]


def _digits(n: int) -> list[float]:
    return [float(digit == int(place)) for place in f"{n:03d}" for digit in range(10)]


ENCODINGS: dict[str, Callable[[int], list[float]]] = {
    "decimal digits": _digits,
    "binary digits": lambda n: [float(bit) for bit in f"{n:010b}"],
    "size alone": lambda n: [n / LARGEST],
}


class Split(NamedTuple):
    """The numbers that a network is trained on, and those that are kept for the test."""

    trained: list[int]
    kept: list[int]


def split(game: str) -> Split:
    """Four in five numbers to train on, the same for every network of the game.

    Every digit occurs in every place on both sides, so the kept numbers are new, not foreign.
    """
    numbers = [n for n in range(2, LARGEST + 1) if not load(game).is_over(n)]
    kept = set(Random(f"kept {game}").sample(numbers, len(numbers) // 5))
    return Split([n for n in numbers if n not in kept], sorted(kept))


class Rules(NamedTuple):
    """A game as arrays: for each number its moves, what they leave, and which of them there are."""

    amounts: torch.Tensor
    left: torch.Tensor
    legal: torch.Tensor

    @classmethod
    def of(cls, game: str) -> "Rules":
        rules = load(game)
        moves = [[*rules.moves(n)] if n >= rules.least else [] for n in range(LARGEST + 1)]
        most = max(map(len, moves))
        amounts = [row + [0] * (most - len(row)) for row in moves]
        left = [[rules.after(n, a)[1] if a else 0 for a in row] for n, row in enumerate(amounts)]
        legal = [[bool(a) for a in row] for row in amounts]
        return cls(*(torch.tensor(each, device=DEVICE) for each in (amounts, left, legal)))


def untrained(sizes: tuple[int, ...]) -> Weights:
    """One network for each seed, side by side, with torch's usual first weights."""
    made: list[list[torch.nn.Linear]] = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        made.append([torch.nn.Linear(a, b) for a, b in pairwise(sizes)])
    weights = []
    for layers in zip(*made, strict=True):
        weight = torch.stack([layer.weight.detach().T for layer in layers])
        bias = torch.stack([layer.bias.detach()[None] for layer in layers])
        weights.append((weight.to(DEVICE).requires_grad_(), bias.to(DEVICE).requires_grad_()))
    return weights


def forward(weights: Weights, seen: torch.Tensor) -> torch.Tensor:
    """What every network says, from -1 (lost) to 1 (won)."""
    *body, (last, bias) = weights
    for weight, shift in body:
        seen = torch.relu(torch.baddbmm(shift, seen, weight))
    return torch.tanh(torch.baddbmm(bias, seen, last))


class ValueNetworks:
    """One output: how good a number is for whoever must move. A move is judged by what it leaves.

    Trained by value iteration: a number is worth the best of what its moves leave to the other.
    """

    outputs = 1

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.over = ~rules.legal.any(1)

    def scores(self, weights: Weights, seen: torch.Tensor) -> torch.Tensor:
        """For each seed, number and move: what the mover gets."""
        values = forward(weights, seen)[..., 0].masked_fill(self.over, -1.0)
        return -values[:, self.rules.left]

    def loss(
        self, weights: Weights, seen: torch.Tensor, scores: torch.Tensor, at: torch.Tensor
    ) -> torch.Tensor:
        """How far the numbers' values are from the best of their moves' scores."""
        best = scores.masked_fill(~self.rules.legal, -2.0).amax(2)
        batch = torch.stack([row[places] for row, places in zip(seen, at, strict=True)])
        said = forward(weights, batch)[..., 0]
        return ((said - best.gather(1, at)) ** 2).mean(1).sum()


class MoveNetworks(ValueNetworks):
    """An output for each amount that can be played, as in most libraries' networks for actions.

    Trained by Q-learning on one random move of each number at a time.
    """

    outputs = LARGEST + 1

    def scores(self, weights: Weights, seen: torch.Tensor) -> torch.Tensor:
        """For each seed, number and move: the output of that amount."""
        amounts = self.rules.amounts.expand(len(SEEDS), -1, -1)
        return forward(weights, seen).gather(2, amounts)

    def loss(
        self, weights: Weights, seen: torch.Tensor, scores: torch.Tensor, at: torch.Tensor
    ) -> torch.Tensor:
        """How far a random move's output is from what the other can make of what it leaves."""
        best = scores.masked_fill(~self.rules.legal, -2.0).amax(2).masked_fill(self.over, -1.0)
        chance = torch.rand(at.shape, device=DEVICE)
        place = (chance * self.rules.legal.sum(1)[at]).long()
        amount, left = self.rules.amounts[at, place], self.rules.left[at, place]
        batch = torch.stack([row[places] for row, places in zip(seen, at, strict=True)])
        said = forward(weights, batch).gather(2, amount[..., None])[..., 0]
        return ((said + best.gather(1, left)) ** 2).mean(1).sum()


HEADS = {"value of a number": ValueNetworks, "score of each move": MoveNetworks}


def train(head: ValueNetworks, encoding: str, trained: list[int]) -> Iterator[torch.Tensor]:
    """The scores of the untrained networks, then those of the trained ones."""
    rows = [ENCODINGS[encoding](n) for n in range(LARGEST + 1)]
    seen = torch.tensor(rows, device=DEVICE).expand(len(SEEDS), -1, -1)
    weights = untrained((len(rows[0]), HIDDEN, HIDDEN, head.outputs))
    learner = torch.optim.Adam([tensor for pair in weights for tensor in pair], lr=1e-3)
    pool = torch.tensor(trained, device=DEVICE)
    torch.manual_seed(0)
    for step in range(STEPS + 1):
        if step % REFRESH == 0:
            with torch.no_grad():
                scores = head.scores(weights, seen)
        if step in (0, STEPS):
            yield scores
        at = pool[torch.randint(len(pool), (len(SEEDS), BATCH), device=DEVICE)]
        learner.zero_grad()
        head.loss(weights, seen, scores, at).backward()
        learner.step()


def measured(game: str, rules: Rules, scores: torch.Tensor, parts: Split) -> dict[str, Any]:
    """The share of wins that are thrown away, for each seed, on both parts of the numbers."""
    places = scores.masked_fill(~rules.legal, -math.inf).argmax(2)
    found: dict[str, list[float]] = {}
    for name, numbers in parts._asdict().items():
        boards = [Board.of(game, n) for n in numbers]
        for chosen in rules.amounts.expand(len(SEEDS), -1, -1).gather(2, places[..., None])[..., 0]:
            table = chosen.tolist()

            def policy(board: Board, table: list[int] = table) -> Move:
                return Move(0, table[board.numbers[0].value])

            found.setdefault(name, []).append(thrown(policy, boards))
    return found


def thrown(policy: Callable[[Board], Move], boards: list[Board]) -> float:
    share = regret(policy, boards, []).all.thrown
    assert share is not None
    return share


def told(shares: list[float]) -> str:
    """The mean over seeds and its interval of 95%."""
    mean = sum(shares) / len(shares)
    spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / (len(shares) - 1))
    reach = STUDENT * spread / math.sqrt(len(shares))
    return f"{mean:.0%} ({max(0, mean - reach):.0%} to {min(1, mean + reach):.0%})"


def at_random(game: str, numbers: list[int]) -> str:
    boards = [Board.of(game, n) for n in numbers]
    found = []
    for seed in SEEDS:
        random = Random(seed)
        found.append(thrown(lambda board, pick=random.choice: pick([*board.moves()]), boards))
    return told(found)


def main(games: Sequence[str]) -> None:
    """Train and measure everything; print the tables."""
    kept: dict[str, Any] = {"steps": STEPS, "device": DEVICE, "torch": torch.__version__}
    for game in games:
        rules, parts = Rules.of(game), split(game)
        print(f"\n### {load(game).title}\n")
        print("| Network | Sees | Untrained, kept apart | Trained, its own numbers | "
              "Trained, kept apart |\n|---|---|---|---|---|")  # fmt: skip
        for name, kind in HEADS.items():
            for encoding in ENCODINGS:
                began = time.monotonic()
                before, after = (
                    measured(game, rules, scores, parts)
                    for scores in train(kind(rules), encoding, parts.trained)
                )
                kept[f"{game}, {name}, {encoding}"] = {"untrained": before, "trained": after}
                figures = (before["kept"], after["trained"], after["kept"])
                print(f"| {name} | {encoding} | {' | '.join(map(told, figures))} |", flush=True)
                print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
        by_chance = at_random(game, parts.trained), at_random(game, parts.kept)
        print(f"| random play | | | {by_chance[0]} | {by_chance[1]} |")
    Path("docs/figures/learning.json").write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or GAMES)
