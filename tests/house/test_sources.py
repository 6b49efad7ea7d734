"""What holds for every file of the package: no ways round, every memo bounded, patterns linear."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from time import thread_time
from typing import Any

from libraries.table import LIBRARIES

import numduel

ROOT = Path(numduel.__file__).parent


@cache
def files() -> dict[str, ast.AST]:
    found = {}
    for path in ROOT.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = ast.parse(path.read_text())
    return found


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is imported from where, wherever it stands, but for what only type checkers see."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        yield from imported(node)


def test_no_file_imports_itself_by_a_way_round() -> None:
    known = files()
    graph = {
        name: {
            found
            for module, what in imported(tree)
            if (found := f"{module}.{what}" if f"{module}.{what}" in known else module) in known
        }
        - {name}
        for name, tree in known.items()
    }
    assert sum(map(len, graph.values())) > 500, "the imports were found"
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the way


BOUNDED_BY = {
    "games._find": "the games there are: errors are not kept",
    "theory._of_game": "the games there are",
    "known.run_block": "a theorem: about 112,000 blocks are met, however many numbers",
    "known.by_definition": "five sizes",
    "research.low_values._witnesses": "two parities, twelve values",
    "research.low_values.low_values": "two constants",
    "research.plain._nine_after": "about 112,000 blocks are met, however many numbers",
}
"""What bounds each cache without a size of its own: never the text that somebody sends."""


def is_unbounded(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Call):
        sizes = [*decorator.args, *(word.value for word in decorator.keywords)]
        bounded = any(not isinstance(s, ast.Constant) or s.value is not None for s in sizes)
        return "lru_cache" in ast.unparse(decorator.func) and bool(sizes) and not bounded
    return ast.unparse(decorator) in ("cache", "functools.cache")


def test_every_cache_has_a_bound() -> None:
    found = set()
    for name, tree in files().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any(map(is_unbounded, node.decorator_list)):
                asked = node.args
                if asked.args or asked.posonlyargs or asked.kwonlyargs or asked.kwarg:
                    found.add(f"{name}.{node.name}".removeprefix("numduel."))
    assert found == set(BOUNDED_BY)


def test_the_guide_has_every_library_at_its_version() -> None:
    root = Path(__file__).parents[2]
    guide = (root / "docs/build.md").read_text(encoding="utf-8")
    told = guide.partition("### Libraries that were tried\n")[2].partition("###")[0]
    rows = re.findall(r"\b([a-z][\w-]+)\s(\d+(?:\.\d+)+)", told)
    assert rows == [(library.name, library.version) for library in LIBRARIES]
    extras = (root / "pyproject.toml").read_text(encoding="utf-8")
    for library in LIBRARIES:
        assert find_spec(library.module), library.name
        assert f"\n{library.extra} = [" in extras


LENGTH = 3_000
FACTOR = 60
"""What takes the square of the length takes many hundred times as long as one look at each sign."""
BEGINNINGS = ("", "1", ":1", "a", "1. a: ", "bearer a", "[", "<a", ";numduel=", "\\boxed{")
# fmt: off
REPEATED = ("0", "a", " ", "\t", ",", ".", ":", "-", "+", "*", "^", "/", "[", "<", ">", ";", "_",
            "1+", "1,", "1 ", "1-", "a-", ": ", ", ", "+ ", " 000", "1:", "a ", "#\t", "1*1")
# fmt: on
TEXTS = [
    (begun + part * (LENGTH // len(part)) + "!") for begun, part in product(BEGINNINGS, REPEATED)
]
EACH = re.compile("(?:[^!]|!)*")
METHODS = ("fullmatch", "match", "search", "sub", "split", "findall", "finditer")


def patterns() -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Each pattern with its place and how it is used: by name, in a table, or on the spot."""
    for path in ROOT.rglob("*.py"):
        text = path.read_text()
        if "import re\n" not in text:
            continue
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        for call in ast.walk(ast.parse(text)):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name("re"), attr=method),
                    args=[ast.Constant(value=str(pattern)), *_],
                ) if method in METHODS:
                    yield f"{name}:{call.lineno}", re.compile(pattern), method
        for variable, value in vars(import_module(name.removesuffix(".__init__"))).items():
            for pattern in found_in(value):
                used = [method for method in METHODS if f"{variable}.{method}(" in text]
                for method in used or ["fullmatch"]:
                    yield f"{name}.{variable}", pattern, method


def found_in(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from found_in(part)


def use(pattern: re.Pattern[str], method: str, text: str) -> None:
    given = ("", text) if method == "sub" else (text,)
    found = getattr(pattern, method)(*given)
    if method == "finditer":
        list(found)


def seconds(call: Callable[[], Any], enough: float) -> float:
    """The least time of some tries; a machine with much else to do gets another one."""
    least = 1e9
    for _ in range(4):
        begun = thread_time()
        call()
        least = min(least, thread_time() - begun)
        if least < enough:
            break
    return least


def test_every_pattern_is_linear() -> None:
    limit = FACTOR * seconds(lambda: EACH.fullmatch(TEXTS[0]), 0)
    tried = set()
    for where, pattern, method in patterns():
        tried.add(where)
        for text in TEXTS:
            took = seconds(partial(use, pattern, method, text), limit)
            assert took < limit, f"{where} {method} of {text[:20]!r} takes {took:.3f} s"
    assert len(tried) > 30, tried
