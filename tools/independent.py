"""Checks of the certificates in results/ by what shares no code with numduel's kernels.

python tools/independent.py               all four, into results/independent.json
python tools/independent.py smooth        one of them: smooth, definition, primes, recount

smooth: the losses of every block against those of its neighbours.
definition: random short ranges, number by number, with python-flint's primality test.
primes: the CPU's sieve against published values of pi(x) and against `primesieve`.
recount: random rows of `even-losses` by tools/recount.cpp, which has its primes from primesieve.

The last two need `primesieve`, `libprimesieve-dev` and `g++` from Debian. Every choice follows from
SEED. A check that was stopped goes on where it ended; delete the file to begin anew.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from tempfile import gettempdir
from typing import Any

import numpy as np
from flint import fmpz
from results import ROOT, rows_of, table

from numduel.ranges import outcomes
from numduel.ranges.lines import LineSieve, sieve_bits

FILE = ROOT / "results" / "independent.json"
SEED = 34
EVEN = (0, 10, 34, 100, 310)
PI = {9: 50847534, 10: 455052511}
"""pi(10^k), published: OEIS A006880."""
BLOCK = 1920 << 16
"""Numbers of a range whose primes are counted."""
SHORT = 10_000
"""Numbers of a range that is settled one by one."""
SAMPLE = {9: 30, 12: 18, 13: 40, 14: 30, 15: 112}
"""Rows to recount, by the least power of ten of their decades."""

Found = dict[str, Any]


def kept() -> dict[str, Found]:
    """What was found so far, by check and place."""
    found: dict[str, Any] = json.loads(FILE.read_text()) if FILE.exists() else {"seed": SEED}
    return found


def each(name: str, places: list[int], check: Callable[[int], Found]) -> Found:
    """The findings at all places; those that the file has are not sought again."""
    found = kept()
    mine = found.setdefault(name, {})
    for place in places:
        if str(place) not in mine:
            mine[str(place)] = check(place)
            lines = (
                f' "{key}": ' + json.dumps(value).replace("}, ", "},\n  ")
                for key, value in found.items()
            )
            FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
            print(name, place, mine[str(place)], file=sys.stderr, flush=True)
    return {str(place): mine[str(place)] for place in places}


def spread(name: str, many: int, least: int = 9, most: int = 16) -> list[int]:
    """Numbers at random from 10^least to 10^most, their logarithms evenly spread."""
    drawn = Random(f"{SEED} {name}")
    return sorted(int(10 ** drawn.uniform(least, most)) // 1920 * 1920 for _ in range(many))


def smooth() -> None:
    """Each block's losses against a cubic through two neighbours on either side.

    From twenty block lengths on: below, the density bends too much for a cubic.
    """
    runs: list[list[int]] = [[]]
    rows = [row for row in rows_of("even-losses") if 21 * row["from"] >= 20 * row["to"]]
    for row, after in pairwise([*rows, {"from": 0, "to": 0}]):
        runs[-1].append(row["losses"])
        if row["to"] - row["from"] != after["to"] - after["from"]:
            runs.append([])
    lines = []
    first = rows[0]["from"]
    for counts in (np.array(run, dtype=float) for run in runs[:-1]):
        size = rows[0]["to"] - rows[0]["from"]
        around = (4 * (counts[1:-3] + counts[3:-1]) - counts[:-4] - counts[4:]) / 6
        off = counts[2:-2] - around
        usual = median(abs(off)) / 0.6745
        worst = int(np.argmax(abs(off)))
        at = rows[worst + 2]["from"]
        lines.append(
            (first, size, len(counts), round(usual), f"{abs(off).max() / usual:.2f} at {at:,}",
             round(6 * usual))
        )  # fmt: skip
        rows = rows[len(counts) :]
        first = rows[0]["from"] if rows else 0
    table(("from", "block", "blocks", "sigma", "largest deviation / sigma", "6 sigma"), *lines)


def is_prime(n: int) -> bool:
    return n > 1 and bool(fmpz(n).is_prime())


def lost_by_definition(stop: int) -> set[int]:
    """The lost numbers below `stop`: those from which no prime leads to a lost one."""
    primes = [p for p in range(stop) if is_prime(p)]
    won = [False] * stop
    for n in range(stop):
        if not won[n]:
            for p in primes:
                if n + p >= stop:
                    break
                won[n + p] = True
    return {n for n in range(stop) if not won[n]}


def lost_near(start: int, stop: int) -> set[int]:
    """The lost numbers of a range far out, given that below it the five even ones are all."""
    low = start - 4000 | 1
    while not is_prime(low):
        low -= 2
    lost: set[int] = set()
    for n in range(low, stop, 2):
        if n - 2 not in lost and not any(is_prime(n - e) for e in EVEN):
            lost.add(n)
    small = [p for p in range(3, 4000) if is_prime(p)]
    for n in range(start + start % 2, stop, 2):
        if not any(n - p in lost for p in small):
            raise SystemExit(f"{n} is not shown won")
    return {n for n in lost if n >= start}


def settled(start: int, stop: int) -> set[int]:
    """The same by numduel's kernel."""
    bits = np.unpackbits(outcomes("subtract-a-prime", start, stop), bitorder="little")
    return {start + int(i) for i in np.flatnonzero(bits[: stop - start])}


