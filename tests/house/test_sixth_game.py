"""A sixth game is one short file: in games/ with a line in its table, or an installed package."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import numduel
from house.base_install import said, told
from patience import PATIENT
from terminal import Terminal

ROOT = Path(numduel.__file__).parent
TESTS = Path(__file__).parent.parent
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


def install(folder: Path) -> None:
    """Put a package of one module there, with its entry point."""
    (folder / "my_halving.py").write_text(GAME)
    info = folder / "my_halving-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_halving\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[numduel.games]\nhalving = my_halving:Halving\n")


def run(place: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENT,
        env={**os.environ, "PYTHONPATH": str(place)}, cwd=place,
    )  # fmt: skip


def test_it_is_listed_explained_played_and_studied(tmp_path: Path) -> None:
    """As a file; the guide's own test is about packages."""
    shutil.copytree(ROOT, tmp_path / "numduel")
    (tmp_path / "numduel/games/halving.py").write_text(GAME)
    table = tmp_path / "numduel/games/__init__.py"
    end = '}\n"""The games that come'
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
    install(tmp_path)
    done = run(tmp_path, "python", "-W", "ignore", "-c", ADAPTORS)
    assert done.stdout.splitlines()[-1:] == ["all"], done.stderr


def test_it_is_in_the_menu_and_runs_through_the_conformance_suite(tmp_path: Path) -> None:
    install(tmp_path)
    with Terminal(PYTHONPATH=str(tmp_path)) as menu:
        menu.type("6")
        for _ in range(3):
            menu.type("")
        menu.wait_for_prompt()
        assert "  6  Halving " in menu.screen
        assert "Halving starts. The number is 12." in menu.screen
    suite, plain = str(TESTS / "rules/test_conformance.py"), ["-p", "no:cacheprovider"]
    done = run(tmp_path, "python", "-m", "pytest", "-q", *plain, "-p", "no:schemathesis",
               f"--rootdir={TESTS.parent}", "-c", str(TESTS.parent / "pyproject.toml"), suite,
               "-k", "halving")  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert int(done.stdout.strip().split("\n")[-1].split(" passed")[0].split()[-1]) >= 4


def test_a_broken_package_is_named_and_the_rest_still_works(tmp_path: Path) -> None:
    install(tmp_path)
    (tmp_path / "my_halving.py").unlink()
    listed, rules = said(run(tmp_path, *told("games", "rules halving")))
    assert (listed.code, rules.code) == (0, 2)
    assert "divisor-duel" in listed.out
    for found in (listed, rules):
        assert 'The installed game "halving" cannot be used: ' in found.err
        assert "No module named 'my_halving'" in found.err
