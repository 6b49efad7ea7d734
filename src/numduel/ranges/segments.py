"""The public face of the kernels: any game, any range, whole or segment by segment."""

from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any, Final

import numpy as np

from numduel.arguments import checked
from numduel.errors import ClaimFails, InvalidRange, UnknownGame
from numduel.known.prime_values import LOOK_BACK
from numduel.ranges.kernel import U8, U64
from numduel.ranges.wheel import HALO, STRETCH

LIMIT: Final = 10**18
"""No range may end beyond: products of 64-bit words stay exact, sieving primes below 2^32."""
GAMES: Final = (
    "subtract-a-prime",
    "prime-subtractor",
    "divisor-duel",
    "power-play",
    "digit-subtraction-duel",
)
FIRST: Final = {"divisor-duel": 1, "power-play": 1}
"""Where a game's positions begin, if not at 0."""
OUTCOME_SEGMENT: Final = 4096 * STRETCH
GRUNDY_SEGMENT: Final = 1024 * STRETCH


def _usual_segment(game: str, b: int) -> int:
    """Numbers in a segment of values: a few cache-fuls, enough to pay for Power Play's primes."""
    return max(GRUNDY_SEGMENT, min(isqrt(max(b, 0)), 1 << 23) if game == "power-play" else 0)


def _check(game: str, a: int, b: int, segment: int = 1) -> None:
    if game not in GAMES:
        raise UnknownGame(key=game, known=list(GAMES))
    least = FIRST.get(game, 0)
    if not least <= a <= b:
        raise InvalidRange(problem="order", start=a, stop=b, least=least)
    if b > LIMIT:
        raise InvalidRange(problem="limit", start=a, stop=b, limit=LIMIT)
    if segment < 1:
        raise InvalidRange(problem="segment", start=a, stop=b, segment=segment)


def _writer(game: str, a: int, b: int) -> tuple[int, Callable[[U8], None]]:
    """Where the game's values begin (at or below a), and what writes the next of them.

    Imported here, because the first import of a kernel on a machine compiles it: seconds.
    """
    if game in ("divisor-duel", "power-play"):
        from numduel.ranges.factors import DivisorDuel, PowerPlay

        return a, (DivisorDuel(a) if game == "divisor-duel" else PowerPlay(a, b)).write
    if game == "digit-subtraction-duel":
        from numduel.ranges.digits import DigitDuel

        return a // 10 * 10, DigitDuel(a // 10 * 10).write
    from numduel.ranges.values import Values

    values = Values(a, b, opening=game == "prime-subtractor")
    return values.start, values.write


def _sizes(start: int, b: int, segment: int) -> Iterator[tuple[int, int]]:
    """Cut [start, b) into segments (begin, size) of whole stretches; the last may pass b."""
    step = max(-(-segment // STRETCH), HALO) * STRETCH
    while start < b:
        rest = -(-(b - start) // STRETCH) * STRETCH
        yield start, min(step, max(rest, LOOK_BACK if start == 0 else 0))
        start += step


def _value_segments(game: str, a: int, b: int, segment: int) -> Iterator[tuple[int, int, U8]]:
    if a == b:
        return
    start, write = _writer(game, a, b)
    buffer: U8 = np.empty(0, dtype=np.uint8)
    for begin, size in _sizes(start, b, segment):
        if size > len(buffer):
            buffer = np.empty(size, dtype=np.uint8)
        write(buffer[:size])
        low, high = max(a, begin), min(b, begin + size)
        if low < high:
            yield low, high, buffer[low - begin : high - begin]


def _bit_segments(
    a: int, b: int, segment: int, unexpected: list[int]
) -> Iterator[tuple[int, int, U8]]:
    """Outcomes of Subtract a Prime; even numbers that nothing shows won are added to the list."""
    if a == b:
        return
    from numduel.ranges.losses import Outcomes

    march = Outcomes(a, b)
    words: U64 = np.empty(0, dtype=np.uint64)
    for begin, size in _sizes(march.start, b, segment):
        if size // 64 >= len(words):
            words = np.zeros(size // 64 + 1, dtype=np.uint64)
        march.pack(words[: size // 64])
        low, high = max(a, begin), min(b, begin + size)
        unexpected += [n for n in march.uncovered if low <= n < high]
        if low < high:
            yield low, high, _cut_bits(words.view(np.uint8), low - begin, high - low)


def _expected(segments: Iterator[tuple[int, int, U8]], unexpected: list[int]) -> Iterator[Any]:
    """The segments. Raises `ClaimFails` in place of one that has such."""
    for one in segments:
        if unexpected:
            raise ClaimFails("even loss", number=unexpected[0])
        yield one


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
def outcome_segments(
    game: str, a: int, b: int, segment: int | None = None
) -> Iterator[tuple[int, int, U8]]:
    """Outcomes over [a, b), segment by segment in constant memory: (start, stop, bits).

    Bit i (little bit order) of bits is 1 when start + i is lost for the player to move. Segments
    follow each other without gaps and hold about `segment` numbers (rounded up to a multiple of
    1920, at least 7680; the first and the last may be shorter). The array is reused: copy what
    you want to keep before asking for the next one.
    """
    if segment is None:
        segment = OUTCOME_SEGMENT if game == "subtract-a-prime" else _usual_segment(game, b)
    _check(game, a, b, segment)
    if game == "subtract-a-prime":
        unexpected: list[int] = []
        return _expected(_bit_segments(a, b, segment, unexpected), unexpected)
    return (
        (start, stop, np.packbits(values == 0, bitorder="little"))
        for start, stop, values in _value_segments(game, a, b, segment)
    )


@checked
def outcomes(game: str, a: int, b: int) -> U8:
    """Outcomes of [a, b), packed: bit i (little bit order) is 1 when a + i is lost."""
    segments = outcome_segments(game, a, b)
    whole = np.zeros(-(-(b - a) // 8) + 1, dtype=np.uint8)
    for start, _, bits in segments:
        at, by = divmod(start - a, 8)
        whole[at : at + len(bits)] |= bits << by
        whole[at + 1 : at + 1 + len(bits)] |= bits >> 1 >> (7 - by)
    return whole[:-1]


@checked
def grundy_segments(
    game: str, a: int, b: int, segment: int | None = None
) -> Iterator[tuple[int, int, U8]]:
    """Grundy values over [a, b), segment by segment in constant memory: (start, stop, values).

    Prime Subtractor's are those of its opening. Segments and buffer as in `outcome_segments`.
    """
    if segment is None:
        segment = _usual_segment(game, b)
    _check(game, a, b, segment)
    return _value_segments(game, a, b, segment)


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
    _check("subtract-a-prime", a, b)
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
