"""Count what there is to read: `python tools/lines.py`, or `python tools/lines.py COMMIT`.

A row for each folder of the package: lines of Python, statements (nodes of kind `stmt`, which no
way of formatting changes), files, and the lines of what lies beside them (templates, scripts,
styles, kernels, data). With a commit, a second column tells what it was there.
"""

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
SOURCE, TESTS = "src/numduel", "tests"
COLUMNS = ("lines", "statements", "files", "beside")
BESIDE = {".html", ".js", ".css", ".cu", ".json", ".toml", ".txt", ".xml", ".svg"}
Counts = dict[str, Counter[str]]


def _git(*words: str) -> str:
    return subprocess.check_output(["git", "-C", str(ROOT), *words], text=True)


def _texts(commit: str | None) -> dict[str, str]:
    """The text of each file that counts, by its path; what git ignores does not."""
    if commit is None:
        names = _git("ls-files", "--cached", "--others", "--exclude-standard", SOURCE, TESTS)
    else:
        names = _git("ls-tree", "-r", "--name-only", commit, SOURCE, TESTS)
    texts = {}
    for name in names.splitlines():
        if PurePosixPath(name).suffix not in BESIDE | {".py"}:
            continue
        if commit is not None:
            texts[name] = _git("show", f"{commit}:{name}")
        elif (ROOT / name).exists():
            texts[name] = (ROOT / name).read_text(encoding="utf-8")
    return texts


def count(commit: str | None = None) -> Counts:
    """What there is by folder, now or at a commit."""
    found: Counts = defaultdict(Counter)
    for name, text in _texts(commit).items():
        path = PurePosixPath(name)
        in_source = path.is_relative_to(SOURCE)
        parts = path.relative_to(SOURCE).parts if in_source else ()
        folder = (parts[0] if len(parts) > 1 else "(top)") if in_source else "tests"
        lines = len(text.splitlines())
        if path.suffix != ".py":
            found[folder]["beside"] += lines
            continue
        statements = sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(text)))
        found[folder].update(lines=lines, statements=statements, files=1)
    return found


def table(now: Counts, before: Counts | None) -> str:
    """One row for each folder, and the sum of the package."""
    folders = sorted({*now, *(before or {})} - {"tests"})
    for counts in (now, before):
        if counts is not None:
            counts["all of src"] = sum((counts[name] for name in folders), Counter())
    heads = [head for name in COLUMNS for head in ((name, "was") if before else (name,))]
    rows = [f"{'':<12}" + "".join(f"{head:>12}" for head in heads)]
    for folder in (*folders, "all of src", "tests"):
        cells = [f"{counts[folder][name]:>12,}" for name in COLUMNS
                 for counts in (now, before) if counts is not None]  # fmt: skip
        rows.append(f"{folder:<12}" + "".join(cells))
    return "\n".join(rows)


if __name__ == "__main__":
    asked = sys.argv[1] if len(sys.argv) > 1 else None
    print(table(count(), count(asked) if asked else None))
