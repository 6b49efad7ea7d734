"""The sieve: primes on the lines of the wheel 210, step by step, with the kernels of a device.

A step sieves some segments of every line; the caller plays on them. `Device` is what runs
kernels: a GPU (`cuda`), or an emulation of one in the tests.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from math import gcd, isqrt, prod
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from numduel.arithmetic import prime_flags

U32 = npt.NDArray[np.uint32]
MODULUS: Final = 210
LINES: Final = tuple(r for r in range(MODULUS) if gcd(r, MODULUS) == 1)
NUMBERS: Final = 32 * MODULUS
"""Numbers of one word of all lines."""
LIMIT: Final = 10**16
"""Ranges end here: cofactors of the distant primes are 32-bit words."""
PATTERNS: Final = ((11, 13, 17, 19), (23, 29, 31, 37))
MOST_SMALL: Final = 288
SPARE: Final = 32 + 64 + 16 + 2 * MOST_SMALL
"""Words of shared memory that `cross` needs beside a segment."""
ITEMS: Final = 1 << 20
"""Room for words that a step hands from one kernel to the next."""
LINE_OF: Final = np.array([LINES.index(r) if r in LINES else -1 for r in range(MODULUS)])
"""The line of a residue; -1 for those that have none."""
_OFFSETS: Final = tuple(o for o in range(120) if gcd(o, 30) == 1)


def read_source(name: str) -> str:
    """The kernels in this file, as CUDA C++."""
    return files("numduel.gpu").joinpath(f"{name}.cu").read_text(encoding="utf-8")


COVER: Final = tuple(
    tuple(map(int, line.split()))
    for line in files("numduel.gpu").joinpath("cover.txt").read_text("ascii").splitlines()
)
"""For each even residue mod 210 a short list of primes that win from nearly every such number: the
list of n is at n % 210 // 2. Any lists are right, as every prime is a move; these are quick.

