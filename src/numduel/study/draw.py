"""Choices that come out the same on every machine: SHA-256 of a seed and a counter.

Python's own `random` may change how it chooses from one version to the next;
a hash does not. Puzzles are drawn only with this.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    """An endless row of choices, decided by the seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, the limit."""
        digest = sha256(f"{self._seed}/{self._count}".encode(errors="surrogatepass")).digest()
        self._count += 1
        return int.from_bytes(digest, "big") % limit

    def between(self, least: int, most: int) -> int:
        """A number from the least to the most."""
        return least + self.below(most - least + 1)

    def one_of(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]
