"""The machine that shows Grundy values of Subtract a Prime: the sieve, and the rule on its lines.

What the kernel shows, and by which witnesses, is said in docs/ALGORITHMS.md. The values of the
small numbers that serve as witnesses are given.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from numduel.gpu.machine import VALUE_FACTORS, Found, Playing
from numduel.gpu.sieve import LINE_OF, MODULUS, NUMBERS, U32, Device, Shape, Step, read_source
from numduel.known import EVEN, LOOK_BACK, ODD

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
_COUNTED: Final = [*sorted([*ODD, 9]), *sorted(12 + v for v in [*EVEN, 9])]
"""The values that the kernel counts: of even numbers, then of odd ones, 12 further on."""
_REACHED: Final = [[v for v, few in listed.items() if few] for listed in (ODD, EVEN)]
"""By parity: the values that only few numbers of the other parity have, all of them known."""
_SEARCHED: Final = ((0, 2, 3, 7, 8, 9, 10), (4, 5, 6, 9))
"""By parity: the values for which a witness is looked for."""
_LISTS: Final = 10


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

    def show(self, start: int, stop: int) -> Found:
        """Show [start, stop), from `FIRST` on. Raises `RunFailed` if the device errs."""
        (*counts, mark), found = self._run(start, stop, start - LOOK_BACK, self._past)
        kept = self._device.get(self._d_kept).reshape(2, -1)
        enters, leaves = _last_values(kept[0], start), _last_values(kept[1], stop)
        left = tuple((one >> 4, one & 15) for one in found)
        return Found(start, stop, _spread(counts), mark, enters, leaves, left)

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


def _spread(counts: list[int]) -> tuple[int, ...]:
    """Counts of the values 0 to 11, of even numbers and then of odd ones."""
    found = dict(zip(_COUNTED, counts, strict=True))
    return tuple(found.get(place, 0) for place in range(24))


def _last_values(kept: U32, stop: int) -> bytes:
    """The LOOK_BACK values before `stop`, from four bits of each in words of 32 groups."""
    bits = np.unpackbits(kept.view(np.uint8), bitorder="little").reshape(_KEPT, MODULUS, 4, 32)
    values = bits.transpose(0, 3, 1, 2) @ np.array([1, 2, 4, 8], dtype=np.uint8)
    first = (stop - LOOK_BACK) % NUMBERS
    return values.tobytes()[first : first + LOOK_BACK]


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
