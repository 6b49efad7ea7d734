"""Certificates that somebody changed and sealed anew: refused in a sentence, or rightly whole."""

import json
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from numduel.errors import InvalidCertificate
from numduel.research import claim_certificate
from numduel.research.verify import recheck
from raised import raised

RESULTS = Path(__file__).parents[2] / "results"
CLAIMS = ["digit-first-occurrence-123456790", "even-losses-1e12", "even-losses-35e14",
          "exceptions-1e13", "local-rule-1e9", "max-grundy-1e9"]  # fmt: skip
VERDICTS = ["subtract-a-prime:20", "divisor-duel:45~misere", "divisor-duel:600851475143",
            "power-play:123456789012", f"subtract-a-prime:{10**30}", f"subtract-2-5-6:{10**30}",
            f"prime-subtractor:{10**30 + 57}"]  # fmt: skip
STRANGE = [None, True, -1, 0, 1.0, 10**13, 10**30, math.nan, "", "x", [], {}, [[[]]], {"x": [None]}]


def claim(name: str) -> dict[str, Any]:
    """The certificate with its first three blocks alone, which is one too."""
    data: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text())
    data["blocks"] = data["blocks"][:3]
    return sealed({**data, "to": data["blocks"][-1]["to"]})


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**data, "hash": claim_certificate.blocks_hash(data["blocks"])}
    except KeyError:
        return data


