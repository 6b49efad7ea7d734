"""Break numduel in forty small ways, and see whether the tests notice.

    python tools/mutants.py make > mutants.json               the same forty for the same source
    python tools/mutants.py probe mutants.json hits            mark the places, then run the tests
    python tools/mutants.py run mutants.json hits table.json   each in turn, with those tests that
                                                               reach its place

`make` draws by a fixed seed; `probe` and `run` take the list to any version of the source in which
the same lines still stand. All three work on the tree that they are started in: use a clone.
"""

import ast
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

SEED, COUNT = 26, 40
AREAS = (
    "games", "board.py", "match", "theory", "solver", "players", "store", "rooms", "classes",
    "web/safety", "adaptors",
)  # fmt: skip
SOURCE = Path("src/numduel")
TURNED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
WRITES = {"add", "append", "commit", "discard", "execute", "extend", "insert", "pop", "put",
          "release", "remove", "send", "set", "setdefault", "update", "write"}  # fmt: skip
PAIRS = {"players", "seats", "names", "tokens", "clocks", "left", "score", "wins"}
LONGEST = 1500.0
"""Seconds: a mutant that makes the tests hang is noticed too."""
HIT = "__import__('mutant_probe').hit({})"
PROBE = """import os, sys
_seen = set()
def hit(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    inside = "pytest" in sys.modules
    if test and (number, test) not in _seen:
        _seen.add((number, test))
        with open(f"{os.environ['MUTANT_HITS']}/{os.getpid()}", "a") as file:
            file.write(f"{number}\\t{int(inside)}\\t{test}\\n")
"""


@dataclass(frozen=True)
class Mutant:
    """Lines of a file, and what becomes of them."""

    file: str
    kind: str
    line: int
    before: str
    after: str
    probed: str


def candidates(path: Path) -> Iterator[Mutant]:
    """Every place of a file that can be broken, where its lines occur once only."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    tree = ast.parse(text)
    skipped = {id(inner) for node in ast.walk(tree) for inner in _fixed(node)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        for kind, target, new in _breaks(node, text):
            first, last = target.lineno - 1, target.end_lineno  # type: ignore[attr-defined]
            before = "".join(lines[first:last])
            if text.count(before) != 1:
                continue
            start = target.col_offset  # type: ignore[attr-defined]
            end = len(before) - len(lines[last - 1]) + target.end_col_offset  # type: ignore[attr-defined]
            old = before[start:end]
            if not before.isascii() or old == new:
                continue
            hit = HIT.format("@@")
            probed = f"{hit}; {old}" if isinstance(target, ast.stmt) else f"({hit} or {old})"
            yield Mutant(
                str(path), kind, first + 1, before,
                before[:start] + new + before[end:], before[:start] + probed + before[end:],
            )  # fmt: skip


def _fixed(node: ast.AST) -> Iterator[ast.AST]:
    """What is not broken: annotations, default values, and what runs at import only."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from ast.walk(node.args)
        for part in (*node.decorator_list, node.returns):
            yield from ast.walk(part) if part else ()
    elif isinstance(node, ast.Module | ast.ClassDef):
        for statement in node.body:
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from ast.walk(statement)
    elif isinstance(node, ast.AnnAssign):
        yield from ast.walk(node.annotation)
    elif isinstance(node, ast.JoinedStr | ast.match_case):
        yield from ast.walk(node)


def _breaks(node: ast.AST, text: str) -> Iterator[tuple[str, ast.AST, str]]:
    def source(part: ast.AST) -> str:
        return ast.get_source_segment(text, part) or ""

    match node:
        case ast.Compare(left, [operation], [right]) if type(operation) in TURNED:
            yield "comparison", node, f"({source(left)} {TURNED[type(operation)]} {source(right)})"
        case ast.Constant(value) if type(value) is int:
            yield "off by one", node, f"({value} + 1)"
        case ast.Expr(ast.Call(ast.Attribute(_, name))) if name in WRITES:
            yield "missing write", node, "pass"
        case ast.BinOp(ast.Constant(1), ast.Sub(), ast.Name() | ast.Attribute() as other):
            yield "swapped player", node, f"({source(other)})"
        case ast.Subscript(ast.Name(name) | ast.Attribute(_, name), ast.Constant(0 | 1 as place)):
            if name.lstrip("_") in PAIRS:
                yield "swapped player", node, f"{source(node.value)}[{1 - place}]"
        case ast.If(test, [ast.Raise()] | [ast.Return()], []):
            yield "dropped check", test, "(False)"


