"""No command, option, error or event goes undescribed. `make check` keeps the reference current."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from tools import reference

from numduel import Board, errors, solve
from numduel.solver.certificate import certificate
from terminal import piped

ROOT = Path(__file__).parents[1]
CODE = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
CLASSES = set(re.findall(r"^class (\w+[a-z][A-Z]\w+)", CODE, re.MULTILINE))


def test_the_check_finds_a_stale_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main([], tmp_path) == 0
    page = tmp_path / "games.md"
    page.write_text(page.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    assert reference.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "Not current: docs/reference/games.md. Run: make reference\n"
    assert reference.main(["--chekc"]) == 2


def test_every_command_and_option_says_what_it_does() -> None:
    for name, command in reference.commands():
        assert command.help, f"{name} has no help text"
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.opts[0]} has no help text"
                inside = CLASSES.intersection(re.findall(r"\w+", parameter.help))
                assert not inside, (
                    f"{name} {parameter.opts[0]}, told in names of the code: {inside}"
                )


def test_every_error_is_described() -> None:
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE))
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
            assert f"`{told}`" in rows[name], f"{name}: {told} is not in docs/errors.md"


def tables_of(page: Path) -> dict[str, dict[str, str]]:
    """The fields and their types, by the heading of each table."""
    tables: dict[str, dict[str, str]] = {}
    heading = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ").strip("`")
        elif row := re.match(r"\| `(\w+)` \| ([^|]+) \|", line):
            tables.setdefault(heading, {})[row[1]] = row[2].strip()
    return tables


FIELDS = tables_of(ROOT / "docs" / "events.md")
STUDY = tables_of(ROOT / "docs" / "study.md")
COMMANDS_WITH_JSON = {"numduel games", "numduel rules", "numduel solve", "numduel check"}
TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "list of strings": lambda value: all(isinstance(item, str) for item in value),
    "list of integers": lambda value: (
        isinstance(value, list) and all(type(item) is int for item in value)
    ),
    "object": lambda value: isinstance(value, dict),
    "list of objects": lambda value: all(isinstance(item, dict) for item in value),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float),
    "list of numbers": lambda value: all(isinstance(item, int | float) for item in value),
    "nulls": lambda value: all(item is None or isinstance(item, int | float) for item in value),
}
PLAYS = {
    "power-play --penalty 2": "? 7 30 moves map undo x ? help x 5 undo 3 5 2",
    "digit-subtraction-duel --best-of 3": "25 nobody 2 5 resign resign",
    "prime-subtractor --overshoot loses": "13 13",
    "subtract-a-prime:20+divisor-duel:60": "3 moves 2:15 resign",
    "divisor-duel --p1 largest --p2 largest": "",
}


def run_json(arguments: str, typed: str = "") -> str:
    text = typed if arguments.startswith("check") else typed.replace(" ", "\n") + "\n"
    out, err, _ = piped(
        [*arguments.split(), "--json", *["--no-save"] * ("play" in arguments)], text
    )
    assert not err
    return out


def check_fields(
    name: str, fields: dict[str, object], tables: dict[str, dict[str, str]] = FIELDS
) -> None:
    documented = tables.get(name)
    assert documented is not None, f"the docs have no table for {name}"
    assert list(fields) == list(documented), f"{name}: {list(fields)}"
    for field, value in fields.items():
        kinds = documented[field].split(" or ")
        assert any(TYPES[kind](value) for kind in kinds), f"{name}.{field} is {value!r}"


def test_every_event_is_as_documented() -> None:
    seen = set()
    for arguments, typed in PLAYS.items():
        for line in run_json(f"play {arguments}", typed).splitlines():
            event = json.loads(line)
            check_fields(event["event"], event)
            seen.add(event["event"])
    assert seen == set(FIELDS) - COMMANDS_WITH_JSON


def test_other_json_is_as_documented() -> None:
    for game in json.loads(run_json("games")):
        check_fields("numduel games", game)
    check_fields("numduel rules", json.loads(run_json("rules divisor-duel")))
    for board in ("divisor-duel:60", "subtract-a-prime:25~misere"):
        check_fields("numduel solve", json.loads(run_json(f"solve {board}")))
    proof = certificate(solve(Board.parse("digit-subtraction-duel:1000")))
    check_fields("numduel check", json.loads(run_json("check -", proof)))


def test_the_json_of_study_is_as_documented(tmp_path: Path) -> None:
    seen = set()

    def check(name: str, fields: dict[str, object]) -> None:
        check_fields(name, fields, STUDY)
        seen.add(name)

    def read(arguments: str, typed: str = "") -> Any:
        place = str(tmp_path / "history.sqlite3")
        return json.loads(
            piped([*arguments.split(), "--json"], typed, NUMDUEL_DATABASE_URL=place)[0]
        )

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
    for options in ("", "--daily", "power-play", "several"):
        check("numduel puzzle", read(f"puzzle {options}"))
    place = {"NUMDUEL_DATABASE_URL": str(tmp_path / "history.sqlite3")}
    piped(["play", "divisor-duel:6"], "3\n", **place)
    [match] = read("history")
    assert [match] == read("history export")
    assert match == read("history show 1")
    check("numduel history", {name: match.pop(name) for name in ("id", "series")})
    check("numduel show", match)
    statistics = read("stats")
    check("numduel stats", statistics)
    for tally in statistics["tallies"]:
        check("A tally of `numduel stats", tally)
    assert seen == set(STUDY)
