"""Grundy values of Divisor Duel: a closed form, proved."""

_LEAST_VALUES = ({1: 0}, {1: 0, 3: 2}, {1: 1, 3: 3, 5: 3})
"""Values of 2^k * m that are not k, for k = 0, 1, 2: by m."""


def value(k: int, m: int) -> int:
    """The Grundy value of 2^k * m, m odd, with all divisors allowed: k, but for m <= 15.

    Theorem 4 of docs/paper.md, which has the proof; the tests run its finite part.
    """
    if m > 15:
        return k
    if k < 3:
        return _LEAST_VALUES[k].get(m, k)
    if m == 1:
        return 0 if k % 2 else (2 if k == 4 else k - 1)
    if k == 3:
        return 3 if m == 13 else 4
    if k == 4:
        return 3 if m < 7 else 5
    if k == 5:
        return 6
    return k + {3: -2, 5: 2}.get(m, 1)
