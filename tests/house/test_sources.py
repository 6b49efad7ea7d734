"""What holds for every file of the package: no ways round, and every memo has a bound."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path

from libraries.table import LIBRARIES

import numduel

ROOT = Path(numduel.__file__).parent


@cache
def files() -> dict[str, ast.AST]:
    """Every module by its name."""
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
    """At the top or later, however long the way."""
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
    "arguments._hints": "the functions that are checked",
    "games._known": "the games there are, and their variants: errors are not kept",
    "games._find": "the games there are: errors are not kept",
    "theory._of_game": "the games there are",
    "known.digit_values.run": "a theorem: about 112,000 blocks are met, however many numbers",
    "known.prime_values.by_definition": "five sizes",
    "wording._wording_of": "the games there are",
    "research.low_values._witnesses": "two parities, twelve values",
    "research.low_values.low_values": "two constants",
    "research.plain._nine_after": "about 112,000 blocks are met, however many numbers",
}
"""What bounds each cache without a size of its own: never the text that somebody sends."""


def is_unbounded(decorator: ast.expr) -> bool:
    """Is it `@cache`, or `@lru_cache` without a size?"""
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
    """Those that `make libraries` installs, each with a file and an extra."""
    root = Path(__file__).parents[2]
    guide = (root / "docs/build.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([\d.]+) \| .+ \| works \|$", guide, re.MULTILINE)
    assert rows == [(library.name, library.version) for library in LIBRARIES]
    extras = (root / "pyproject.toml").read_text(encoding="utf-8")
    for library in LIBRARIES:
        assert find_spec(library.module), library.name
        assert f"\n{library.extra} = [" in extras
