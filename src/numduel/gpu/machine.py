"""The machine that settles ranges of Subtract a Prime: the sieve, and the game on its lines.

The kernels of the game are straight code for the 105 odd and 105 even residues mod 210, which is
written here into `game.cu`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import add
from string import Template
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from numduel.errors import RunFailed
from numduel.gpu import sieve
from numduel.gpu.sieve import LINES, MODULUS, Device, Shape, Step
from numduel.known import EVEN_LOSSES

FIRST: Final = 1_000_000
"""Ranges begin here or higher: every prime that is sieved with lies well below."""
ODD: Final = tuple(range(1, MODULUS, 2))
TAIL: Final = 48
"""The last residues, tried alone: one of them wins in nearly every group."""
OPEN: Final = 1024
"""Room for even numbers that stay open, in one range."""
VALUE_FACTORS: Final = tuple(pow(2654435769, j + 1, 1 << 32) for j in range(4 * MODULUS))
FACTORS: Final = VALUE_FACTORS[: MODULUS // 2]
_FACTORS: Final = np.array(VALUE_FACTORS, dtype=np.uint64)
_BITS: Final = np.array([[v >> b & 1 for v in range(16)] for b in range(4)], dtype=np.uint64)
_BY_VALUE: Final = _FACTORS.reshape(MODULUS, 4) @ _BITS
"""For a residue and a value, the factors of the value's bits added up."""


def fingerprint(lost: npt.NDArray[np.uint64]) -> int:
    """A mark of the outcomes of a range: the sum of a weight for each lost number, mod 2^64.

    The weight is in docs/ALGORITHMS.md. Sums of ranges that follow each other add up. A word of a
    GPU, 32 values of k, costs one multiplication, a fiftieth of a run, where a SHA-256 would cost
    more than the run. It shows faults, not forgery.
    """
    k, r = np.divmod(lost, np.uint64(MODULUS))
    return int((_FACTORS[r >> np.uint64(1)] * _by_group(k)).sum(dtype=np.uint64))


def values_fingerprint(first: int, values: npt.NDArray[np.uint8]) -> int:
    """The sum for the values of the numbers from `first` on: a weight for each bit that is set."""
    k, r = divmod(first, MODULUS)
    # 0 has no bits, so that zeros can fill up the groups at both ends.
    padded = np.pad(values, (r, -(r + len(values)) % MODULUS)).reshape(-1, MODULUS)
    places = np.arange(0, 16 * MODULUS, 16) + padded
    sums = _BY_VALUE.take(places).sum(axis=1, dtype=np.uint64)
    groups = np.arange(k, k + len(sums), dtype=np.uint64)
    return int((sums * _by_group(groups)).sum(dtype=np.uint64))


