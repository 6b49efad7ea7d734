"""Primes near one large number: many questions about one neighbourhood."""

from __future__ import annotations

from bisect import bisect_right

from numduel.arithmetic.primes import is_prime, small_primes

_SIEVED = 1 << 64
"""Below this, one primality test costs less than a sieve could save."""

_BLOCK = 512
"""Odd numbers that are sieved together."""


class NearbyPrimes:
    """Which numbers not above `top` are prime: `m in nearby`, as `is_prime(m)` answers.

    Around a large `top`, small primes cross out nine odd numbers in ten, block
    by block, before one of them is tested; every answer is remembered.
    """

    __slots__ = ("_base", "_blocks", "_known", "_residues")

    def __init__(self, top: int) -> None:
        self._base = top - 1 + top % 2
        self._known: dict[int, bool] = {}
        self._blocks: dict[int, bytes] = {}
        self._residues: list[tuple[int, int]] = []
        if top >= _SIEVED:
            # A longer sieve pays only where a test is dear: its cost grows as the cube.
            limit = max(256, top.bit_length() ** 2 // 64)
            primes = small_primes()
            base = self._base
            for p in primes[1 : bisect_right(primes, limit)]:
                residue = base % p
                self._residues.append((p, (residue + p * (residue & 1)) >> 1))

    def __contains__(self, m: int) -> bool:
        known = self._known.get(m)
        if known is None:
            known = self._known[m] = self._find(m)
        return known

    def _find(self, m: int) -> bool:
        if m < _SIEVED or not self._residues:
            return is_prime(m)
        if not m & 1:
            return False
        number, place = divmod((self._base - m) >> 1, _BLOCK)
        block = self._blocks.get(number)
        if block is None:
            block = self._blocks[number] = self._sieve(number * _BLOCK)
        return not block[place] and is_prime(m)

    def _sieve(self, start: int) -> bytes:
        """Crossed-out flags of the odd numbers base - 2i for i from `start` on."""
        crossed = bytearray(_BLOCK)
        ones = b"\1" * _BLOCK
        for p, residue in self._residues:
            first = (residue - start) % p
            if first < _BLOCK:
                crossed[first::p] = ones[: (_BLOCK - 1 - first) // p + 1]
        return bytes(crossed)
