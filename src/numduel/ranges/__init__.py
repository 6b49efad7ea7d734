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
(`known.prime_values`).

Numbers are machine words: 0 <= a <= b <= LIMIT, otherwise `InvalidRange`. An even number above
310 that nothing shows won raises `ClaimFails`: a discovery, if it is one.
Needs the extra `ranges`.
"""

from numduel.extras import COMPILED, require

require(*COMPILED)

from numduel.ranges.segments import (  # noqa: E402
    GAMES,
    LIMIT,
    count_losses,
    grundy,
    grundy_segments,
    outcome_segments,
    outcomes,
)

__all__ = [
    "GAMES",
    "LIMIT",
    "count_losses",
    "grundy",
    "grundy_segments",
    "outcome_segments",
    "outcomes",
]
