"""What somebody new meets first: `make`, the commands that numduel advises, the README."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from numduel.errors import MissingExtra
from numduel.wording import problem
from patience import until
from terminal import COMMAND, piped

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("target", ["play", "serve"])
def test_make_says_that_it_sets_up_and_shows_that_it_is_alive(target: str, tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    held, said = tmp_path / "held", tmp_path / "said"
    held.touch()
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nwhile [ -e {held} ]; do sleep 0.1; done\nexit 1\n")
    python.chmod(0o755)
    # These tests may be run by make, which tells a make below it to say more.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    with said.open("w") as out:
        make = subprocess.Popen(
            ["make", target, f"PYTHON={python}"], cwd=tmp_path, stdout=out, stderr=out, env=plain
        )
    try:
        pattern = r"Setting up numduel in \.venv\. This takes up to a minute, once\.\.\.+"
        until(lambda: re.fullmatch(pattern, said.read_text()))
    finally:
        held.unlink()
        make.wait()
    assert make.returncode != 0
    assert said.read_text().partition("once.")[2].lstrip(".").startswith("\n")


def test_the_readme_opens_with_a_rule_a_picture_how_to_start_and_four_doors() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 110
    first = "\n".join(lines[:27])
    for said in ("Start at 25.", "door.svg", "make play", "make serve", "make test", "Linux"):
        assert said in first
    for instead, file in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", "\n".join(lines)):
        assert len(instead) > 40, f"{file} says too little to whoever cannot see it"
    doors = "\n".join(lines).split("\n## ")[2:6]
    for name, door in zip(("Play", "Teach", "Research", "Build"), doors, strict=True):
        assert f"(#{name.lower()})" in first
        assert door.startswith(f"{name}\n")
        assert re.search(r"!\[|^```", door, re.MULTILINE), f"{name} shows nothing"
        assert "](docs/" in door


ADVISED = {
    "rules divisor-duel": r"Play it: +(\S+) play divisor-duel\n",
    "share divisor-duel:60/15": r"See it: (\S+) show ",
    "play": r"Name a game: (\S+) games lists them\.\n",
    "history export 99999999": r" has no match 99999999\. (\S+) history lists them\.\n",
    "play --nonsense": r"Try '(\S+) play --help' for help\.\n",
}


def test_a_command_that_is_advised_can_be_typed_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside, elsewhere = Path(COMMAND[0]).parent, "/usr/bin"
    (tmp_path / "bin").symlink_to(beside)
    monkeypatch.chdir(tmp_path)
    for path, started, typed in (
        (elsewhere, "bin/numduel", "bin/numduel"),
        (elsewhere, COMMAND[0], COMMAND[0]),
        (f"{beside}{os.pathsep}{elsewhere}", COMMAND[0], "numduel"),
    ):
        monkeypatch.setattr(sys, "argv", [started])
        for words, pattern in ADVISED.items():
            out, err, _ = piped(words.split(), PATH=path)
            found = re.search(pattern, out + err)
            assert found, out + err
            assert found[1] == typed


def test_an_extra_is_installed_by_the_python_that_lacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python` may be another one, or none, where numduel is not on the path."""
    monkeypatch.setattr(sys, "argv", [COMMAND[0]])
    monkeypatch.setenv("PATH", "/nowhere")
    said = problem(MissingExtra(extra="web", package="fastapi"))
    python = Path(COMMAND[0]).with_name("python")
    assert f"  {python} -m pip install '.[web]'" in said.splitlines()
