"""A device that is none: CUDA kernels compiled by g++ and run on the CPU (`emulation.h`)."""

import ctypes
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from os import getpid
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import numpy.typing as npt

from numduel.gpu.sieve import ITEMS, LINES, NUMBERS, Device, Shape, Sieve, Step

COMPILER = which("g++")
COMPILED = Path(__file__).parents[2] / ".pytest_cache/kernels"
"""Compiled code stays here, for all processes of tests and for the next time."""
SMALL = Shape(words=512, segments=2, threads=64, players=32, rough=500)
"""Tiny segments, so that a few million numbers take several steps."""


class Emulated:
    """Kernels one after the other."""

    slots = 2
    multiprocessors = 5
    name, driver, version = "emulated", "none", "none"
    shape = replace(SMALL, near=10**5)

    def module(self, code: str) -> ctypes.CDLL:
        code = (Path(__file__).parent / "emulation.h").read_text() + code
        place = COMPILED / f"{sha256(code.encode()).hexdigest()[:16]}.so"
        if not place.exists():
            COMPILED.mkdir(parents=True, exist_ok=True)
            made = place.with_suffix(f".{getpid()}")
            subprocess.run(
                [str(COMPILER), "-O1", "-w", "-U_FORTIFY_SOURCE", "-fPIC", "-shared", "-x", "c++",
                 "-", "-o", str(made)], input=code.encode(), check=True,
            )  # fmt: skip
            made.replace(place)
        return ctypes.CDLL(str(place))

    def array(self, data: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.array(data)

    def clear(self, array: npt.NDArray[Any]) -> None:
        array[:] = 0

    def get(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array

    def wait(self, *_: object) -> None:
        pass

    begin = follow = end = wait

    def launch(
        self, module: Any, name: str, grid: int, block: int, shared: int, stream: str, *args: Any
    ) -> None:
        values = [one.ctypes.data if isinstance(one, np.ndarray) else int(one) for one in args]
        module.launch(
            ctypes.cast(getattr(module, name), ctypes.c_void_p),
            ctypes.c_uint32(grid),
            ctypes.c_uint32(block),
            ctypes.c_uint64(shared),
            (ctypes.c_uint64 * 16)(*values),
        )


def made_up(words: int, seed: int) -> npt.NDArray[np.bool_]:
    """Made-up primes: one number in five of those that can be, from 0 on."""
    random = np.random.default_rng(seed)
    prime = np.zeros(words * NUMBERS, dtype=bool)
    for r in LINES:
        prime[r::210] = random.random(words * 32) < 0.2
    return prime


def make_up(device: Device, sieve: Sieve, *steps: tuple[int, int, npt.NDArray[np.bool_]]) -> None:
    """Let the sieve find these primes instead: (first word, behind the last, all from 0 on)."""

    def found(*_: object) -> Iterator[Step]:
        for slot, (low, high, primes) in enumerate(steps):
            lines = np.zeros((len(LINES), sieve.pitch), dtype=np.uint32)
            for line, r in enumerate(LINES):
                bits = np.packbits(~primes[r::210].reshape(-1, 32), axis=1, bitorder="little")
                lines[line, : high - low] = bits.view(np.uint32)[low:high, 0]
            items = device.array(np.zeros(1 + ITEMS, np.uint32))
            yield Step(low, high - low, device.array(lines.reshape(-1)), items, slot)

    sieve.steps = found  # type: ignore[method-assign]