Found greedily on 12.6 million numbers at each of 10^9, 10^11, 10^12, ..., 10^16, a prime that
looks into the same group preferred: of a hundred thousand numbers, one at most is left open.
"""


class Device(Protocol):
    """Runs kernels on arrays of its own; launches on different streams may overlap."""

    slots: int
    multiprocessors: int

    def module(self, code: str) -> Any: ...
    def array(self, data: npt.NDArray[Any]) -> Any: ...
    def clear(self, array: Any) -> None: ...
    def get(self, array: Any) -> npt.NDArray[Any]: ...
    def wait(self) -> None: ...
    def launch(
        self, module: Any, name: str, grid: int, block: int, shared: int, stream: str, *args: Any
    ) -> None: ...
    def begin(self, slot: int) -> None: ...
    def follow(self, stream: str, after: str) -> None: ...
    def end(self, slot: int) -> None: ...


@dataclass(frozen=True)
class Shape:
    """Sizes: those of a Hopper GPU unless told otherwise, smaller ones for tests."""

    words: int = 56_320
    """Words of a segment of one line: they fill the shared memory of a multiprocessor."""
    segments: int = 22
    """Segments of a step: 48 times as many tiles are eight rounds for 132 multiprocessors."""
    threads: int = 1024
    players: int = 64
    """Threads of a block of `game`."""
    near: int = 0
    """Primes from here on are distant; 0 for one and a half segments."""
    rough: int = 30_000
    """Cofactors of distant primes with a prime factor below are left out."""
    reserve: int = 1_500
    """Primes up to here are tried on an even number before it counts as open."""
    cover: Sequence[Sequence[int]] = COVER


@dataclass(frozen=True)
class Step:
    """What was sieved: this many words of every line, from a word on, as arrays of the device."""

    word: int
    words: int
    lines: Any
    items: Any
    slot: int


def primes_to(n: int) -> U32:
    """All primes up to n."""
    return np.flatnonzero(np.frombuffer(prime_flags(n + 1), np.uint8)).astype(np.uint32)


class Sieve:
    """A device made ready to sieve up to `top`."""

    def __init__(self, device: Device, top: int, shape: Shape) -> None:
        self._device, self.top = device, top
        bits = 32 * shape.words
        self._shape = shape = replace(shape, near=shape.near or 3 * bits // 2)
        primes = primes_to(isqrt(top) + 1)
        self._primes = primes = primes[primes > PATTERNS[-1][-1]]
        self._small = self._below(shape.words // 32)
        self._medium = self._below(bits // 64)
        self._near = self._below(shape.near)
        # A few primes too many for one segment: no detour.
        self._stride = max(self._below(2 * bits), self._near, 1)
        if self._small > MOST_SMALL:
            raise ValueError(shape.words)
        patterns = [_pattern(group) for group in PATTERNS]
        self._sieve = device.module(_prelude(shape, patterns) + read_source("sieve"))
        self.pitch = shape.segments * shape.words
        make = device.array
        packed = primes // MODULUS << 6 | LINE_OF[primes % MODULUS]
        self._d_primes, self._d_packed = make(primes), make(packed.astype(np.uint32))
        self._d_starts, self._d_homes = make(_starts()), make(_homes(patterns))
        self._d_patterns, self._d_wheel = make(np.concatenate(patterns)), make(_wheel())
        self._d_rough = self._roughened()
        sizes = (
            self._stride * shape.segments,
            shape.segments * len(LINES) * len(PATTERNS),
            len(LINES) * self.pitch,
            1 + ITEMS,
        )
        self._buffers = [
            [make(np.zeros(size, np.uint32)) for size in sizes] for _ in range(device.slots)
        ]
        device.wait()

    def _below(self, n: int) -> int:
        return int(np.searchsorted(self._primes, np.uint32(n)))

    def _roughened(self) -> Any:
        """The cofactors of distant primes, as bits of 32 residues mod 120."""
        least = int(self._primes[min(self._near, len(self._primes) - 1)])
        words = self.top // least // 120 + 4
        if 120 * words >= 2**32:
            raise ValueError(self.top)
        device, u32 = self._device, np.uint32
        slots = [_OFFSETS.index(o) if o in _OFFSETS else 32 for o in range(120)]
        primes = primes_to(self._shape.rough)[3:]
        rough = device.array(np.zeros(words, np.uint32))
        # Both must live until the kernel has ended.
        used = device.array(primes), device.array(np.array(slots, np.uint32))
        device.wait()
        device.launch(
            self._sieve, "roughen", -(-words // 256), 256, 480, "sieve",
            rough, u32(words), used[0], u32(len(primes)), used[1],
        )  # fmt: skip
        device.wait()
        return rough

    def steps(self, start: int, stop: int, past: int) -> Iterator[Step]:
        """Sieve the words of [start, stop), step by step, each with `past` words below its own.

        The primes that are sieved with must lie below the first word.
        """
        word, end, count = start // NUMBERS - past, -(-stop // NUMBERS), 0
        while word + past < end:
            segments = min(self._shape.segments, -(-(end - word) // self._shape.words))
            slot = count % self._device.slots
            self._device.begin(slot)
            yield self._step(word, segments, slot)
            self._device.end(slot)
            word += segments * self._shape.words - past
            count += 1

    def _step(self, word: int, segments: int, slot: int) -> Step:
        """Sieve segments from this word on; what is launched as "play" next can use them."""
        device, shape, u32, u64 = self._device, self._shape, np.uint32, np.uint64
        bases, phases, lines, items = self._buffers[slot]
        words, pitch = segments * shape.words, u32(self.pitch)
        needed = self._below(isqrt(NUMBERS * (word + words)) + 2)
        small, medium = min(self._small, needed), min(self._medium, needed)
        near = needed if needed <= self._stride else self._near
        tiles, stride = len(LINES) * segments, u32(self._stride)
        device.launch(
            self._sieve, "prep", -(-max(near, tiles * len(PATTERNS)) // 256), 256, 0, "prepare",
            bases, self._d_primes, u32(near), stride, u64(word), u32(segments), phases,
            self._d_homes, items,
        )  # fmt: skip
        device.follow("sieve", "prepare")
        device.launch(
            self._sieve, "cross", min(device.multiprocessors, tiles), shape.threads,
            4 * (shape.words + SPARE), "sieve",
            lines, pitch, self._d_packed, bases, stride, u32(small), u32(small), u32(medium),
            u32(medium), u32(near), phases, self._d_patterns, self._d_starts, u32(tiles),
        )  # fmt: skip
        device.follow("play", "sieve")
        if needed > near:
            blocks = -(-(needed - near) // 512)
            device.launch(
                self._sieve, "distant", blocks * segments, 512, 4 * 260, "play",
                lines, pitch, self._d_primes, u32(near), u32(needed), u64(NUMBERS * word),
                u32(NUMBERS * shape.words), self._d_wheel, self._d_rough, u32(blocks),
                u32(shape.words),
            )  # fmt: skip
        return Step(word, words, lines, items, slot)


def _prelude(shape: Shape, patterns: list[U32]) -> str:
    begins = np.cumsum([0] + [len(pattern) for pattern in patterns]).tolist()
    groups = " ".join(
        f"X({at}, {len(pattern)}u, {begins[at]}u)" for at, pattern in enumerate(patterns)
    )
    return (
        f"#define KW {shape.words}u\n#define NT {shape.threads}u\n"
        f"#define NG {len(patterns)}u\n#define GROUPS {groups}\n"
    )


def _pattern(group: tuple[int, ...]) -> U32:
    """Word u, bit b: some prime of the group divides 32 u + b."""
    bits = np.zeros(32 * prod(group), dtype=np.uint8)
    for prime in group:
        bits[::prime] = 1
    return np.packbits(bits, bitorder="little").view(np.uint32)


def _homes(patterns: list[U32]) -> U32:
    """For each line, where the pattern of a group begins at word 0."""
    sizes = [len(pattern) for pattern in patterns]
    homes = [[r * pow(32 * MODULUS, -1, size) % size for size in sizes] for r in LINES]
    return np.array(homes, dtype=np.uint32)


def _starts() -> U32:
    """For line r and primes 210 a + b, where the first multiple is; see `first_hit`."""
    rows = []
    for r in LINES:
        for b in LINES:
            m = r * pow(b, -1, MODULUS) % MODULUS
            rows.append(m | (b * m - r) // MODULUS << 8 | b << 16)
    return np.array(rows, dtype=np.uint32)


def _wheel() -> U32:
    """Lines of the odd residues, offsets of bits of `rough`, and how many lie below a residue."""
    lines = np.maximum(LINE_OF[1::2], 0)
    below = [sum(o < m for o in _OFFSETS) for m in range(120)]
    return np.array([*lines, *_OFFSETS, *below], dtype=np.uint32)
