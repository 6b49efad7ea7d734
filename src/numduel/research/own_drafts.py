"""Own rules as a draft for the OEIS says them: in words, and in plain Python."""

from __future__ import annotations

from typing import Final

from numduel.games import OwnRule
from numduel.games.own.sentences import does

_MOVES: Final = {
    "any": "m for m in range(n)",
    "square": "n-k*k for k in range(1, n+1) if k*k <= n",
    "cube": "n-k**3 for k in range(1, n+1) if k**3 <= n",
    "prime": "n-p for p in range(2, n+1) if all(p % q for q in range(2, p))",
    "digit": "n-int(d) for d in set(str(n)) - {'0'}",
    "divisor": "n-d for d in range(1, n+1) if n % d == 0",
    "proper-divisor": "n-d for d in range(1, n) if n % d == 0",
    "power-of-2": "n-2**k for k in range(n.bit_length())",
    "fibonacci": "n-f for f in range(1, n+1)"
    " if any(int((5*f*f+s)**.5)**2 == 5*f*f+s for s in (4, -4))",
    "triangular": "n-k*(k+1)//2 for k in range(1, n+1) if k*(k+1)//2 <= n",
}


def rule_in_words(game: OwnRule) -> str:
    """The rule as a part of a sentence."""
    said = does(game.rule).removesuffix(".")
    return said[:1].lower() + said[1:]


def moves_in_python(game: OwnRule) -> str:
    """What stands between the brackets of a list of the numbers that moves from n leave."""
    parts = [_MOVES[word] for word in game.rule.words]
    if game.amounts:
        parts.append(f"n-k for k in {game.amounts} if k <= n")
    if game.divisors:
        parts.append(f"n//k for k in {game.divisors} if n and n % k == 0")
    return parts[0] if len(parts) == 1 else ", ".join(f"*[{part}]" for part in parts)
