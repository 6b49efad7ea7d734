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
    wanted = [Requirement(one) for one in project["optional-dependencies"]["web"]]
    [allowed] = [one.specifier for one in wanted if one.name == name]
    assert f"{name}=={version(name)}" in (_ROOT / "constraints.txt").read_text().split()
    ours = Version(version(name))
    assert allowed.contains(ours)
    assert not allowed.contains(str(ours.major + 1))
    assert ours.major or not allowed.contains(f"0.{ours.minor + 1}")
