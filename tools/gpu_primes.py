"""Primes that the sieve of a GPU leaves, in the ranges of results/independent.json.

python tools/gpu_primes.py

For each range the number of primes is compared with what primesieve counted there. It needs a GPU
and CuPy, and nothing that is compiled for a CPU.
"""

import json
import sys
from pathlib import Path

import numpy as np

from numduel.gpu.cuda import Cuda
from numduel.gpu.sieve import LINES, MODULUS, Device, Sieve

FILE = Path(__file__).parents[1] / "results" / "independent.json"
BLOCK = 1920 << 16
"""Numbers of a range, as in tools/independent.py."""


def marked(device: Device, sieve: Sieve, start: int, stop: int) -> int:
    """Primes in [start, stop), which lies in one step of the sieve: bits that are not set."""
    (step,) = sieve.steps(start, stop, 1)
    device.wait()
    words = device.get(step.lines).reshape(len(LINES), sieve.pitch)[:, : step.words]
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")
    many = 0
    for line, r in zip(bits, LINES, strict=True):
        low, high = (-(-(n - r) // MODULUS) - 32 * step.word for n in (start, stop))
        many += int((line[low:high] == 0).sum())
    return many


def main() -> int:
    """Compare all ranges; 1 if one differs."""
    known = {
        int(start): row["primes"] for start, row in json.loads(FILE.read_text())["primes"].items()
    }
    device = Cuda()
    sieve = Sieve(device, 10**16, device.shape)
    wrong = [
        start for start in known if marked(device, sieve, start, start + BLOCK) != known[start]
    ]
    print(f"{len(known) - len(wrong)} of {len(known)} ranges of {BLOCK:,} numbers agree.", *wrong)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
