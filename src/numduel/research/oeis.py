"""Drafts of entries in the OEIS's internal format, for sequences that seem not to be there.

See https://oeis.org/eishelp1.html. A draft is a proposal to a person, who searches again, checks
and submits it: A000000 stands for the number that the OEIS gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from numduel.games import OwnRule, load
from numduel.research.own_drafts import moves_in_python, rule_in_words

KNOWN: Final = {
    ("subtract-a-prime", "grundy"): "A014589",
    ("subtract-a-prime", "P"): "A025043",
    ("subtract-a-prime", "first"): "A355557",
    ("power-play", "grundy"): "A066829",
    ("power-play", "P"): "A028260",
    ("power-play", "N"): "A026424",
    ("power-play", "misere-P"): "A026424",
    ("digit-subtraction-duel", "P"): "A008592",
}
"""Sequences that are in the OEIS already."""

RULES: Final = {
    "subtract-a-prime": "subtract a prime p <= n from n",
    "prime-subtractor": "subtract a prime p <= n from n, but not the starting number itself",
    "divisor-duel": "subtract a divisor d of n with 1 < d < n from n",
    "digit-subtraction-duel": "subtract one of the nonzero digits of n from n",
    "power-play": "divide n by one of its prime factors",
}
MOVES: Final = {
    "subtract-a-prime": "n-p for p in range(2, n+1) if all(p % q for q in range(2, p))",
    "divisor-duel": "n-d for d in range(2, n) if n % d == 0",
    "digit-subtraction-duel": "n-int(d) for d in set(str(n)) - {'0'}",
    "power-play": "n//p for p in range(2, n+1) if n % p == 0 and all(p % q for q in range(2, p))",
}
FORMULAS: Final = {
    ("divisor-duel", "grundy"): [
        "Write n = 2^k * m with m odd. a(n) = k for m > 15; the values for m <= 15 are a table "
        "that depends on k and m."
    ],
    ("divisor-duel", "P"): ["The odd numbers, and the numbers 2^k with k odd."],
    ("divisor-duel", "N"): ["The even numbers but 2^k with k odd."],
    ("divisor-duel", "misere-P"): [
        "The even terms are 4, and numbers of the forms 2p (p prime), 2^k and 3*2^k; Mersenne "
        "primes decide which of the last two."
    ],
    ("digit-subtraction-duel", "grundy"): [
        "a(n) = 0 if and only if 10 divides n. a(n) <= number of distinct nonzero digits of n."
    ],
    ("digit-subtraction-duel", "misere-P"): [
        "1 to 9, 11, 13, 15, 17, 19, and the multiples of 10 from 20 on."
    ],
    ("digit-subtraction-duel", "first"): ["a(v) = 12...v for v = 1..9."],
    ("subtract-a-prime", "misere-P"): [
        "n is a term if and only if A014589(n) = 1 (conjectured: if and only if n-2 is a term of "
        "A025043)."
    ],
}
NAMES: Final = {
    "grundy": "Grundy value of n in the game: {rule}; whoever cannot move loses.",
    "P": "Numbers n that are lost for the player to move in the game: {rule}; whoever cannot "
    "move loses.",
    "N": "Numbers n that are won for the player to move in the game: {rule}; whoever cannot "
    "move loses.",
    "misere-P": "Numbers n that are lost for the player to move in the misère game: {rule}; "
    "whoever cannot move wins.",
    "first": "Least number of Grundy value n in the game: {rule}; whoever cannot move loses.",
}
_WIDTH: Final = 80
_LINES: Final = 3


@dataclass(frozen=True)
class Draft:
    """What a draft is made of."""

    game: str
    kind: str
    first: int
    """The smallest number of the game."""
    offset: int
    terms: list[int]

    @property
    def known(self) -> str | None:
        """The A-number, where the OEIS has the sequence."""
        return KNOWN.get((self.game, self.kind))

    @property
    def _own(self) -> OwnRule | None:
        game = load(self.game)
        return game if isinstance(game, OwnRule) else None

    def __str__(self) -> str:
        own = self._own
        rule = RULES[self.game] if own is None else rule_in_words(own)
        name = NAMES[self.kind].format(rule=rule)
        searched = "Not searched for in the OEIS: search first."
        if own is None:
            searched = "Not found in our search of the OEIS; search again first."
        shown, lines = _term_lines(self.terms)
        parts = [("I", "")]
        parts += list(zip("STU", lines, strict=False))
        parts += [("N", name), ("C", searched)]
        parts += [("F", formula) for formula in FORMULAS.get((self.game, self.kind), [])]
        parts += [("e", self._example()), ("o", "(Python)")]
        parts += [("o", line) for line in self.program(len(shown)).splitlines()]
        parts += [("K", "nonn" + ",more" * (len(shown) == len(self.terms) < 20))]
        parts += [("O", f"{self.offset},{_first_large(shown)}")]
        parts += [("A", "(author of the submission)")]
        return "".join(f"%{letter} A000000 {text}".rstrip() + "\n" for letter, text in parts)

    def _example(self) -> str:
        at, term = self.offset + 4, self.terms[min(4, len(self.terms) - 1)]
        return f"a({min(at, self.offset + len(self.terms) - 1)}) = {term}."

    def program(self, count: int) -> str:
        """A plain program that prints the first `count` terms."""
        program, moves = _PROGRAM, MOVES.get(self.game, "")
        if self._own is not None:
            moves = moves_in_python(self._own)
        if self.game == "prime-subtractor":
            program, moves = _OPENING, MOVES["subtract-a-prime"]
        stuck = "1 if not r else " if self.kind == "misere-P" else ""
        return program.format(
            moves=moves, first=self.first, count=count, stuck=stuck, collect=self._test()
        )

    def _test(self) -> str:
        return {
            "grundy": "a.append(v)",
            "first": "a += [n] * (v == len(a))",
            "N": "a += [n] * (v > 0)",
        }.get(self.kind, "a += [n] * (v == 0)")


_PROGRAM: Final = """\
def moves(n): return [{moves}]
g, a, n = {{}}, [], {first}
while len(a) < {count}:
    r = {{g[m] for m in moves(n)}}
    v = g[n] = {stuck}min(set(range(len(r)+1)) - r)
    {collect}
    n += 1
print(a)"""


_OPENING: Final = """\
def moves(n): return [{moves}]
g, a, n = {{}}, [], 0
def mex(r): return {stuck}min(set(range(len(r)+1)) - r)
while len(a) < {count}:
    g[n] = mex({{g[m] for m in moves(n)}})
    v = mex({{g[m] for m in moves(n) if m}})
    if n: {collect}
    n += 1
print(a)"""


def _term_lines(terms: list[int]) -> tuple[list[int], list[str]]:
    """The terms that fit on three lines of about 80 characters, and the lines."""
    lines = [""]
    shown = []
    for term in terms:
        text = f"{term},"
        if len(lines[-1]) + len(text) > _WIDTH:
            if len(lines) == _LINES:
                break
            lines.append("")
        lines[-1] += text
        shown.append(term)
    lines[-1] = lines[-1].rstrip(",")
    return shown, lines


def _first_large(terms: list[int]) -> int:
    """The place, from 1, of the first term above 1; 1 if there is none."""
    return next((place for place, term in enumerate(terms, 1) if abs(term) > 1), 1)