def make() -> list[Mutant]:
    """Forty: each kind and each area about as often, by the seed alone."""
    draw = random.Random(SEED)
    there: dict[tuple[str, str], list[Mutant]] = {}
    for area in AREAS:
        root = SOURCE / area
        for path in sorted(root.rglob("*.py") if root.is_dir() else [root]):
            for mutant in candidates(path):
                there.setdefault((area, mutant.kind), []).append(mutant)
    slots = sorted(there)
    for mutants in there.values():
        draw.shuffle(mutants)
    draw.shuffle(slots)
    chosen: list[Mutant] = []
    while len(chosen) < COUNT:
        for slot in slots:
            if there[slot] and len(chosen) < COUNT:
                chosen.append(there[slot].pop())
    return chosen


def change(mutant: Mutant, new: str) -> bool:
    """Write it into the tree; False where these lines are no more."""
    path = Path(mutant.file)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if text.count(mutant.before) != 1:
        return False
    path.write_text(text.replace(mutant.before, new), encoding="utf-8")
    return True


def probe(mutants: list[Mutant], hits: Path) -> None:
    """Mark every place in the tree: tests that reach it say so in the folder `hits`."""
    hits.mkdir(parents=True, exist_ok=True)
    library = Path(subprocess.check_output(
        [".venv/bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        text=True).strip())  # fmt: skip
    (library / "mutant_probe.py").write_text(PROBE, encoding="utf-8")
    for number, mutant in enumerate(mutants):
        if not change(mutant, mutant.probed.replace("@@", str(number))):
            print(f"gone: {number} {mutant.file}:{mutant.line}")


def reached(hits: Path) -> dict[int, tuple[set[str], bool]]:
    """For each mutant the tests that reach it, and whether a server or command did."""
    found: dict[int, tuple[set[str], bool]] = {}
    for file in hits.iterdir():
        for line in file.read_text(encoding="utf-8").splitlines():
            number, inside, test = line.split("\t")
            tests, apart = found.get(int(number), (set(), False))
            tests.add(test.partition("[")[0])  # all cases: some have names that cannot be typed
            found[int(number)] = tests, apart or (inside == "0" and test.startswith("tests/web"))
    return found


def pytest(what: list[str]) -> str:
    """What became of these tests: "killed" by one, or "survived" all."""
    listed = Path(".mutant-tests")
    listed.write_text("\n".join(what), encoding="utf-8")
    command = [".venv/bin/pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider",
               "--timeout", "120", f"@{listed}"]  # fmt: skip
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LONGEST,
            start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "killed: hangs"
    if done.returncode == 0:
        return "survived"
    told = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "killed: " + (told[0].split(" - ")[0] if told else done.stdout[-300:])


def run(mutants: list[Mutant], hits: Path, table: Path) -> None:
    """Try each in turn, with the tests of its own folder first; go on where a table ends."""
    links = reached(hits)
    failing = hits.with_name("failing")  # tests that fail without any mutant, a line each
    flaky = set(failing.read_text().splitlines()) if failing.exists() else set()
    rows: dict[str, dict[str, object]] = json.loads(table.read_text()) if table.exists() else {}
    for number, mutant in enumerate(mutants):
        if str(number) in rows:
            continue
        begun = time.monotonic()
        tests, apart = links.get(number, (set(), False))
        if not change(mutant, mutant.after):
            said = "gone"
        else:
            try:
                area = mutant.file.removeprefix("src/numduel/").split("/")[0]
                first = sorted(tests - flaky, key=lambda test: (f"tests/{area}" not in test, test))
                said = pytest(first) if first else "not reached"
                if not said.startswith("killed") and apart:
                    web = [f"tests/web/{path.name}" for path in Path("tests/web").glob("test_*.py")
                           if "browser" not in path.name]  # fmt: skip
                    said = pytest([*sorted(web), *(f"--deselect={test}" for test in flaky)])
            finally:
                change(Mutant(**{**asdict(mutant), "before": mutant.after}), mutant.before)
        rows[str(number)] = {
            "where": f"{mutant.file}:{mutant.line}", "kind": mutant.kind, "tests": len(tests),
            "seconds": round(time.monotonic() - begun), "said": said,
        }  # fmt: skip
        table.write_text(json.dumps(rows, indent=1), encoding="utf-8")
        print(number, rows[str(number)], flush=True)


def main() -> int:
    """Do as the first argument says."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if sys.argv[1] == "make":
        print(json.dumps([asdict(mutant) for mutant in make()], indent=1))
        return 0
    mutants = [Mutant(**fields) for fields in json.loads(Path(sys.argv[2]).read_text())]
    if sys.argv[1] == "probe":
        probe(mutants, Path(sys.argv[3]))
    else:
        run(mutants, Path(sys.argv[3]), Path(sys.argv[4]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
