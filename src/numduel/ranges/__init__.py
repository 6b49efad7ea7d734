# ruff: noqa: E402
"""Compiled kernels over ranges: all n of [a, b) settled, up to 10^18, with no table below a.

    >>> import numpy as np
    >>> bits = np.unpackbits(outcomes("subtract-a-prime", 0, 40), bitorder="little")
    >>> np.flatnonzero(bits).tolist()
    [0, 1, 9, 10, 25, 34, 35]
    >>> grundy("digit-subtraction-duel", 10, 20).tolist()
    [0, 1, 2, 1, 2, 1, 2, 1, 2, 1]

How far it holds. Power Play, Divisor Duel and Digit Subtraction Duel: always. Subtract a Prime:
outcomes if 0, 10, 34, 100, 310 are the only lost even numbers below a (inside [a, b) every call
checks it again); values if the local rule holds too. Both are conjectures beyond what is checked
(`known.py`).

Numbers are machine words: 0 <= a <= b <= LIMIT, otherwise `InvalidRange`. An even number above
310 that nothing shows won raises `ClaimFails`: a discovery, if it is one. Needs the extra `ranges`.
"""

from collections.abc import Iterator
from math import isqrt
from typing import Final, Protocol

from numduel.extras import COMPILED, require

require(*COMPILED)

import numpy as np

from numduel.arguments import checked
from numduel.errors import ClaimFails, InvalidRange, UnknownGame
from numduel.known import LOOK_BACK
from numduel.ranges.kernel import U8
from numduel.ranges.wheel import HALO, STRETCH

__all__ = [
    "GAMES", "LIMIT", "count_losses", "grundy", "grundy_segments", "outcome_segments", "outcomes",
]  # fmt: skip
Segments = Iterator[tuple[int, int, U8]]
LIMIT: Final = 10**18
"""No range may end beyond: products of 64-bit words stay exact, sieving primes below 2^32."""
GAMES: Final = (
    "subtract-a-prime", "prime-subtractor", "divisor-duel", "power-play", "digit-subtraction-duel",
)  # fmt: skip
FIRST: Final = {"divisor-duel": 1, "power-play": 1}
"""Where a game's positions begin, if not at 0."""
OUTCOME_SEGMENT: Final = 4096 * STRETCH
GRUNDY_SEGMENT: Final = 1024 * STRETCH


def _segment(game: str, a: int, b: int, segment: int | None = None) -> int:
    """Numbers in a segment: as told, or a few cache-fuls, enough to pay for Power Play's primes.

    Raises `UnknownGame` or `InvalidRange`.
    """
    if game not in GAMES:
        raise UnknownGame(key=game, known=list(GAMES))
    least = FIRST.get(game, 0)
    if not least <= a <= b:
        raise InvalidRange(problem="order", start=a, stop=b, least=least)
    if b > LIMIT:
        raise InvalidRange(problem="limit", start=a, stop=b, limit=LIMIT)
    if segment is not None and segment < 1:
        raise InvalidRange(problem="segment", start=a, stop=b, segment=segment)
    return segment or max(GRUNDY_SEGMENT, min(isqrt(b), 1 << 23) * (game == "power-play"))


class Writer(Protocol):
    start: int
    """Where it begins, at or below what was asked for."""

    def write(self, out: U8) -> None: ...


def _values(game: str, a: int, b: int) -> Writer:
    """Imported here, because the first import of a kernel on a machine compiles it: seconds."""
    if game in ("subtract-a-prime", "prime-subtractor"):
        from numduel.ranges.values import Values

        return Values(a, b, opening=game == "prime-subtractor")
    from numduel.ranges.exact_games import DigitDuel, DivisorDuel, PowerPlay

    if game == "power-play":
        return PowerPlay(a, b)
    return DivisorDuel(a) if game == "divisor-duel" else DigitDuel(a)


