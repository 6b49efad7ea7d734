"""Our protocols know the inside of uvicorn and websockets: no newer version is taken untried."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

_ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["uvicorn", "websockets"])
def test_the_version_is_bounded_and_the_tested_one_is_the_newest_allowed(name: str) -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]
    wanted = {
        one.name: one.specifier for one in map(Requirement, project["optional-dependencies"]["web"])
    }
    pinned = [line.partition("==")[2] for line in (_ROOT / "constraints.txt").read_text().split()
              if line.startswith(f"{name}==")]  # fmt: skip
    assert pinned == [version(name)], "the tests run with what is pinned"
    ours = Version(pinned[0])
    assert wanted[name].contains(ours)
    part = (ours.major, ours.minor) if ours.major == 0 else (ours.major,)
    following = ".".join(map(str, (*part[:-1], part[-1] + 1)))
    assert not wanted[name].contains(following)
    assert not wanted[name].contains(str(ours.major + 1))
