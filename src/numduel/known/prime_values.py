"""Grundy values of Subtract a Prime: a table of the small ones, a local rule for the rest.

The lists and the rule are conjectures. What recounts them (`research.plain`) and the tests have
their own words for them.
"""

from functools import cache

from numduel.arithmetic import MOST_REMEMBERED, is_prime, is_prime_nearby

TABLE = 8192
"""Values below this come from a table, made by plain mex when first asked for."""
LOOK_BACK = 7680
"""More than the rule ever looks back. From here on it is used and checked, and the rows of
certificates have the hash of this many values below their block."""
LIST_CHECKED = 10**16 - 1
"""`EVEN_LOSSES` are all the even losses to here: certified in results/even-losses-*.json, from
10^12 on by a GPU; in print to 10^9 (Dobbelaere 2024, OEIS A014589)."""
EXCEPTIONS_CHECKED = 10**14 - 1
"""`EVEN` and `ODD` list all numbers of their values to here: certified in
results/exceptions-*.json, from 10^11 on by a GPU; in print to 10^9 (same source)."""
RULE_CHECKED = EXCEPTIONS_CHECKED
"""The local rule gives the value of every n from `LOOK_BACK` to here: the values in these
certificates are the rule's, and each is shown by witnesses."""

EVEN: dict[int, tuple[int, ...]] = {
    0: (0, 10, 34, 100, 310),
    1: (2, 12, 36, 102, 312),
    2: (4, 14, 38, 104, 314, 1574),
    3: (6, 16, 40, 106, 316, 1576, 1996, 5566),
    7: (24,),
    8: (),
    10: (),
}
"""The even numbers of these values: all of them to `EXCEPTIONS_CHECKED`."""

ODD: dict[int, tuple[int, ...]] = {4: (17,), 5: (19,), 6: (21,), 11: ()}
"""The odd numbers of these values: all of them to `EXCEPTIONS_CHECKED`."""
EVEN_LOSSES = EVEN[0]
"""The even numbers that are lost: all of them to `LIST_CHECKED`, believed all of them."""
NINES = (13, 18, 23)
"""The residues mod 30 of the numbers of value 9. The only prime from one of them to another is
5: it leads from 23 to 18 and from 18 to 13."""
USUAL = (sum(1 << v for v in ODD), sum(1 << v for v in EVEN))
"""By parity, as bits: the values that numbers have if they are no exceptions, but for 9."""


def small_value(n: int) -> int:
    return by_definition(max(512, 1 << n.bit_length()))[n]


@cache
def by_definition(stop: int) -> bytes:
    """The values of all n below `stop` by their definition.

    Bit n of reached[v] says that some prime takes n to a number of value v:
    each number shifts the set of all primes once into its own value's set.
    """
    primes = sum(1 << p for p in range(stop) if is_prime(p))
    mask = (1 << stop) - 1
    reached = [0] * 16
    values = bytearray(stop)
    for n in range(stop):
        value = 0
        while reached[value] >> n & 1:
            value += 1
        values[n] = value
        reached[value] |= (primes << n) & mask
    return bytes(values)


class LocalValues:
    """Losses and Grundy values of the numbers of one neighbourhood, by the local rule.

    Conjecture (checked to `RULE_CHECKED`). g(n) is the mex of g(n-2) and of what
    the other moves reach:

    - n odd: 4, 5, 6; each v of `EVEN` with n-e prime for some e of its list;
      9 unless n mod 30 is 13 or 23; when it is 23, 9 if g(n-5) = 9.
    - n even: 0, 1, 2, 3, 7, 8, 10; each v of `ODD` with n-e prime;
      9 unless n mod 30 is 18; when it is 18, 9 if g(n-5) = 9.

    So a number has a first choice, the least value missing without g(n-2), and a second, the
    next one missing, which it has if g(n-2) is just its first. Go down by twos until the first
    choice of a number is neither choice of the one below: then that is its value.
    """

    __slots__ = ("_known", "_lost")

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._lost: dict[int, bool] = {}

    def lost(self, n: int) -> bool:
        """Is `n` lost? From `TABLE` on, if `EVEN_LOSSES` are all the even losses.

        An odd n walks down by twos to a number that wins by n - e: about ln(n)/10 steps.
        """
        known = self._lost
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        m = n
        while m >= TABLE and m not in known:
            if m % 2 == 0 or any(is_prime_nearby(m - e) for e in EVEN_LOSSES):
                known[m] = False
                break
            m -= 2
        lost = known[m] if m in known else small_value(m) == 0
        while m < n:
            m += 2
            lost = known[m] = not lost
        return lost

    def has_value(self, n: int, value: int) -> bool:
        """Is g(n) the value? Asked of the walk alone for 0 and 1, whose claim reaches further."""
        return self.at(n) == value if n < TABLE or value > 1 else self.lost(n - 2 * value)

    def at(self, n: int) -> int:
        if n < TABLE:
            return small_value(n)
        known = self._known
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        m, waiting = n, list[tuple[int, int, int]]()
        while m >= TABLE and m not in known:
            first = self._free(m, 0)
            second = self._free(m, first + 1)
            if waiting and waiting[-1][1] not in (first, second):
                value = -1  # whichever of its two this has, the number above has its first choice
                break
            waiting.append((m, first, second))
            m -= 2
        else:
            value = known[m] if m in known else small_value(m)
        for m, first, second in reversed(waiting):
            value = known[m] = second if value == first else first
        return value

    def _free(self, m: int, value: int) -> int:
        """The least value from `value` on that no odd prime takes m to."""
        while self._reached(m, value):
            value += 1
        return value

    def _reached(self, m: int, value: int) -> bool:
        if value == 9:
            rest = m % 30
            return self.at(m - 5) == 9 if rest in (18, 23) else rest != 13
        few = EVEN if m & 1 else ODD
        return any(is_prime_nearby(m - e) for e in few[value]) if value in few else value < 11
