"""Every regular expression takes time that grows with the text, not with its square."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from time import thread_time
from typing import Any

import numduel

SOURCE = Path(numduel.__file__).parent
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
    for path in SOURCE.rglob("*.py"):
        text = path.read_text()
        if "import re\n" not in text:
            continue
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
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