def _segments(writer: Writer, a: int, b: int, segment: int, in_byte: int = 1) -> Segments:
    """What the writer gives for [a, b), cut on whole stretches, so many numbers in a byte."""
    step = max(-(-segment // STRETCH), HALO) * STRETCH
    buffer: U8 = np.empty(0, dtype=np.uint8)
    for begin in range(writer.start, b, step):
        rest = -(-(b - begin) // STRETCH) * STRETCH
        size = min(step, max(rest, LOOK_BACK if begin == 0 else 0))
        if size // in_byte >= len(buffer):
            buffer = np.zeros(size // in_byte + 1, dtype=np.uint8)
        writer.write(buffer[: size // in_byte])
        low, high = max(a, begin), min(b, begin + size)
        if low < high:
            cut = buffer[low - begin : high - begin]
            yield low, high, cut if in_byte == 1 else _cut_bits(buffer, low - begin, high - low)


def _value_segments(game: str, a: int, b: int, segment: int) -> Segments:
    if a < b:
        yield from _segments(_values(game, a, b), a, b, segment)


def _bit_segments(a: int, b: int, segment: int, unexpected: list[int] | None = None) -> Segments:
    """Outcomes of Subtract a Prime. Even numbers that nothing shows won are added to the list.

    Without one, raises `ClaimFails` in place of a segment that has such.
    """
    if a == b:
        return
    from numduel.ranges.losses import Outcomes

    found = Outcomes(a, b)
    for one in _segments(found, a, b, segment, in_byte=8):
        if unexpected is None and found.uncovered:
            raise ClaimFails("even loss", number=found.uncovered[0])
        yield one
    if unexpected is not None:
        unexpected += found.uncovered


def _cut_bits(octets: U8, first: int, many: int) -> U8:
    """Bits first..first+many-1 as bytes from bit 0 on, the rest of the last byte 0; in place."""
    size, by = -(-many // 8), first % 8
    source = octets[first // 8 :]
    if by:
        source[:size] = (source[:size] >> by) | (source[1 : size + 1] << (8 - by))
    if many % 8:
        source[size - 1] &= (1 << many % 8) - 1
    return source[:size]


@checked
def outcome_segments(game: str, a: int, b: int, segment: int | None = None) -> Segments:
    """Outcomes over [a, b), segment by segment in constant memory: (start, stop, bits).

    Bit i (little bit order) of bits is 1 when start + i is lost for the player to move. Segments
    follow each other without gaps and hold about `segment` numbers (rounded up to a multiple of
    1920, at least 7680; the first and the last may be shorter). The array is reused: copy what
    you want to keep before asking for the next one.
    """
    size = _segment(game, a, b, segment)
    if game == "subtract-a-prime":
        return _bit_segments(a, b, segment or OUTCOME_SEGMENT)
    return (
        (start, stop, np.packbits(values == 0, bitorder="little"))
        for start, stop, values in _value_segments(game, a, b, size)
    )


@checked
def outcomes(game: str, a: int, b: int) -> U8:
    """Outcomes of [a, b), packed: bit i (little bit order) is 1 when a + i is lost."""
    segments = outcome_segments(game, a, b)
    whole = np.zeros(-(-(b - a) // 8) + 1, dtype=np.uint8)
    for start, _, bits in segments:
        at, by = divmod(start - a, 8)
        whole[at : at + len(bits)] |= bits << by if by else bits
        if by:
            whole[at + 1 : at + 1 + len(bits)] |= bits >> (8 - by)
    return whole[:-1]


@checked
def grundy_segments(game: str, a: int, b: int, segment: int | None = None) -> Segments:
    """Grundy values over [a, b), segment by segment in constant memory: (start, stop, values).

    Prime Subtractor's are those of its opening. Segments and buffer as in `outcome_segments`.
    """
    return _value_segments(game, a, b, _segment(game, a, b, segment))


@checked
def grundy(game: str, a: int, b: int) -> U8:
    """Grundy values of all n in [a, b), a byte each."""
    segments = grundy_segments(game, a, b)
    whole = np.empty(b - a, dtype=np.uint8)
    for start, stop, values in segments:
        whole[start - a : stop - a] = values
    return whole


@checked
def count_losses(a: int, b: int) -> tuple[int, list[int]]:
    """Subtract a Prime over [a, b): how many odd numbers are lost, and the even ones above 310.

    The second part lists every even n > 310 that is lost, or not shown won by any prime
    up to 20,000; an empty list is one more range in which the five stay alone.
    """
    _segment("subtract-a-prime", a, b)
    losses, evens = 0, list[int]()
    for low, _, bits in _bit_segments(a, b, OUTCOME_SEGMENT, evens):
        losses += count_bits(bits, 0x55 if low % 2 else 0xAA)
    return losses, evens


def count_bits(bits: U8, octet: int = 0xFF) -> int:
    """How many bits are 1, among those that are set in every octet."""
    end = len(bits) // 8 * 8
    whole = bits[:end].view(np.uint64) & np.uint64(octet * 0x0101010101010101)
    rest = bits[end:] & np.uint8(octet)
    return int(np.bitwise_count(whole).sum(dtype=np.int64)) + int(np.bitwise_count(rest).sum())
