"""Getting better: matches analysed, maps, puzzles, lessons, tallies. Nothing here prints."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")


class Draw:
    """Choices that are the same on every machine and, unlike those of `random`, in every version:
    an endless row of them, by SHA-256 of the seed and a counter.
    """

    def __init__(self, seed: str) -> None:
        self._seed, self._count = seed, 0

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, the limit."""
        digest = sha256(f"{self._seed}/{self._count}".encode(errors="surrogatepass")).digest()
        self._count += 1
        return int.from_bytes(digest, "big") % limit

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def one_of(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]
