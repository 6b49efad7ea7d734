"""No file imports one that imports it, at the top or later, however long the way round."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import numduel

ROOT = Path(numduel.__file__).parent


def files() -> dict[str, Path]:
    """Every module by its name."""
    parts = {
        path: path.relative_to(ROOT.parent).with_suffix("").parts for path in ROOT.rglob("*.py")
    }
    return {".".join(name).removesuffix(".__init__"): path for path, name in parts.items()}


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is imported from where, wherever it stands, but for what only type checkers see."""
    for node in ast.iter_child_nodes(tree):
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
            for module, what in imported(ast.parse(path.read_text()))
            if (found := f"{module}.{what}" if f"{module}.{what}" in known else module) in known
        }
        - {name}
        for name, path in known.items()
    }
    assert sum(map(len, graph.values())) > 500, "the imports were found"
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the way
