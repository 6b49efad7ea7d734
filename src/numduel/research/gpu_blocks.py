"""The block kernels for a GPU: as `blocks` and `grundy_blocks`, with a fingerprint for the hash."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from numduel.arithmetic.miller_rabin import is_prime
from numduel.errors import ClaimFails, TooLarge
from numduel.games import load
from numduel.gpu import values
from numduel.gpu.fingerprint import text, values_fingerprint
from numduel.gpu.low import settle_low
from numduel.gpu.machine import FIRST, Machine, Settled
from numduel.gpu.sieve import Device, Shape
from numduel.gpu.values import BELOW, BEYOND, PLACES, Shown, ValuesMachine
from numduel.research.blocks import Row, digest
from numduel.research.gpu_worker import Worker, block_row
from numduel.research.low_values import low_values, rule_holds_low, shown_values
from numduel.theory import find

_FARTHER: Final = 1 << 23
"""Numbers below serve as witnesses, on the CPU, where those of the kernels do not do."""


def even_losses(start: int, stop: int) -> Row:
    """Subtract a Prime: every even number but the five shown won, losses counted.

    Raises `ClaimFails` at an even number for which the CPU finds no winning prime either.
    """
    return block_row(start, stop, _settle, _losses)


def _losses(found: Settled) -> Row:
    return {"losses": found.losses, "fingerprint": text(found.fingerprint)}


def _settle(worker: Worker, start: int, stop: int) -> Settled:
    found = Settled()
    if start < FIRST:
        found = settle_low(start, min(stop, FIRST))
    if max(start, FIRST) < stop:
        found += worker.machine(Machine, stop).settle(max(start, FIRST), stop)
    for number in found.open:
        _look_again(number)
    return found


def _look_again(number: int) -> None:
    """Find a winning prime for an even number that the kernels left open, on the CPU."""
    theory = find(load("subtract-a-prime"))
    try:
        won = theory is not None and next(theory.moves_to(number, 0), None) is not None
    except TooLarge:
        won = False
    if not won:
        raise ClaimFails(number=number)


def exceptions(start: int, stop: int) -> Row:
    """Subtract a Prime: outside the lists, no number has a value foreign to its parity."""
    return block_row(start, stop, _show, _values)


def max_grundy(start: int, stop: int) -> Row:
    """Subtract a Prime: no value above 11."""
    return block_row(start, stop, _show, _values)


def local_rule(start: int, stop: int) -> Row:
    """Subtract a Prime: from BELOW on, every value is what the local rule says.

    The kernel's values are the rule's; that they are right is shown for each.
    """
    rule_holds_low()
    return block_row(start, stop, _show, _values)


def _values(found: Shown) -> Row:
    return {
        "even": list(found.even),
        "odd": list(found.odd),
        "fingerprint": text(found.fingerprint),
        "enters": digest(found.enters),
        "leaves": digest(found.leaves),
    }


def _show(worker: Worker, start: int, stop: int) -> Shown:
    pieces = []
    if start < values.FIRST:
        pieces.append(_low(start, min(stop, values.FIRST)))
    if stop > values.FIRST:
        machine = worker.machine(_make, stop)
        pieces.append(machine.show(max(start, values.FIRST), stop))
    for number, value in pieces[-1].open:
        if not has_witness(number, value):
            raise ClaimFails(number=number)
    return pieces[0] if len(pieces) == 1 else pieces[0] + pieces[1]


def _make(device: Device, top: int, shape: Shape) -> ValuesMachine:
    return ValuesMachine(device, top, shape, shown_values()[:PLACES])


def _low(start: int, stop: int) -> Shown:
    """Numbers below those that the kernels take."""
    known = shown_values()
    inside = known[start:stop]
    even, odd = (
        tuple(int((inside[(start + parity) % 2 :: 2] == v).sum()) for v in range(12))
        for parity in range(2)
    )
    mark = values_fingerprint(start, inside)
    before, last = (known[max(0, end - BELOW) : end] for end in (start, stop))
    return Shown(start, stop, even, odd, mark, before, last)


def has_witness(number: int, value: int) -> bool:
    """Does some prime lead from the number to a small number of this value?"""
    if value == BEYOND:
        return False
    return any(
        e < number and is_prime(number - e) for e in _numbers_of(1 - number % 2, value).tolist()
    )


@cache
def _numbers_of(parity: int, value: int) -> npt.NDArray[np.int64]:
    """The numbers below _FARTHER of this parity and value."""
    return 2 * np.flatnonzero(low_values(_FARTHER)[parity::2] == value) + parity
