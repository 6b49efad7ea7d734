"""Are these the Grundy values of Subtract a Prime? Shown number by number, not by the local rule.

A value v of n is right when every value below v has a witness, a prime p with g(n-p) equal to
it, and v has none. All below `low` being known, the rest follows by induction:
witnesses are looked for and shown; that v has none follows from which numbers have value v
at all (the lists of exceptions, and 9 at 13, 18, 23 mod 30 only), which is read off the array.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from range_kernels import reference

Numbers = npt.NDArray[np.int64]
ODD_BRINGS = {v: few for v, few in reference.BROUGHT.items() if few[0] % 2 == 0}
EVEN_BRINGS = {v: few for v, few in reference.BROUGHT.items() if few[0] % 2}


def without(
    numbers: Numbers, places: tuple[int, ...], prime: npt.NDArray[np.bool_], miss: bool
) -> Numbers:
    """The numbers from which no prime (miss) or some prime (not miss) leads to a place."""
    meets = np.zeros(len(numbers), dtype=np.bool_)
    for place in places:
        meets |= prime[numbers - place]
    left: Numbers = numbers[meets != miss]
    return left


def unproved(values: npt.NDArray[np.uint8], low: int) -> dict[str, list[int]]:
    """Numbers from low on whose value is not shown, by reason: empty when all are right."""
    limit = len(values)
    prime = reference.prime_flags(0, limit).copy()
    prime[2] = False  # g(n-2) is looked at by itself
    primes = np.flatnonzero(prime)
    wrong: dict[str, Numbers] = {}
    for name, parity, brings in (("odd", 1, ODD_BRINGS), ("even", 0, EVEN_BRINGS)):
        mine = np.arange(low + (low + parity) % 2, limit, 2)
        others = np.arange(1 - parity, limit, 2)
        wrong[f"{name} n with g(n) = g(n-2)"] = mine[values[mine] == values[mine - 2]]
        for v in range(12):
            have = mine[values[mine] == v]
            need = mine[values[mine] > v]
            need = need[values[need - 2] != v]
            reach = others[values[others] == v]
            if v in brings:
                # Only the known exceptions of the other parity have value v.
                wrong[f"{name} n meets {v} elsewhere"] = np.setdiff1d(reach, brings[v])
                wrong[f"{name} n has {v} and reaches it"] = without(have, brings[v], prime, False)
                wrong[f"{name} n misses {v}"] = without(need, brings[v], prime, True)
                continue
            for p in primes:
                if not len(need):
                    break
                need = need[need >= p]
                need = need[values[need - p] != v]
            wrong[f"{name} n misses {v}"] = need
            if v == 9:
                # From 13 or 23 to 18 mod 30 and back the only prime is 5.
                usual = np.isin(reach % 30, (13, 18, 23))
                wrong["9 at another residue"] = have[~np.isin(have % 30, (13, 18, 23))]
                wrong[f"{name} n has 9, so has n-5"] = have[values[have - 5] == 9]
                rare = tuple(reach[~usual].tolist())
                wrong[f"{name} n has 9 and reaches it"] = without(have, rare, prime, False)
            elif len(have):
                wrong[f"{name} n has {v}, so have others"] = reach
    return {why: numbers.tolist() for why, numbers in wrong.items() if len(numbers)}
