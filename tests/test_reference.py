"""No command, option, error or event goes undescribed. `make check` keeps the reference current."""

import json
import re
from pathlib import Path
from typing import Any

import click
from tools import reference

from numduel import errors, solve
from numduel.solver.certificate import certificate
from terminal import piped

ROOT = Path(__file__).parents[1]
_, JSON = (ROOT / "docs/formats.md").read_text(encoding="utf-8").split("\n## Events\n")
JSON, ERRORS = JSON.split("\n## Errors\n")
CODE = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
CLASSES = set(re.findall(r"^class (\w+[a-z][A-Z]\w+)", CODE, re.MULTILINE))


def test_every_command_and_option_says_what_it_does() -> None:
    for name, command in reference.commands():
        assert command.help, f"{name} has no help text"
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.opts[0]} has no help text"
                inside = CLASSES.intersection(re.findall(r"\w+", parameter.help))
                assert not inside, f"{name} {parameter.opts[0]} speaks of {inside} in the code"


def test_every_error_is_described() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", ERRORS, re.MULTILINE))
    kinds = {
        kind.__name__: kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.NumduelError)
    }
    assert set(rows) == set(kinds)
    for name, kind in kinds.items():
        promised = (kind.__doc__ or "").partition("Fields: ")[2]
        fields = re.findall(r"\b\w+\b", re.sub(r"\(.*\)", "", promised))
        for told in (*fields, *kind.words.values()):
            assert f"`{told}`" in rows[name], f"{name}: {told} is not in docs/formats.md"


def fields_in(text: str) -> dict[str, dict[str, str]]:
    """The fields and their types, by the heading of each list."""
    lists: dict[str, dict[str, str]] = {}
    for part in re.split(r"^#+ ", text, flags=re.MULTILINE):
        heading = part.partition("\n")[0].strip("`")
        if fields := dict(re.findall(r"^- `(\w+)` \(([^)]+)\): ", part, re.MULTILINE)):
            lists[heading] = fields
    return lists


FIELDS = fields_in(JSON)
TYPES: dict[str, Any] = {
    "string": str, "integer": int, "boolean": bool, "object": dict, "null": type(None),
    "number": int | float,
}  # fmt: skip
PLAYS = {
    "power-play --penalty 2": "? 7 30 moves map undo x ? help x 5 undo 3 5 2",
    "digit-subtraction-duel --best-of 3": "25 nobody 2 5 resign resign",
    "prime-subtractor --overshoot loses": "13 13",
    "subtract-a-prime:20+divisor-duel:60": "3 moves 2:15 resign",
    "divisor-duel --p1 largest --p2 largest": "",
}


def printed(arguments: str, typed: str = "", **environment: str) -> str:
    out, err, _ = piped([*arguments.split(), "--json"], typed, **environment)
    assert not err
    return out


def read(arguments: str, typed: str = "", **environment: str) -> Any:
    return json.loads(printed(arguments, typed, **environment))


def fits(value: object, kind: str) -> bool:
    """Is the value of a type that the docs name, like `list of integers`?"""
    if kind == "nulls":
        return all(item is None or fits(item, "number") for item in value)
    if kind.startswith("list of "):
        return isinstance(value, list) and all(fits(item, kind[8:-1]) for item in value)
    return isinstance(value, TYPES[kind]) and isinstance(value, bool) == (kind == "boolean")


def test_all_json_is_as_documented(tmp_path: Path) -> None:
    seen = set()
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}

    def check(name: str, fields: dict[str, object]) -> None:
        """Are the fields as documented?"""
        seen.add(name)
        assert list(fields) == list(FIELDS[name]), f"{name}: {list(fields)}"
        for field, value in fields.items():
            kinds = FIELDS[name][field].split(" or ")
            assert any(fits(value, kind) for kind in kinds), f"{name}.{field} is {value!r}"

    for arguments, typed in PLAYS.items():
        typed = typed.replace(" ", "\n") + "\n"
        for line in printed(f"play {arguments} --no-save", typed).splitlines():
            event = json.loads(line)
            assert next(iter(event)) == "event"
            check(event.pop("event"), event)
    for game in read("games"):
        check("numduel games", game)
    check("numduel rules", read("rules divisor-duel"))
    for board in ("divisor-duel:60", "subtract-a-prime:25~misere"):
        check("numduel solve", read(f"solve {board}"))
    proof = certificate(solve("digit-subtraction-duel:1000"))
    check("numduel check", read("check -", proof))
    for match in ("divisor-duel:60/15.15.2.14.7", "power-play:30/pass.2/penalty=2"):
        analysis = read(f"analyse {match}")
        check("numduel analyse", analysis)
        for move in analysis["moves"]:
            check("A move of `numduel analyse", move)
        check("numduel show", read(f"show {match}"))
        check("numduel share", read(f"share {match}"))
    for options in ("", "--misere"):
        check("numduel map", read(f"map divisor-duel {options}"))
    check("numduel map --as graph", read("map divisor-duel --as graph"))
    for options in ("", "--rise", "power-play", "several"):
        check("numduel puzzle", read(f"puzzle {options}", **place))
    check("numduel puzzle --daily", read("puzzle --daily", **place))
    piped(["play", "divisor-duel:6"], "3\n", **place)
    [match] = read("history", **place)
    assert [match] == read("history export", **place)
    assert [match] == read("history export 1", **place)
    check("numduel history", {name: match.pop(name) for name in ("id", "series")})
    check("numduel show", match)
    statistics = read("stats", **place)
    check("numduel stats", statistics)
    for tally in statistics["tallies"]:
        check("A tally of `numduel stats", tally)
    assert seen == set(FIELDS)
