"""Tables of docs/solve.md and docs/paper.md, from the certificates in results/ and the kernels.

python tools/results.py              print every table, write every figure
python tools/results.py losses       one: certificates, losses, values, mersenne, squares
python tools/results.py recount      only when named: parts of what a GPU settled, by plain search
"""

import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise
from math import log10
from pathlib import Path
from random import Random
from typing import NamedTuple

from numduel.arithmetic import is_prime, primes_up
from numduel.known import LocalValues
from numduel.ranges import count_losses
from numduel.research import claim_certificate
from numduel.research.claims import Row
from numduel.research.plain import losses_fingerprint, values_fingerprint_row
from numduel.theory.divisor_duel import MERSENNE_EXPONENTS, misere_lost

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 320, 64, 48, 32, 28
INK, LINE, MARK = "#1a1a1a", "#1f6f8b", "#b3541e"
SQUARES = 10**5

Point = tuple[float, float]


def rows_of(claim: str) -> list[Row]:
    """The blocks of the certificates of a claim, each of which begins where the last one ends."""
    found = [json.loads(path.read_text()) for path in (ROOT / "results").glob(f"{claim}-*.json")]
    rows: list[Row] = []
    for data in sorted(found, key=lambda data: int(data["from"])):
        more = claim_certificate.read(data)[1]
        if rows:
            assert more[0]["from"] == rows[-1]["to"], claim
            assert more[0].get("enters") == rows[-1].get("leaves"), claim
        rows += more
    return rows


def certificates() -> None:
    """The certificates, with the SHA-256 of each file."""
    lines = []
    for path in (ROOT / "results").glob("*-*.json"):
        data, mark = json.loads(path.read_text()), sha256(path.read_bytes()).hexdigest()
        lines.append((data["claim"], data["from"], path.name, mark[:16]))
    table(("file in results/", "SHA-256 begins"), *(line[2:] for line in sorted(lines)))


def losses_up_to() -> list[tuple[int, int]]:
    """(10^k, how many n < 10^k are lost), k = 1, 2, ...: by the kernels, then by certificate."""
    rows = rows_of("even-losses")
    found = []
    power = 10
    while power <= rows[-1]["to"]:
        whole = sum(row["losses"] for row in rows if row["to"] <= power)
        below = max((row["to"] for row in rows if row["to"] <= power), default=0)
        if below < power:
            odd, _ = count_losses(below, power)
            whole += odd + sum(e < power for e in (0, 10, 34, 100, 310) if e >= below)
        found.append((power, whole))
        power *= 10
    return found


class Series(NamedTuple):
    """Points joined by a line."""

    points: list[Point]
    name: str = ""
    dashes: str | None = None
    """None for a full line with its points marked; otherwise the line's dashes, perhaps none."""


def figure(name: str, title: str, across: str, up: str, lines: list[Series], level: float) -> None:
    """Write a small SVG: the lines, the first with its points marked, and a dashed level."""
    points = lines[0].points
    xs, ys = [x for x, _ in points], [y for line in lines for _, y in line.points] + [level]
    low, high = min(ys), max(ys)
    low, high = low - 0.08 * (high - low), high + 0.08 * (high - low)

    def at(x: float, y: float) -> tuple[float, float]:
        wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM - TOP
        return (
            round(LEFT + wide * (x - xs[0]) / (xs[-1] - xs[0]), 1),
            round(TOP + tall * (high - y) / (high - low), 1),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="18" font-size="14">{title}</text>',
        f'<text x="{WIDTH // 2}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>',
        f'<text x="14" y="{HEIGHT // 2}" transform="rotate(-90 14 {HEIGHT // 2})" '
        f'text-anchor="middle">{up}</text>',
    ]
    for step in range(5):
        y = low + (high - low) * step / 4
        _, py = at(xs[0], y)
        parts.append(f'<path d="M{LEFT} {py}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{py + 4}" text-anchor="end">{y:.3g}</text>')
    _, py = at(xs[0], level)
    parts.append(f'<path d="M{LEFT} {py}H{WIDTH - RIGHT}" stroke="{MARK}" stroke-dasharray="6 4"/>')
    for place, line in enumerate(lines):
        path = " ".join("{},{}".format(*at(x, y)) for x, y in line.points)
        ink = f'stroke="{MARK if place else LINE}" stroke-dasharray="{line.dashes or "none"}"'
        parts.append(
            f'<polyline points="{path}" fill="none" {ink} stroke-width="{2 - place / 4}"/>'
        )
        if line.name:
            left, foot = WIDTH - 190, HEIGHT - BOTTOM - 16 * (len(lines) - place)
            parts.append(f'<path d="M{left} {foot - 4}h28" {ink} stroke-width="2"/>')
            parts.append(f'<text x="{left + 36}" y="{foot}">{line.name}</text>')
    for x, y in points:
        px, py = at(x, y)
        parts.append(f'<circle cx="{px}" cy="{py}" r="3.5" fill="{LINE}"/>')
        label = f"10^{x:g}" if across.endswith("scale)") else f"{x:g}"
        parts.append(f'<text x="{px}" y="{HEIGHT - 28}" text-anchor="middle">{label}</text>')
    parts.append("</svg>\n")
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"{name}.svg").write_text("\n".join(parts), encoding="utf-8")


