"""The machine that settles ranges of Subtract a Prime: the sieve, and the game on its lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from numduel.errors import RunFailed
from numduel.gpu import game
from numduel.gpu.sieve import Device, Shape, Sieve, Step, primes_to

FIRST: Final = 1_000_000
"""Ranges begin here or higher: every prime that is sieved with lies well below."""


@dataclass(frozen=True)
class Settled:
    """What a range gives: how many are lost, their fingerprint, even numbers still open."""

    losses: int = 0
    fingerprint: int = 0
    open: tuple[int, ...] = ()

    def __add__(self, other: Settled) -> Settled:
        total = (self.fingerprint + other.fingerprint) % 2**64
        return Settled(self.losses + other.losses, total, self.open + other.open)


class Machine:
    """A device made ready for ranges up to `top`."""

    def __init__(self, device: Device, top: int, shape: Shape | None = None) -> None:
        shape = shape or Shape()
        self._device, self.top, self._players = device, top, shape.players
        self._sieve = Sieve(device, top, shape)
        self._game = device.module(game.source(shape.cover, shape.players))
        make = device.array
        reserve = primes_to(shape.reserve)[1:]
        self._d_reserve, self._reserve = make(reserve), len(reserve)
        self._d_total, self._d_bad = make(np.zeros(2, np.uint64)), make(np.zeros(4, np.uint32))
        self._d_open = make(np.zeros(game.OPEN, np.uint64))
        device.wait()

    def settle(self, start: int, stop: int) -> Settled:
        """Settle [start, stop), from `FIRST` on. Raises `RunFailed` if the device errs."""
        device = self._device
        device.clear(self._d_total)
        device.clear(self._d_bad)
        device.wait()
        for step in self._sieve.steps(start, stop, 1):
            self._play(step, start, stop)
        device.wait()
        no_move, *wrong = map(int, device.get(self._d_bad))
        if any(wrong) or no_move > game.OPEN:
            raise RunFailed("contradiction", start=start, stop=stop)
        lost, total = map(int, device.get(self._d_total))
        found = device.get(self._d_open)[:no_move]
        return Settled(lost, total, tuple(sorted(map(int, found))))

    def _play(self, step: Step, start: int, stop: int) -> None:
        """Play on all words of the step but the first, which is the past of the others."""
        device, u32, u64 = self._device, np.uint32, np.uint64
        common = (
            step.lines, u32(self._sieve.pitch), u32(step.words), u64(step.word), u64(start),
            u64(stop), self._d_total, self._d_bad, step.items,
        )  # fmt: skip
        warps = -(-(step.words - 1) // 31)
        device.launch(
            self._game, "game", -(-warps // (self._players // 32)), self._players, 0, "play",
            *common,
        )  # fmt: skip
        device.launch(
            self._game, "mend", 8 * device.multiprocessors, 64, 4 * 420, "play",
            *common, self._d_open, self._d_reserve, u32(self._reserve),
        )  # fmt: skip
