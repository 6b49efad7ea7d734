"""Fail when a layer's branches are tested less than it should be; read after `pytest --cov`."""

import io
import json
import sys
from pathlib import Path

from coverage import Coverage

LIMIT = 95.0


def main() -> int:
    """Print the share of branches tested in each layer that has a limit."""
    coverage = Coverage()
    coverage.load()
    report = Path(".coverage.json")
    coverage.json_report(outfile=str(report), show_contexts=False)
    files = json.loads(report.read_text())["files"]
    report.unlink()
    failed = False
    for layer in coverage.get_option("run:source"):
        path = layer.replace(".", "/")
        covered = total = 0
        for name, file in files.items():
            inside = name.partition("src/")[2]
            if inside.startswith((f"{path}/", f"{path}.py")):
                summary = file["summary"]
                covered += summary["covered_branches"]
                total += summary["num_branches"]
        share = 100 * covered / total
        failed |= share < LIMIT
        print(f"{layer}: {share:.1f}% of branches tested (at least {LIMIT:g}%)")
    if failed:
        missing = io.StringIO()
        coverage.report(file=missing, show_missing=True, skip_covered=True)
        print(missing.getvalue())
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