def table(*lines: tuple[object, ...]) -> None:
    """Print rows as a Markdown table, the first being its head."""
    shown = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in lines]
    shown.insert(1, ["---"] * len(shown[0]))
    print("\n".join(f"| {' | '.join(row)} |" for row in shown), "\n")


def losses() -> None:
    """Lost numbers below 10^k, their share in the last decade, and 10^k over their number."""
    counts = [(1, 1), *losses_up_to()]
    print("Lost numbers of Subtract a Prime:\n")
    table(
        ("x", "n lost below x", "share in the last decade", "x/n"),
        *(
            (f"10^{log10(b):.0f}", n, f"{(n - m) / (b - a):.5f}", f"{b / n:.5f}")
            for (a, m), (b, n) in pairwise(counts)
        ),
    )


def values() -> None:
    """How often each Grundy value occurs."""
    rows = rows_of("exceptions")
    totals = claim_certificate.totals(rows)
    print(f"Numbers of each Grundy value below {rows[-1]['to']:,}, Subtract a Prime:\n")
    pairs = list(zip(totals["even"], totals["odd"], strict=True))
    table(("value", "even n", "odd n"), *((v, even, odd) for v, (even, odd) in enumerate(pairs)))
    figure("values", f"How often each value occurs below 10^{log10(rows[-1]['to']):.0f}",
           "Grundy value", "log10 of the count",
           [Series([(v, log10(sum(pair))) for v, pair in enumerate(pairs)])], 0)  # fmt: skip


def mersenne() -> None:
    """Powers of two and their triples that are lost in misère Divisor Duel."""
    exponents = [k for k in MERSENNE_EXPONENTS if k <= 127]
    powers = [k for k in range(1, 131) if misere_lost(2**k)]
    triples = [k for k in range(1, 131) if misere_lost(3 * 2**k)]
    print("Misère Divisor Duel, k up to 130:\n")
    table(
        ("what", "k"),
        ("2^k - 1 is prime", ", ".join(map(str, exponents))),
        ("3*2^k is lost", ", ".join(map(str, triples))),
        ("2^k is lost", ", ".join(map(str, powers))),
    )
    counts = [(10**k, sum(misere_lost(n) for n in range(1, 10**k))) for k in range(1, 6)]
    table(("x", "lost below x", "share"), *((x, n, f"{n / x:.4f}") for x, n in counts))


def squares() -> None:
    """Which squares of primes are lost in Subtract a Prime?"""
    primes = [p for p in primes_up(SQUARES) if p > 2]
    near = LocalValues()
    won = [p for p in primes if not near.lost(p * p)]
    print(f"Odd primes p < {SQUARES:,}: {len(primes):,}, with p^2 lost: {len(primes) - len(won):,}")
    print(f"The first p with p^2 won: {', '.join(map(str, won[:12]))}\n")
    table(
        ("p below", "odd primes", "p^2 lost", "share"),
        *(
            (x, len(mine), good, f"{good / len(mine):.4f}")
            for x in (10**2, 10**3, 10**4, 10**5)
            if (mine := [p for p in primes if p < x])
            for good in [len(mine) - sum(p < x for p in won)]
        ),
    )
    assert all(is_prime(p) for p in won[:3])


def recount() -> None:
    """Three parts of every decade that a GPU settled, chosen by chance, by plain search."""
    print("Ranges of 1,000,000,000 numbers settled on a GPU, recounted by plain search:\n")
    done = [
        (claim, f"10^{decade}", part["from"], part["fingerprint"], verdict)
        for claim, search in (
            ("even-losses", losses_fingerprint),
            ("exceptions", values_fingerprint_row),
        )
        for decade, part, verdict in _recounted(claim, search)
    ]
    table(("claim", "decade from", "range from", "fingerprint", "plain search"), *done)


def _recounted(claim: str, search: Callable[[int, int], Row]) -> Iterator[tuple[int, Row, str]]:
    by_decade: dict[int, list[Row]] = {}
    for row in rows_of(claim):
        if "part" in row:
            by_decade.setdefault(len(str(row["from"])) - 1, []).append(row["part"])
    for decade, parts in by_decade.items():
        for part in sorted(Random(decade).sample(parts, 3), key=lambda part: int(part["from"])):
            found = search(part["from"], part["to"])
            same = found == {name: part[name] for name in found}
            print(claim, part["from"], same, file=sys.stderr, flush=True)
            yield decade, part, "agrees" if same else f"DIFFERS: {found}"


ALL: dict[str, Callable[[], None]] = {
    "certificates": certificates,
    "losses": losses,
    "values": values,
    "mersenne": mersenne,
    "squares": squares,
}


def main(arguments: list[str]) -> int:
    """Make what is asked for; everything by default."""
    known = {**ALL, "recount": recount}
    if set(arguments) - set(known):
        print(f"Usage: {Path(__file__).name} [{' | '.join(known)}]", file=sys.stderr)
        return 2
    for name in arguments or ALL:
        known[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