def definition() -> None:
    """Short ranges number by number, and all numbers below 10^5 over all their moves."""
    assert lost_by_definition(10**5) == settled(0, 10**5)
    print("All n < 100,000 over all moves: the same lost numbers.")

    def check(start: int) -> Found:
        found = lost_near(start, start + SHORT)
        return {"losses": len(found), "same": found == settled(start, start + SHORT)}

    report(each("definition", spread("definition", 200), check), SHORT)


def sieved(start: int, stop: int) -> int:
    """Primes from 7 on in [start, stop), by the sieve of numduel.ranges."""
    sieve = LineSieve(start // 30, stop // 30, sieve_bits(stop, (stop - start) // 1920))
    many = 0
    while sieve.next < stop // 30:
        left = stop // 30 - sieve.next
        sieve.fill(min(64 * (sieve.words.shape[1] - 5), left))
        words = sieve.words[:, 4 : 4 + sieve.filled // 64]
        many += int(np.bitwise_count(words).sum(dtype=np.int64))
    return many


def primes() -> None:
    """Prime counts of the sieve against published ones and those of primesieve."""
    for k, published in PI.items():
        # The sieve takes multiples of 1920; the few numbers behind the last are primesieve's.
        whole = 10**k // 1920 * 1920
        many = 3 + sieved(0, whole) + counted(whole, 10**k)
        print(f"pi(10^{k}) = {many:,}: {'as' if many == published else 'NOT as'} published")

    def check(start: int) -> Found:
        many = sieved(start, start + BLOCK)
        return {"primes": many, "same": many == counted(start, start + BLOCK)}

    report(each("primes", spread("primes", 100), check), BLOCK)


def counted(start: int, stop: int) -> int:
    """Primes in [start, stop) by the program primesieve."""
    shown = subprocess.run(
        ["primesieve", str(start), str(stop - 1), "--count", "--quiet", "--threads=1"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(shown.stdout.split()[-1])


@cache
def program() -> str:
    """tools/recount.cpp, compiled."""
    made = str(Path(gettempdir()) / "numduel-recount")
    source = str(ROOT / "tools" / "recount.cpp")
    subprocess.run(["g++", "-O3", "-march=native", "-o", made, source, "-lprimesieve"], check=True)
    return made


def recount() -> None:
    """Rows of the certificates, or the parts of those from a GPU, with primes of primesieve."""
    rows = {row["from"]: row for row in rows_of("even-losses")}

    def check(start: int) -> Found:
        row = rows[start].get("part", rows[start])
        bits = ["bits"] if "hash" in row else []
        with subprocess.Popen(
            [program(), str(row["from"]), str(row["to"]), *bits],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as run:  # fmt: skip
            assert run.stdout is not None
            assert run.stderr is not None
            hashed = hashlib.sha256()
            while piece := run.stdout.read(1 << 20):
                hashed.update(piece)
            many, losses, total = run.stderr.read().decode().split()
        mark = hashed.hexdigest()[:32] if bits else total
        same = int(losses) == row["losses"] and mark == row.get("hash", row.get("fingerprint"))
        return {"from": row["from"], "primes": int(many), "losses": int(losses), "same": same}

    for low, high in pairwise([*SAMPLE, 16]):
        mine = [start for start in rows if 10**low <= start < 10**high]
        chosen = Random(f"{SEED} {low}").sample(mine, SAMPLE[low])
        print(f"From 10^{low} to 10^{high}:")
        report(each("recount", chosen, check), 10**9)


def report(found: Found, size: int) -> None:
    """How many ranges agree, and what a fault that hits one range in so many escapes with."""
    same = sum(one["same"] for one in found.values())
    print(f"{same} of {len(found)} ranges of {size:,} numbers agree.")
    for share in (0.1, 0.03, 0.01, 0.001):
        chance = (1 - share) ** len(found)
        print(f"  A fault in {share:.1%} of such ranges is missed with chance {chance:.2g}.")


ALL: dict[str, Callable[[], None]] = {
    "smooth": smooth,
    "definition": definition,
    "primes": primes,
    "recount": recount,
}


def main(arguments: list[str]) -> int:
    """Make the checks that are asked for; all by default."""
    if set(arguments) - set(ALL):
        print(f"Usage: {Path(__file__).name} [{' | '.join(ALL)}]", file=sys.stderr)
        return 2
    for name in arguments or ALL:
        print(f"\n{name}\n")
        ALL[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
