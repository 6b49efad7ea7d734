"""Divisor Duel under misère, one number: a theorem with Mersenne primes in it."""

from __future__ import annotations

from functools import lru_cache

from numduel.arithmetic import MAX_DIGITS, is_prime
from numduel.errors import TooManyDigits
from numduel.theory.theory import PROVED, Basis

MERSENNE_EXPONENTS = (
    2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279, 2203, 2281,
    3217, 4253, 4423, 9689, 9941, 11213, 19937,
)  # fmt: skip
"""The k with 2^k - 1 prime, all of them to 19937 (OEIS A000043; Tuckerman 1971)."""

_PROBABLE = " A large prime in it is by the Baillie-PSW test: probable, with no known failure."


def lost(n: int) -> bool:
    """Is `n` lost for the player to move, when whoever cannot move wins?

    Theorem. 1 and the primes win. The even losses are of three forms only: 4 = 2*2 and 2p
    (p >= 5 prime), unless 2p-2 is a loss 2^i or 3*2^i; 2^k and 3*2^k as `_power_lost` and
    `_triple_lost` say. An odd composite is lost, but for 3p with 2p lost, and 3(2^k + 1) with
    3*2^k lost.

    Proof, by induction. An odd composite n goes to even numbers n-d that have the odd factor d:
    such a loss is 2p with d = p, so n = 3p, or 3*2^k with d = 3, so n = 3(2^k + 1). For the even
    ones write n = 2^k * m; d = e | m leaves the odd number n-e, which is a multiple of e.
    k = 1, m composite: m is left by d = m, and is a loss unless m = 3p or m = 3(2^i + 1); then
    d = m/3 leaves 5m/3, which is a loss, since it is of neither form unless m = 9, and 9 is a loss.
    k >= 2, m = p >= 5 prime: p(2^k - 1) is left by d = p. If it is 3p with 2p lost, play to 2p.
    If it is 3(2^i + 1) with 3*2^i lost: 2^k - 1 divides 3(2^i + 1), so k = 2 or k = 4. For k = 2,
    p = 2^i + 1, and 2p is lost: else 2p-2 = 2^(i+1) would be, which the loss 3*2^i reaches. For
    k = 4, 5p = 2^i + 1 with i = 2 mod 4, which has two factors 2^(i/2) + 1 +- 2^((i+2)/4); p prime
    leaves p = 13, i = 6: play 16 to 192 = 3*2^6.
    k >= 2, m composite: d = m and any other divisor e of m leave numbers within a factor 4/3 of
    each other, and two numbers 3(2^i + 1) are further apart, so not both are of that form;
    n-e = 3p needs e = 3. So some d wins unless m = 9, where only n = 36 is in doubt: it goes to
    the loss 27.
    The rest lists the few moves of 2p, 2^k and 3*2^k. (Compared with search to
    10 million.) Raises `TooManyDigits` where the list of exponents ends.
    """
    if n.bit_length() > MERSENNE_EXPONENTS[-1]:
        raise TooManyDigits(digits=n.bit_length() * 3 // 10, limit=MAX_DIGITS)
    if n & 1:
        return _odd_lost(n)
    if n & (n - 1) == 0:
        return _power_lost(n.bit_length() - 1)
    if n % 3 == 0 and (third := n // 3) & (third - 1) == 0:
        return _triple_lost(third.bit_length() - 1)
    return n & 3 == 2 and _double_lost(n >> 1)


def basis(n: int) -> Basis:
    return PROVED._replace(holds=PROVED.holds + _PROBABLE * (n >= 1 << 64))


def _odd_lost(n: int) -> bool:
    if n % 3 == 0 and n > 3:
        third = n // 3
        before = third - 1
        if before & (before - 1) == 0 and _triple_lost(before.bit_length() - 1):
            return False
        return not _double_lost(third)
    return n > 1 and not is_prime(n)


def _double_lost(p: int) -> bool:
    """Is 2p lost, for an odd p? Its one move that matters leads to 2p-2."""
    before = p - 1
    if p < 5 or not is_prime(p):
        return False
    if before & (before - 1) == 0:
        return not _power_lost(before.bit_length())
    if before % 3 == 0 and (third := before // 3) & (third - 1) == 0:
        return not _triple_lost(third.bit_length())
    return True


def _power_lost(k: int) -> bool:
    """Is 2^k lost? For k > 2: none of 2^(k-1), 3*2^(k-2) and 2q, q = 2^(k-1)-1 prime, is.

    2q is a loss for every q from 31 on, as 2q-2 is of no losing form. So 2^k wins right above a
    Mersenne exponent and alternates from there on, but for 3*2^(k-2), one of few in `_triple_lost`.
    """
    if k < 6:
        return k in (2, 5)
    last = max(exponent for exponent in MERSENNE_EXPONENTS if exponent < k)
    return k > last + 1 and (k - last) % 2 == int(_triple_lost(last))


@lru_cache(maxsize=256)
def _triple_lost(k: int) -> bool:
    """Is 3*2^k lost? For k >= 5: when 2^k - 1 is prime and 3*2^(k-1) - 1 is not."""
    return k > 4 and k in MERSENNE_EXPONENTS and not is_prime(3 * 2 ** (k - 1) - 1)