def places(data: Any) -> Iterable[tuple[Any, Any]]:
    """Every list or object in the data with each of its indices or names."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from places(data[key])


def changed(data: dict[str, Any], chance: Random) -> dict[str, Any]:
    """The data with one or two values left out, replaced, nested or exchanged."""
    data = deepcopy(data)
    for _ in range(chance.choice((1, 1, 2))):
        inside, key = chance.choice(list(places(data)))
        change = chance.randrange(4)
        if change == 0:
            del inside[key]
        elif change == 1:
            inside[key] = [inside[key]]
        elif change == 2:
            others = list(inside.values() if isinstance(inside, dict) else inside)
            inside[key] = deepcopy(chance.choice(others))
        else:
            inside[key] = deepcopy(chance.choice(STRANGE))
    return data


def test_rows_that_were_changed_do_not_have_their_hash() -> None:
    for name in CLAIMS:
        data = claim(name)
        mark = "hash" if "hash" in data["blocks"][1] else "fingerprint"
        data["blocks"][1][mark] = data["blocks"][0][mark]
        raised(InvalidCertificate, recheck, data, 0, match="do not have the hash")


def no_counts(data: dict[str, Any]) -> None:
    for row in data["blocks"]:
        for name, value in row.items():
            if isinstance(value, list):
                row[name] = [0] * len(value)
            elif name == "losses":
                row[name] = 0


def one_block(data: dict[str, Any], to: int) -> None:
    data.update(to=to, block=to - data["from"], blocks=[{**data["blocks"][0], "to": to}])


def moved(data: dict[str, Any], name: str, source: int, target: int) -> None:
    """One number of another value."""
    data["blocks"][1][name][source] -= 1
    data["blocks"][1][name][target] += 1


def part(data: dict[str, Any]) -> dict[str, Any]:
    return data["blocks"][1]["part"]  # type: ignore[no-any-return]


NINES = [0] * 9 + [5 * 10**8, 0, 0]
"""More in a part than in its block."""
FEW = 334 * 10**8
"""Losses as a block may have them, but not with those of its part."""
FORGERIES: list[tuple[str, str, Callable[[dict[str, Any]], object]]] = [
    ("even-losses-1e12", "blocks are missing", lambda data: data["blocks"].pop()),
    ("even-losses-1e12", "blocks are not a list", lambda data: data.update(blocks=7)),
    ("even-losses-1e12", "do not follow", lambda data: data["blocks"][1].update({"from": 5})),
    ("even-losses-1e12", "has no hash", lambda data: data["blocks"][1].update(hash="x")),
    ("even-losses-1e12", "in whole numbers", lambda data: data.update(to="9")),
    ("even-losses-1e12", "range is none", lambda data: data.update(to=10**30)),
    ("even-losses-1e12", "unknown", lambda data: data.update(claim="everything")),
    ("even-losses-1e12", "fields", lambda data: data.pop("says")),
    ("even-losses-1e12", "fields", lambda data: data.update(version=2)),
    ("even-losses-1e12", "contradict the claim", no_counts),
    ("even-losses-1e12", "not whole", lambda data: data["blocks"][1].update(losses=None)),
    ("local-rule-1e9", "do not add up", no_counts),
    ("exceptions-1e13", "contradict the claim", lambda data: moved(data, "even", 4, 0)),
    ("max-grundy-1e9", "contradict the claim", lambda data: moved(data, "odd", 0, 11)),
    (CLAIMS[0], "contradict the claim", lambda data: moved(data, "values", 1, 9)),
    ("even-losses-1e12", "other words", lambda data: data.update(says="All is well.")),
    ("even-losses-1e12", "other words", lambda data: data.update(proves="Everything.")),
    ("even-losses-35e14", "other words", lambda data: data.update(fingerprint="A sum.")),
    ("even-losses-1e12", "longer", lambda data: one_block(data, 10**18)),
    ("exceptions-1e13", "longer", lambda data: one_block(data, 10**16)),
    ("local-rule-1e9", "enters with", lambda data: data["blocks"][0].update(enters="0" * 32)),
    ("max-grundy-1e9", "does not go on", lambda data: data["blocks"][1].update(enters="0" * 32)),
    # from a GPU
    ("even-losses-35e14", "missing or unknown", lambda data: data["blocks"][1].pop("part")),
    ("even-losses-35e14", "another part", lambda data: data["blocks"][1].update(part=7)),
    ("even-losses-35e14", "another part", lambda data: part(data).update({"from": 35 * 10**14})),
    ("even-losses-35e14", "no fingerprint", lambda data: data["blocks"][1].update(fingerprint="x")),
    ("even-losses-35e14", "no fingerprint", lambda data: part(data).pop("fingerprint")),
    ("even-losses-35e14", "contradict the claim", lambda data: part(data).update(losses=5)),
    ("even-losses-35e14", "those of its part", lambda data: data["blocks"][1].update(losses=FEW)),
    ("exceptions-1e13", "those of its part", lambda data: part(data).update(even=NINES)),
    ("even-losses-35e14", "not listed", lambda data: data["blocks"][1].update(machine=1)),
    ("even-losses-35e14", "not listed", lambda data: data.update(machines=7)),
    ("even-losses-35e14", "device is unknown", lambda data: data.update(device="cpu")),
    ("even-losses-35e14", "device is unknown", lambda data: data.update(device=[])),
    ("even-losses-35e14", "fields", lambda data: data.update(version=[])),
    ("even-losses-35e14", "range is none", lambda data: data.update(claim=CLAIMS[0][:22])),
]


@pytest.mark.parametrize(("name", "says", "forge"), FORGERIES)
def test_a_forgery_that_is_sealed_anew(
    name: str, says: str, forge: Callable[[dict[str, Any]], object]
) -> None:
    data = claim(name)
    forge(data)
    assert says in raised(InvalidCertificate, recheck, sealed(data), 0).problem


def test_the_command_says_what_is_wrong_and_what_was_not_recomputed(
    tmp_path: Path, command: Callable[[list[str]], tuple[str, str, int]]
) -> None:
    path = tmp_path / "certificate.json"
    for change in ({"claim": []}, {"claim": {}}, {"blocks": None}, {"hash": 5}):
        path.write_text(json.dumps({**claim("even-losses-1e12"), **change}))
        out, err, code = command(["check", str(path)])
        assert (out, code) == ("", 1)
        assert err.startswith("numduel: The certificate does not prove what it claims: ")
    path.write_text(json.dumps(claim("even-losses-1e12")))
    out = command(["check", str(path), "--sample", "0"])[0]
    assert "Blocks: 3, without a gap" in out
    assert "Not recomputed: 3,000,000,000 of 3,000,000,000 numbers." in out
    found = json.loads(command(["check", str(path), "--sample", "0", "--json"])[0])
    assert (found["recomputed"], found["not_recomputed"]) == ([], 3 * 10**9)