def _by_group(k: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    return ((k >> np.uint64(5)) * np.uint64(2) + np.uint64(1)) << (k & np.uint64(31))


@dataclass(frozen=True)
class Found:
    """What a range gives: counts, the fingerprint, and what stays open for the CPU to look at.

    The counts are of losses, or of even numbers by value and then of odd ones. Where they are of
    values, also those of the LOOK_BACK numbers below the range and at its end.
    """

    start: int
    stop: int
    counts: tuple[int, ...]
    fingerprint: int
    enters: bytes = b""
    leaves: bytes = b""
    open: tuple[Any, ...] = ()

    def __add__(self, other: "Found") -> "Found":
        """Both ranges, of which the other begins where this one ends. Raises `RunFailed`."""
        if self.leaves != other.enters:
            raise RunFailed("contradiction", start=self.start, stop=other.stop)
        counts = tuple(map(add, self.counts, other.counts))
        mark, still = (self.fingerprint + other.fingerprint) % 2**64, self.open + other.open
        return Found(self.start, other.stop, counts, mark, self.enters, other.leaves, still)


class Playing:
    """A device made ready for ranges up to `top`: the sieve, and kernels that play on its steps.

    These add up totals, list what stays open, and count what went wrong.
    """

    def __init__(
        self, device: Device, top: int, shape: Shape, code: str, totals: int, room: int
    ) -> None:
        self._device, self.top, self._room = device, top, room
        self._sieve = sieve.Sieve(device, top, shape)
        self._module = device.module(code)
        self._d_total = device.array(np.zeros(totals, np.uint64))
        self._d_bad = device.array(np.zeros(4, np.uint32))
        self._d_open = device.array(np.zeros(room, np.uint64))

    def _play(self, step: Step, before: Step | None, start: int, stop: int) -> None:
        """Play on all words of the step but the first ones, which are the past of the others."""
        raise NotImplementedError

    def _run(self, start: int, stop: int, low: int, past: int) -> tuple[list[int], list[int]]:
        """The totals of [start, stop), and what stays open. Raises `RunFailed`."""
        device, before = self._device, None
        device.clear(self._d_total)
        device.clear(self._d_bad)
        device.wait()
        for step in self._sieve.steps(low, stop, past):
            self._play(step, before, start, stop)
            before = step
        device.wait()
        many, *wrong = map(int, device.get(self._d_bad))
        if any(wrong) or many > self._room:
            raise RunFailed("contradiction", start=start, stop=stop)
        totals = [int(total) for total in device.get(self._d_total)]
        return totals, sorted(map(int, device.get(self._d_open)[:many]))


class Machine(Playing):
    def __init__(self, device: Device, top: int, shape: Shape | None = None) -> None:
        shape = shape or Shape()
        super().__init__(device, top, shape, source(shape.cover, shape.players), 2, OPEN)
        reserve = sieve.primes_to(shape.reserve)[1:]
        self._players, self._reserve = shape.players, len(reserve)
        self._d_reserve = device.array(reserve)
        device.wait()

    def settle(self, start: int, stop: int) -> Found:
        """Settle [start, stop), from `FIRST` on. Raises `RunFailed` if the device errs."""
        (lost, mark), found = self._run(start, stop, start, 1)
        return Found(start, stop, (lost,), mark, open=tuple(found))

    def _play(self, step: Step, before: Step | None, start: int, stop: int) -> None:
        device, u32, u64 = self._device, np.uint32, np.uint64
        common = (
            step.lines, u32(self._sieve.pitch), u32(step.words), u64(step.word), u64(start),
            u64(stop), self._d_total, self._d_bad, step.items,
        )  # fmt: skip
        warps = -(-(step.words - 1) // 31)
        device.launch(
            self._module, "game", -(-warps // (self._players // 32)), self._players, 0, "play",
            *common,
        )  # fmt: skip
        device.launch(
            self._module, "mend", 8 * device.multiprocessors, 64, 4 * 420, "play",
            *common, self._d_open, self._d_reserve, u32(self._reserve),
        )  # fmt: skip


def source(cover: Sequence[Iterable[int]], threads: int) -> str:
    """The kernels `game`, with blocks of this many threads, and `mend`."""
    moved, groups = _covered(cover)
    count = range(len(LINES))
    settled = Template(sieve.read_source("settled")).substitute(
        lines=_lines(f"const u32 c{i} = __ldg(c + {i} * (u64)pitch);" for i in count),
        before=_lines(f"const u32 p{i} = __shfl_up_sync(FULL, c{i}, 1);" for i in count),
        tail=_walk(ODD[-TAIL:]),
        walk=_walk(ODD),
        lost=_lost(),
    )
    return Template(sieve.read_source("game")).substitute(
        items=sieve.ITEMS,
        open=OPEN,
        threads=threads,
        warps=threads // 32,
        settled=settled,
        sums=_lines(f"sum += (u64)l{j} * {factor}u;" for j, factor in enumerate(FACTORS)),
        moved=moved,
        groups=groups,
        factors=", ".join(f"{factor}u" for factor in FACTORS),
        kept=_lines(f"if (lane < 2) kept[{2 * j} + lane] = l{j};" for j in range(len(ODD))),
    )


def _lines(statements: Iterable[str]) -> str:
    return "\n    ".join(statements)


def _no_prime(r: int) -> str:
    """Bit k is set when no n - e is prime, n = 210 k + r and e one of the five even losses."""
    terms = []
    for e in EVEN_LOSSES:
        groups, there = divmod(r - e, MODULUS)
        if there in LINES:
            i = LINES.index(there)
            terms.append(f"__funnelshift_l(p{i}, c{i}, {-groups})" if groups else f"c{i}")
    return " & ".join(terms) or "FULL"


def _walk(residues: Iterable[int]) -> str:
    return _lines(f"x = {_no_prime(r)}; o = x & ~o; f &= x;" for r in residues)


def _lost() -> str:
    """The walk with every word kept, and counted: seven words into ones, twos and fours."""
    code, before = [], "o"
    for j, r in enumerate(ODD):
        code.append(f"const u32 l{j} = ({_no_prime(r)}) & ~{before};")
        before = f"l{j}"
        if j % 7 == 6:
            a, b, c, d, e, f, g = (f"l{i}" for i in range(j - 6, j + 1))
            code += [
                f"ADD({a}, {b}, {c}, s1, k1); ADD({d}, {e}, {f}, s2, k2);",
                f"ADD(s1, s2, {g}, s3, k3); ADD(k1, k2, k3, s4, k4);",
                "count += __popc(s3) + 2 * __popc(s4) + 4 * __popc(k4);",
            ]
    return _lines(code)


def _covered(cover: Sequence[Iterable[int]]) -> tuple[str, str]:
    """Code for the lost words moved by whole groups, and for the test of seven even residues."""
    moved, groups = {}, []
    for start in range(0, len(ODD), 7):
        words = []
        for r in range(2 * start, 2 * start + 14, 2):
            terms = []
            for p in cover[r // 2]:
                back, there = divmod(r - p, MODULUS)
                j = there // 2
                if back:
                    past = f"__shfl_up_sync(FULL, l{j}, 1)"
                    moved[j, -back] = (
                        f"const u32 m{j}_{-back} = __funnelshift_l({past}, l{j}, {-back});"
                    )
                terms.append(f"m{j}_{-back}" if back else f"l{j}")
            words.append("(" + " | ".join(terms) + ")")
        groups.append(f"if (({' & '.join(words)}) != FULL) open |= 1u << {start // 7};")
    return _lines(moved.values()), _lines(groups)
