"""The machine that shows Grundy values of Subtract a Prime: the sieve, and the rule on its lines.

What the kernel shows of n: the value is the least that is missing from g(n-2), from what n - e
prime brings for the even e of value 0, 1, 2, 3, 7 (odd n) or the odd e of value 4, 5, 6 (even n),
from g(n-5) where that may be 9, and from what the local rule takes for granted; and each value
below that was taken for granted has a witness, a small e that has it with n - e prime. The
values of these e are given. A witness of 1 needs no search: g(m) = 0 makes g(m+2) = 1, so the
witness of 0 for n - 2 has one for n.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from numduel.errors import RunFailed
from numduel.gpu.machine import VALUE_FACTORS, Playing
from numduel.gpu.sieve import LINE_OF, MODULUS, NUMBERS, U32, Device, Shape, Step, read_source
from numduel.known.prime_values import EVEN, LOOK_BACK, ODD

U8 = npt.NDArray[np.uint8]
FIRST: Final = 1_250_000
"""Ranges begin here or higher: below its past lies every prime that is sieved with."""
PLACES: Final = 1 << 20
"""Numbers e that serve for witnesses are below."""
OPEN: Final = 1 << 16
"""Room for values without a witness, in one range."""
BEYOND: Final = 15
"""Said in place of a value without a witness where the number has no value of its class."""
_LONGEST: Final = 400
_KEPT: Final = 3
_EVEN, _ODD = sorted([*ODD, 9]), sorted([*EVEN, 9])
_REACHED: Final = [[v for v, few in listed.items() if few] for listed in (ODD, EVEN)]
"""By parity: the values that only few numbers of the other parity have, all of them known."""
_SEARCHED: Final = ((0, 2, 3, 7, 8, 9, 10), (4, 5, 6, 9))
"""By parity: the values for which a witness is looked for."""
_LISTS: Final = 10


@dataclass(frozen=True)
class Shown:
    """What a range gives: counts by value, the fingerprint, LOOK_BACK values below and at its end.

    `open` has numbers with a value that no witness was found for.
    """

    start: int
    stop: int
    even: tuple[int, ...]
    odd: tuple[int, ...]
    fingerprint: int
    enters: U8
    leaves: U8
    open: tuple[tuple[int, int], ...] = ()

    def __add__(self, other: "Shown") -> "Shown":
        """Both ranges, of which the other begins where this one ends. Raises `RunFailed`."""
        if not np.array_equal(self.leaves, other.enters):
            raise RunFailed("contradiction", start=self.start, stop=other.stop)
        even = tuple(a + b for a, b in zip(self.even, other.even, strict=True))
        odd = tuple(a + b for a, b in zip(self.odd, other.odd, strict=True))
        mark, found = (self.fingerprint + other.fingerprint) % 2**64, self.open + other.open
        return Shown(self.start, other.stop, even, odd, mark, self.enters, other.leaves, found)


class ValuesMachine(Playing):
    """A machine that is given the values of the numbers below PLACES."""

    def __init__(self, device: Device, top: int, shape: Shape, values: U8) -> None:
        super().__init__(device, top, shape, read_source("values"), 14, OPEN)
        lists, items = _tables(values, self._sieve.pitch)
        self._past = PLACES // NUMBERS + 3
        make, u32 = device.array, np.uint32
        self._d_items, self._d_table = make(items), make(lists)
        self._d_kept = make(np.zeros(2 * _KEPT * 4 * MODULUS, u32))
        self._d_ends = [make(np.zeros(2 * self._sieve.pitch, u32)) for _ in range(device.slots)]
        device.wait()

    def show(self, start: int, stop: int) -> Shown:
        """Show [start, stop), from `FIRST` on. Raises `RunFailed` if the device errs."""
        (*counts, mark), found = self._run(start, stop, start - LOOK_BACK, self._past)
        kept = self._device.get(self._d_kept).reshape(2, -1)
        even, odd = _spread(_EVEN, counts[: len(_EVEN)]), _spread(_ODD, counts[len(_EVEN) :])
        enters, leaves = _last_values(kept[0], start), _last_values(kept[1], stop)
        left = tuple((one >> 4, one & 15) for one in found)
        return Shown(start, stop, even, odd, mark, enters, leaves, left)

    def _play(self, step: Step, before: Step | None, start: int, stop: int) -> None:
        device, u32, u64 = self._device, np.uint32, np.uint64
        past, own = self._past, step.words - self._past
        ends = self._d_ends[step.slot]
        device.launch(
            self._module, "values", -(-own // (4 * 31)), 128, 0, "play",
            step.lines, u32(step.words), u32(past), u64(step.word), u64(start), u64(stop),
            self._d_items, self._d_table, self._d_total, self._d_bad, self._d_open, u32(OPEN),
            ends, self._d_kept, u64((start - LOOK_BACK) // NUMBERS),
            u64((stop - LOOK_BACK) // NUMBERS),
        )  # fmt: skip
        last = before or step
        device.launch(
            self._module, "joins", -(-own // 256), 256, 0, "play",
            ends, u32(step.words), u32(past), u32(past + (before is None)),
            self._d_ends[last.slot], u32(last.words - 1), self._d_bad,
        )  # fmt: skip


def _spread(values: list[int], counts: list[int]) -> tuple[int, ...]:
    """Counts of the values 0 to 11."""
    found = dict(zip(values, counts, strict=True))
    return tuple(found.get(value, 0) for value in range(12))


def _last_values(kept: U32, stop: int) -> U8:
    """The LOOK_BACK values before `stop`, from four bits of each in words of 32 groups."""
    bits = np.unpackbits(kept.view(np.uint8), bitorder="little").reshape(_KEPT, MODULUS, 4, 32)
    values = bits.transpose(0, 3, 1, 2) @ np.array([1, 2, 4, 8], dtype=np.uint8)
    first = (stop - LOOK_BACK) // NUMBERS * NUMBERS
    return np.ascontiguousarray(values.reshape(-1)[stop - LOOK_BACK - first : stop - first])


def numbers_of(values: U8, parity: int, value: int) -> npt.NDArray[np.int64]:
    """The numbers of this parity and value, the values being those from 0 on."""
    return 2 * np.flatnonzero(values[parity::2] == value) + parity


def _tables(values: U8, pitch: int) -> tuple[U32, U32]:
    """Where the lists of every residue begin, with the factors behind; and the lists."""
    places = [[numbers_of(values, parity, v) for v in range(12)] for parity in range(2)]
    lists = []
    for r in range(MODULUS):
        others = places[1 - r % 2]
        groups = [_items(r, others[v], pitch) for v in _REACHED[r % 2]]
        groups += [_padded(_items(r, others[v], pitch)) for v in _SEARCHED[r % 2]]
        lists += groups + [groups[0][:0]] * (_LISTS - len(groups))
    begins = np.cumsum([0] + [len(one) for one in lists])
    return np.array([*begins, *VALUE_FACTORS], dtype=np.uint32), np.concatenate(lists).reshape(-1)


def _items(r: int, places: npt.NDArray[np.int64], pitch: int) -> U32:
    """For those e for which n - e can be prime, n = r mod 210: the word to go to, and the shift."""
    groups, there = np.divmod(r - places[: 100 * _LONGEST], MODULUS)
    words, bits = np.divmod(-groups, 32)
    usable = LINE_OF[there] >= 0
    rows = np.stack([LINE_OF[there] * pitch - words - 1, bits], axis=1)[usable][:_LONGEST]
    return rows.astype(np.uint32)


def _padded(items: U32) -> U32:
    """Four of them are looked at together."""
    return np.concatenate([items] + [items[-1:]] * (-len(items) % 4))
