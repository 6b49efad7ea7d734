"""Sums under misère: the rule for numbers that are fickle or firm.

Each number h carries a value v(h). Call a class C of numbers tame when every
number h of it is fickle, with value 0 or 1, or firm, and

1. v(h) is the mex of the values of its options in C, as in normal play;
2. its second value is the mex of the second values of those options, where
   the second value is 1 - v for fickle numbers and v for firm ones, and 1 for
   a number without a move, which is fickle of value 0;
3. each option outside C (a wild one) has itself an option in C with the value
   and the firmness of h.

Theorem (after Conway's tame games, On Numbers and Games, ch. 12, and the
reverting moves of Winning Ways, ch. 13). A sum of numbers of C is lost under
misère exactly when all are fickle and the XOR of their values is 1, or some
number is firm and the XOR is 0.

Proof, by induction on the moves left. Say "balanced" for the sums that are
claimed lost. From a balanced sum, a move to a wild option is answered as in 3,
which is balanced again. A move from h to h' in C unbalances it: by 1 the value
changes, so the XOR does; what might go wrong is that the sum changes from
"some firm" to "all fickle" or back. If h was the only firm number, the others
are fickle, so v(h) is 0 or 1, and h' fickle with value 1 - v(h) has the second
value of h, against 2. If all were fickle and h' is firm, its value would have
to be 1 - v(h), again the second value of h. From an unbalanced sum: all fickle
with XOR 0 and a move left, some number of value 1 goes to a fickle 0 or some
0 with a move goes to a fickle 1. (A fickle 1 has second value 0: by 1 it has an
option of value 0, and by 2 none of second value 0, so that option is not firm.
A fickle 0 with a move has second value 1: by 2 it has an option of second value
0, and by 1 none of value 0, so that option is not a firm 0 but a fickle 1.)
Some firm and XOR x not 0: make the XOR 0
as in Nim. This fails only when it takes the one firm number h to a fickle one,
and the others have XOR y in {0, 1}; if v(h) > 1, then 2 gives an option of
second value y, which is firm y or fickle 1 - y: balanced. If v(h) = 1, y = 0
and 2 gives an option of second value 0, which is not of value 1, so firm 0. If
v(h) = 0, some fickle number has value 1; it goes to a fickle 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor


def balanced(values: Iterable[int], some_firm: bool) -> bool:
    """Is a sum of tame numbers lost under misère?"""
    return reduce(xor, values, 0) == (0 if some_firm else 1)
