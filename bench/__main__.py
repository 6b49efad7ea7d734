"""Run every measurement, or those named: `python -m bench startup playouts`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main() -> int:
    """Print each result; exit 1 when a limit is missed."""
    there = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    there.remove("measure")
    results = [
        result for name in sys.argv[1:] or there for result in import_module(f"bench.{name}").run()
    ]
    print()
    for result in results:
        print(result)
    return 0 if all(result.met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
