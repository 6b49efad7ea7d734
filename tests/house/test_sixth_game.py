"""A sixth game is one short file: in games/ with a line in its table, or a package by the guide."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import numduel
from house.base_install import MENU, Environment, said, told
from patience import PATIENT
from terminal import Terminal
from test_docs import ROOT, Block, blocks_of, matches, steps_of

GAME = '''\
"""Halving: a sixth game."""

from collections.abc import Iterator

from numduel.games.game import Game


class Halving(Game):
    """Subtract at most half of the number; whoever is left with 1 loses.

    On your turn, subtract any number from 1 to half of the current number.
    """

    key = "halving"
    title = "Halving"
    default_start = 12
    least = 1

    def moves(self, n: int) -> Iterator[int]:
        return iter(range(1, n // 2 + 1))
'''


def install(folder: Path, name: str, code: str, entry: str) -> Path:
    """Put a package of one module there, with its entry point; what says so comes back."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry)
    return info


def install_halving(folder: Path) -> None:
    install(folder, "my_halving", GAME, "[numduel.games]\nhalving = my_halving:Halving\n")


def run(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENT,
        env={**os.environ, "PYTHONPATH": str(place)}, cwd=place,
    )  # fmt: skip


def test_it_is_listed_explained_played_and_studied(tmp_path: Path) -> None:
    """As a file; the guide's own test is about packages."""
    shutil.copytree(Path(numduel.__file__).parent, tmp_path / "numduel")
    (tmp_path / "numduel/games/halving.py").write_text(GAME)
    table = tmp_path / "numduel/games/__init__.py"
    end = "}\n_GROUP = "
    line = '    "halving": "numduel.games.halving:Halving",\n'
    table.write_text(table.read_text().replace(end, line + end))
    large = f"play halving:{10**30}"
    listed, rules, match, power, two, faulty, square, analysed, puzzle, learn = said(
        run(tmp_path, *told(
            "games", "rules halving", ("play halving", "9\n5\n3\n2\n1\n"),
            "play halving:10**30+divisor-duel:60",
            (f"{large}+divisor-duel:60~misere", "1:5\nquit\n"), (large, f"{10**29}\nquit\n"),
            "map halving --to 20", "analyse halving:12/3.2", "puzzle halving --seed a --json",
            "learn halving",
        ))
    )  # fmt: skip
    assert "halving  (starts at 12)\n    Subtract at most half of the number;" in listed.out
    assert listed.out.index("digit-subtraction-duel") < listed.out.index("halving")
    assert "from 1 to half of the current number" in rules.out
    assert (match.err, match.code) == ("", 0)
    assert match.out.startswith("Halving starts. The number is 12.\n\nPlayer 1's turn.\n")
    assert "9 is not a legal move at 12. Play one of the legal moves, or type ? for" in match.out
    assert match.out.endswith(
        "Legal moves at 1: None\nPlayer 1 cannot make a valid move.\nPlayer 2 wins the game!\n"
    )
    assert power.code == 2
    assert "Number 1 is now 999999999999999999999999999995" in two.out
    assert "Legal moves: 1, 2, 3, 4, 5, 6, ...\n" in two.out
    assert "too many moves to list, and the game lacks its own fault" in faulty.err
    assert "[ 1]  2 [ 3]  4   5   6 [ 7]  8   9  10\n" in square.out
    assert "! mistake: 5 would have won" in analysed.out
    assert '"game": "halving", "asks": "move"' in puzzle.out
    assert "There is no tutorial for" in learn.err


ADAPTORS = """
import pyspiel, gymnasium, pettingzoo, numpy
import numduel.adaptors.open_spiel, numduel.adaptors.gymnasium, numduel.adaptors.pettingzoo
from gymnasium.utils.env_checker import check_env
from numduel.adaptors import inspect
from numduel.adaptors.vector import VectorDuel
from pettingzoo.test import api_test
game = pyspiel.load_game("python_halving")
pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
for form in ({"opponent": "perfect"}, {"opponent": "random", "encoding": "digits"}):
    check_env(gymnasium.make("numduel/halving-v0", **form).unwrapped)
api_test(pettingzoo.make("aec", "numduel/halving-v0"), num_cycles=20)
boards = VectorDuel("halving", boards=5)
for _ in range(50):
    boards.step(boards.sample())
assert numpy.flatnonzero(VectorDuel("halving", boards=1).legal_masks()[0]).tolist() == [1,2,3,4,5,6]
assert inspect.halving
print("all")
"""


@pytest.mark.soak
def test_every_adaptor_takes_it(tmp_path: Path) -> None:
    install_halving(tmp_path)
    done = run(tmp_path, "python", "-W", "ignore", "-c", ADAPTORS)
    assert done.stdout.splitlines()[-1:] == ["all"], done.stderr


def test_it_is_in_the_menu_and_conforms_and_a_broken_package_is_named(tmp_path: Path) -> None:
    install_halving(tmp_path)
    with Terminal(PYTHONPATH=str(tmp_path)) as menu:
        menu.type("6")
        for _ in range(3):
            menu.type("")
        menu.wait_for_prompt()
        assert "  6  Halving " in menu.screen
        assert "Halving starts. The number is " in menu.screen
    suite, plain = str(ROOT / "tests/rules/test_conformance.py"), ["-p", "no:cacheprovider"]
    settings = [f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"), "-p", "no:schemathesis"]
    done = run(tmp_path, "python", "-m", "pytest", "-q", *plain, *settings, suite, "-k", "halving")
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.strip().split("\n")[-1].split(" passed")[0].split()[-1]) >= 4
    (tmp_path / "my_halving.py").unlink()
    listed, rules = said(run(tmp_path, *told("games", "rules halving")))
    assert (listed.code, rules.code) == (0, 2)
    assert "divisor-duel" in listed.out
    for found in (listed, rules):
        assert 'The installed game "halving" cannot be used: ' in found.err
        assert "No module named 'my_halving'" in found.err


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
    entry = "[numduel.players]\nmine = mine_player:Mine\n"
    about = install(installed.site, "mine_player", "", entry)
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
