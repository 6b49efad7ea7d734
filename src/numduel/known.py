"""What is known of single numbers, in plain Python, for theory, kernels and GPU alike.

Each fact says whether it is proved; if it is not, a named constant says how far it was checked. The
lists and the local rule of Subtract a Prime are conjectures: what recounts them (`research.plain`)
and the tests have their own words for them.
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

    Conjecture (checked to `RULE_CHECKED`). g(n) is the mex of g(n-2) and of what other moves reach
    by the local rule, which docs/paper.md has in words and `_reached` in code.

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


State = tuple[int, ...]
"""The values of the nine numbers before a multiple of ten, the nearest last."""
NOTHING_BEFORE: State = (0,) * 9
"""At 0: no number below 10 looks further back than 0, so these values are never used."""
PERIODIC = 5
"""From blocks of 10^5 numbers on, a block of 10^(k+2) does what one of 10^k does."""


def digit_value(n: int) -> int:
    """The Grundy value of `n`, at any size.

    A move takes at most 9, so the nine values before a block of 10^k numbers and the digits they
    share fix the nine at its end, and a block is ten smaller ones in a row.

    Theorem (by computation, run again in the tests). On all pairs of leading digits and nine values
    that are met at sizes 5 and 6, starting from 0, blocks of 10^7 and 10^8 do what blocks of 10^5
    and 10^6 do. By induction the same holds for 10^(k+2) and 10^k, k >= 5: sizes 1 to 6 serve all.
    """
    tens, last = divmod(n, 10)
    state, leading = nine_before(tens)
    for digit in range(last + 1):
        state = _step(leading | digit_bit(digit), state)
    return state[-1]


def nine_before(tens: int) -> tuple[State, int]:
    """The nine values before 10 * tens, and the set of the digits of `tens`."""
    state, leading = NOTHING_BEFORE, 0
    text = str(tens)
    for place, digit in enumerate(map(int, text)):
        for lower in range(digit):
            state = _block(len(text) - place, leading | digit_bit(lower), state)
        leading |= digit_bit(digit)
    return state, leading


def digit_bit(digit: int) -> int:
    """The set that holds the digit, unless it is 0, which is no move."""
    return 1 << digit & ~1


def _block(size: int, leading: int, state: State) -> State:
    """The nine values at the end of the 10^size numbers that share the leading digits."""
    if size > PERIODIC + 1:
        size = PERIODIC + (size - PERIODIC) % 2
    return run_block(size, leading, state)


@cache
def run_block(size: int, leading: int, state: State) -> State:
    """The same without the theorem: ten smaller blocks in a row."""
    for digit in range(10):
        inner = leading | digit_bit(digit)
        state = _step(inner, state) if size == 1 else run_block(size - 1, inner, state)
    return state


def _step(digits: int, state: State) -> State:
    """The nine values one number further, from the set of that number's digits."""
    reached = 0
    for digit in range(1, 10):
        if digits >> digit & 1:
            reached |= 1 << state[-digit]
    least = (~reached & reached + 1).bit_length() - 1
    return (*state[1:], least)


_LEAST_VALUES = ({1: 0}, {1: 0, 3: 2}, {1: 1, 3: 3, 5: 3})
"""Values of 2^k * m that are not k, for k = 0, 1, 2: by m."""


def divisor_value(k: int, m: int) -> int:
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
