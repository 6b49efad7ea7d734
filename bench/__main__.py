"""Run every measurement, or those named: `python -m bench startup playouts`.

With `--short`, only as much of each as shows that it can be run.
"""

import sys
import traceback
from importlib import import_module
from pathlib import Path

from bench.measure import SHORT, Result


def main() -> int:
    """Print one table in the end, whatever fails; exit 1 when a limit is missed or one failed."""
    there = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    there.remove("measure")
    results: list[Result] = []
    failed: list[str] = []
    for name in [word for word in sys.argv[1:] if word != "--short"] or there:
        print(f"== {name}", flush=True)
        try:
            results.extend(import_module(f"bench.{name}").run())
        except Exception as error:
            traceback.print_exc()
            failed.append(f"bench.{name} failed: {error!r}")
    print("", *results, *failed, sep="\n")
    return int(bool(failed) or not (SHORT or all(result.met for result in results)))


if __name__ == "__main__":
    sys.exit(main())
