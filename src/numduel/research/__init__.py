"""Research: sequences, claims verified over long ranges with certificates, and any heap game.

    >>> from numduel.research import heap
    >>> nim = heap(lambda n: range(n))
    >>> nim.values(6)
    [0, 1, 2, 3, 4, 5]

`heap`, `octal` and `heap_file` need nothing but Python. Sequences and claims need the extra
`ranges`, a run on several machines the extra `research`.
"""

from __future__ import annotations

from numduel.research.heaps import Heap, heap, heap_file, octal

__all__ = ["Heap", "heap", "heap_file", "octal"]
