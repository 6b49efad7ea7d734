"""The guide to a game of one's own, followed to the letter: built, installed, played."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from house.base_install import Environment
from patience import PATIENT
from test_docs import ROOT, Block, blocks_of, matches, steps_of

PAGE = ROOT / "docs/guides/add-a-game.md"
INSTALL = "python -m pip install .\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with numduel and the package of the page."""
    folder = tmp_path_factory.mktemp("my-games")
    for block in blocks_of(PAGE):
        if block.file:
            (folder / block.file).write_text(block.text)
    assert INSTALL in [block.text for block in blocks_of(PAGE)]
    # What pip does for that command, in two steps, so that nothing is downloaded: the builder
    # is that of the environment that runs the tests.
    offline = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", "dist", "."]
    pip([*offline, *build], folder)
    environment = Environment(tmp_path_factory.mktemp("installed") / "environment")
    (wheel,) = (folder / "dist").glob("my_games-1.0-*.whl")
    to = ["--python", str(environment.python), "install", "--no-index"]
    pip([*offline, *to, str(wheel)], folder)
    return environment


def pip(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("block", [b for b in blocks_of(PAGE) if b.language == "console"], ids=str)
def test_the_page_holds(block: Block, installed: Environment, tmp_path: Path) -> None:
    for command, expected in steps_of(block.text):
        done = installed.shell(command, cwd=tmp_path, typed=block.typed)
        assert not done.stderr
        assert matches(done.stdout, expected), f"{block}: $ {command}\nprints\n{done.stdout}"


def test_the_games_are_solved_and_played_by_the_computer(
    installed: Environment, tmp_path: Path
) -> None:
    for board, wins in (("countdown:21", True), ("countdown:20", False), ("up-to-half:7", False)):
        done = installed.shell(f"numduel solve {board} --json", cwd=tmp_path)
        assert f'"outcome": "{"win" if wins else "loss"}"' in done.stdout, done.stderr
    done = installed.shell("numduel play up-to-half --p1 perfect --p2 random", cwd=tmp_path)
    assert done.stdout.endswith("Player 1 wins the game!\n"), done.stderr
