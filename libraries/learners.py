"""Three learners, small enough to read: tables, policy gradients with masks, and search.

Each learns by matches that start from 2 to `SEEN`, and answers with a move for any number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from torch import nn

from numduel.adaptors.duel import Duel
from numduel.adaptors.gymnasium import DuelEnv

SEEN, LARGEST = 60, 999
"""Matches start up to the first; moves are asked for up to the second."""

Chooses = Callable[[int], int]
"""The move that a learner would play at a number."""


def q_learning(game: str, steps: int, every: int, seed: int) -> Iterator[tuple[int, Chooses]]:
    """Tabular Q-learning by self-play; where it has never been, it plays at random."""
    random, duel = Random(seed), Duel.of(game, (2, SEEN))
    table: dict[tuple[int, int], float] = {}

    def best(number: int, legal: tuple[int, ...]) -> int:
        return max(legal, key=lambda move: (table.get((number, move), 0.0), -move))

    large = Duel.of(game, (2, LARGEST))

    def choose(number: int) -> int:
        legal = large.at(number).legal
        known = any((number, move) in table for move in legal)
        return best(number, legal) if known else Random(number).choice(legal)

    position = duel.begin(random)
    for step in range(1, steps + 1):
        legal = position.legal
        explores = random.random() < 0.2
        move = random.choice(legal) if explores else best(position.number, legal)
        after = position.after(move)
        worth = 1.0
        if not after.over:
            worth = -max(table.get((after.number, reply), 0.0) for reply in after.legal)
        old = table.get((position.number, move), 0.0)
        table[position.number, move] = old + 0.5 * (worth - old)
        position = duel.begin(random) if after.over else after
        if step % every == 0:
            yield step, choose


class _SmallStarts(DuelEnv):
    """An environment with room for large numbers, whose matches start from small ones."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        start = self._small.begin(self._draws).number
        return super().reset(seed=seed, options={"start": start, **(options or {})})

    @cached_property
    def _small(self) -> Duel:
        return Duel.of(self._duel.game, (2, SEEN))


def ppo(game: str, steps: int, every: int, seed: int) -> Iterator[tuple[int, Chooses]]:
    """MaskablePPO at its usual settings against level:3, either side beginning."""
    match = _SmallStarts(game, start=(2, LARGEST), opponent="level:3", first="random")
    model = MaskablePPO("MlpPolicy", match, n_steps=512, gamma=1.0, seed=seed, device="cpu")
    asked = DuelEnv(game, start=(2, LARGEST))

    def choose(number: int) -> int:
        seen, _ = asked.reset(options={"start": number})
        masks = get_action_masks(asked)
        return int(model.predict(seen, action_masks=masks, deterministic=True)[0])

    for done in range(every, steps + 1, every):
        model.learn(every, reset_num_timesteps=False)
        yield done, choose


class _Net(nn.Module):
    """Digits in; a liking for each move, and who wins, out."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.likes, self.wins = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        inside = self.body(seen)
        return self.likes(inside), torch.tanh(self.wins(inside)).squeeze(-1)


class _Search:
    """AlphaZero's search over numbers, with one batch of the network for all of them."""

    SEARCHES = 48

    def __init__(self, net: _Net, duel: Duel, random: Random) -> None:
        self._random = random
        numbers = [n for n in range(1, SEEN + 1) if not duel.game.is_over(n)]
        self.places = {n: duel.at(n) for n in numbers}
        seen = torch.tensor(np.stack([p.observe() for p in self.places.values()]))
        masks = torch.tensor(np.stack([p.mask() for p in self.places.values()])).bool()
        with torch.no_grad():
            likes, wins = net(seen)
            shares = torch.softmax(likes.masked_fill(~masks, -torch.inf), 1)
        self._prior = dict(zip(numbers, shares.numpy(), strict=True))
        self._value = dict(zip(numbers, wins.tolist(), strict=True))

    def shares(self, number: int) -> tuple[tuple[int, ...], np.ndarray]:
        """The legal moves, and how the searches are shared among them."""
        self._visits: dict[int, np.ndarray] = {}
        self._totals: dict[int, np.ndarray] = {}
        for _ in range(self.SEARCHES):
            self._descend(number, root=True)
        visits = self._visits[number]
        return self.places[number].legal, visits / visits.sum()

    def _descend(self, number: int, root: bool = False) -> float:
        """Search once; what the player to move gets."""
        if number not in self.places:
            return -1.0
        legal = self.places[number].legal
        if number not in self._visits:
            self._visits[number] = np.zeros(len(legal))
            self._totals[number] = np.zeros(len(legal))
            if not root:
                return self._value[number]
        visits, totals = self._visits[number], self._totals[number]
        prior = self._prior[number][list(legal)]
        if root:
            noise = np.array([self._random.gammavariate(0.5, 1.0) + 1e-9 for _ in legal])
            prior = 0.75 * prior + 0.25 * noise / noise.sum()
        mean = totals / np.maximum(visits, 1)
        at = int(np.argmax(mean + 1.5 * prior * math.sqrt(visits.sum() + 1) / (1 + visits)))
        worth = -self._descend(self.places[number].after(legal[at]).number)
        visits[at] += 1
        totals[at] += worth
        return worth


def search(game: str, steps: int, every: int, seed: int) -> Iterator[tuple[int, Chooses]]:
    """An AlphaZero-like agent: self-play by search, and a network that learns from it.

    It answers with the move that the network likes most, without a search.
    """
    torch.manual_seed(seed)
    random, duel = Random(seed), Duel.of(game, (2, LARGEST))
    net = _Net(duel.seen_size, duel.size)
    learner = torch.optim.Adam(net.parameters(), lr=1e-3)
    memory: list[tuple[np.ndarray, np.ndarray, float]] = []
    done, told = 0, every

    def choose(number: int) -> int:
        position = duel.at(number)
        with torch.no_grad():
            likes, _ = net(torch.tensor(position.observe())[None])
        return max(position.legal, key=lambda move: float(likes[0, move]))

    while done < steps:
        tree = _Search(net, duel, random)
        for _ in range(8):
            number = random.choice(list(tree.places))
            played = []
            while number in tree.places:
                legal, shares = tree.shares(number)
                target = np.zeros(duel.size, dtype=np.float32)
                target[list(legal)] = shares
                played.append((tree.places[number].observe(), target))
                number = tree.places[number].after(random.choices(legal, shares)[0]).number
            done += len(played)
            for back, (seen, target) in enumerate(reversed(played)):
                memory.append((seen, target, 1.0 if back % 2 == 0 else -1.0))
        memory = memory[-4_000:]
        for _ in range(8):
            batch = random.choices(memory, k=128)
            seen, target, won = (np.stack(column) for column in zip(*batch, strict=True))
            likes, wins = net(torch.tensor(seen))
            loss = -(torch.tensor(target) * torch.log_softmax(likes, 1)).sum(1).mean()
            loss = loss + ((wins - torch.tensor(won, dtype=torch.float32)) ** 2).mean()
            learner.zero_grad()
            loss.backward()
            learner.step()
        while told <= min(done, steps):
            yield told, choose
            told += every
