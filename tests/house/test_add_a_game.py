"""The guide to a game of one's own, followed to the letter: built, installed, played."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from house.base_install import MENU, Environment, said, told
from patience import PATIENT
from test_docs import ROOT, Block, blocks_of, matches, steps_of

PAGE = [b for b in blocks_of(ROOT / "docs/build.md") if b.part == "A game of your own"]
INSTALL = "python -m pip install .\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with numduel and the package of the page, installed as the page says."""
    folder = tmp_path_factory.mktemp("my-games")
    for block in PAGE:
        if block.file:
            (folder / block.file).write_text(block.text)
    assert INSTALL in [block.text for block in PAGE]
    # With the builder at hand, so that nothing is downloaded.
    environment = Environment(tmp_path_factory.mktemp("installed") / "environment", "hatchling")
    offline = ["--no-index", "--no-build-isolation", "--no-deps", "--no-compile"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python",
         str(environment.python), "install", *offline, "."],
        cwd=folder, capture_output=True, text=True, timeout=PATIENT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return environment


@pytest.mark.parametrize("block", [b for b in PAGE if b.language == "console"], ids=str)
def test_the_page_holds(block: Block, installed: Environment, tmp_path: Path) -> None:
    for command, expected in steps_of(block.text):
        done = installed.shell(command, cwd=tmp_path, typed=block.typed)
        assert not done.stderr
        assert matches(done.stdout, expected), f"{block}: $ {command}\nprints\n{done.stdout}"


def test_the_test_on_the_page_passes(installed: Environment, tmp_path: Path) -> None:
    [block] = [block for block in PAGE if block.file == "test_my_games.py"]
    (tmp_path / "trial.py").write_text(f"{block.text}\n\ntest_the_rules_are_kept()\n")
    done = installed.shell("python trial.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_games_are_solved_and_played_by_the_computer(
    installed: Environment, tmp_path: Path
) -> None:
    arena = "arena --player nibbler --player perfect --board countdown:21 --json --jobs 2"
    *solved, match, unknown, played = said(installed.run(*told(
        "solve countdown:21 --json", "solve countdown:20 --json", "solve up-to-half:7 --json",
        "play up-to-half --p1 perfect --p2 random", "play countdown --p1 nobody", arena,
    ), cwd=tmp_path))  # fmt: skip
    for found, outcome in zip(solved, ("win", "loss", "loss"), strict=True):
        assert f'"outcome": "{outcome}"' in found.out, found.err
    assert match.out.endswith("Player 1 wins the game!\n"), match.err
    assert unknown.code == 2
    assert "nibbler" in unknown.err
    wins = {player["player"]: player["wins"] for player in json.loads(played.out)["players"]}
    assert wins == {"perfect": 2, "nibbler": 0}


def test_the_player_is_in_the_menu_and_can_be_resumed(
    installed: Environment, tmp_path: Path
) -> None:
    typed = "countdown\nnibbler\n5\n1\n1\nquit\n"
    menu = installed.shell(MENU, cwd=tmp_path, typed=typed)
    assert "nibbler" in menu.stdout, menu.stderr
    assert "Player 2 plays 1. The number is now 3." in menu.stdout, "it has answered"
    resumed = installed.shell("numduel resume", cwd=tmp_path, typed="3\n")
    assert "Player 1 wins the game!" in resumed.stdout, resumed.stderr


PLAY = "numduel play countdown --p1 mine --p2 random --no-save"
MINE = "class Mine:\n    def __init__(self, random): pass\n"
CHOOSE = f"{MINE}    def choose(self, board): return "
BROKEN = {
    "class Mine: pass": "TypeError",
    MINE: "AttributeError",
    "import nothing_of_the_kind": "ModuleNotFoundError",
}
LOSES = {"1 / 0": "ZeroDivisionError", "None": "TypeError", "(0, 4)": "4 is not a legal move"}


def test_a_broken_player_is_refused_in_a_sentence_and_one_that_fails_forfeits(
    installed: Environment, tmp_path: Path
) -> None:
    about = installed.site / "mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[numduel.players]\nmine = mine_player:Mine\n")
    module = installed.site / "mine_player.py"
    for code, named in LOSES.items():
        module.write_text(f"{CHOOSE}{code}\n")
        done = installed.shell(PLAY, cwd=tmp_path)
        assert named in done.stdout, done.stderr
        assert "Player 1 forfeits the match." in done.stdout
    refused = 'The installed player "mine" cannot be used: '
    for code, named in BROKEN.items():
        module.write_text(code)
        done = installed.shell(PLAY, cwd=tmp_path)
        assert done.returncode == 2
        assert refused in done.stderr
        assert named in done.stderr
        assert "Traceback" not in done.stderr
    menu = installed.shell(MENU, cwd=tmp_path, typed="countdown\nmine\nPip\n5\n1\n2\nquit\n")
    assert refused in menu.stdout, menu.stderr
    assert "The number is now 3." in menu.stdout, "another opponent can be chosen"
    shutil.rmtree(about)
