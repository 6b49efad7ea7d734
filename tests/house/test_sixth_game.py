"""A sixth game is one short file: dropped into games/, or installed as a package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import numduel
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

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(params=["file", "package"])
def paths(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    """What to put first on the module path, so that the game is there."""
    if request.param == "file":
        shutil.copytree(ROOT, tmp_path / "numduel")
        (tmp_path / "numduel/games/halving.py").write_text(GAME)
    else:
        (tmp_path / "my_halving.py").write_text(GAME)
        info = tmp_path / "my_halving-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_halving\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[numduel.games]\nhalving = my_halving:Halving\n")
    return [tmp_path]


@pytest.fixture
def run(paths: list[Path]) -> Run:
    def run_module(
        *arguments: str, typed: str = "", module: str = "numduel"
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", module, *arguments],
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENT,
            env=environment(paths),
        )

    return run_module


def environment(paths: list[Path]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}


def test_it_is_listed_and_explained(run: Run) -> None:
    listed = run("games").stdout
    assert "halving  (starts at 12)\n    Subtract at most half of the number;" in listed
    assert listed.index("digit-subtraction-duel") < listed.index("halving")
    assert "from 1 to half of the current number" in run("rules", "halving").stdout


def test_it_is_played(run: Run) -> None:
    done = run("play", "halving", typed="9\n5\n3\n2\n1\n")
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith("Halving starts. The number is 12.\n\nPlayer 1's turn.\n")
    assert "9 is not a legal move at 12. Play one of the legal moves, or type ? for" in done.stdout
    assert done.stdout.endswith(
        "Legal moves at 1: None\nPlayer 1 cannot make a valid move.\nPlayer 2 wins the game!\n"
    )
    done = run("play", "halving:10**30+divisor-duel:60")
    assert done.returncode == 2
    done = run("play", f"halving:{10**30}+divisor-duel:60~misere", typed="1:5\nquit\n")
    assert "Number 1 is now 999999999999999999999999999995" in done.stdout
    assert "Legal moves: 1, 2, 3, 4, 5, 6, ...\n" in done.stdout
    done = run("play", f"halving:{10**30}", typed=f"{10**29}\nquit\n")
    assert "too many moves to list, and the game lacks its own fault" in done.stderr


@pytest.mark.parametrize("paths", ["package"], indirect=True)
def test_it_is_solved_up_to_a_limit(run: Run) -> None:
    assert "Too large to solve exactly" in run("solve", "halving:30000000").stderr


def test_it_is_studied(run: Run) -> None:
    shown = run("map", "halving", "--to", "20").stdout
    assert "[ 1]  2 [ 3]  4   5   6 [ 7]  8   9  10\n" in shown
    assert "! mistake: 5 would have won" in run("analyse", "halving:12/3.2").stdout
    puzzle = run("puzzle", "halving", "--seed", "a", "--json").stdout
    assert '"game": "halving", "asks": "move"' in puzzle
    assert "There is no tutorial for" in run("learn", "halving").stderr


def test_it_is_in_the_menu(paths: list[Path]) -> None:
    with Terminal(PYTHONPATH=environment(paths)["PYTHONPATH"]) as menu:
        menu.type("6")
        for _ in range(3):
            menu.type("")
        menu.wait_for_prompt()
        assert "  6  Halving " in menu.screen
        assert "Halving starts. The number is 12." in menu.screen


def test_it_runs_through_the_conformance_suite(run: Run) -> None:
    done = run(
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:schemathesis",
        f"--rootdir={TESTS.parent}",
        str(TESTS / "rules/test_conformance.py"),
        "-k",
        "halving",
        module="pytest",
    )
    assert " passed" in done.stdout, done.stdout
    assert "failed" not in done.stdout
    passed = int(done.stdout.strip().split("\n")[-1].split(" passed")[0].split()[-1])
    assert passed >= 10


BROKEN = {
    "no module": ("", "halving = nowhere:Halving", "No module named 'nowhere'"),
    "not a game": ("Halving = 7", "halving = my_halving:Halving", "it is not a subclass"),
    "other key": (GAME, "thirds = my_halving:Halving", "its own key is halving"),
    "bad key": (
        GAME.replace('"halving"', '"Halving_Game"'),
        "Halving_Game = my_halving:Halving",
        "a key is lower-case words joined by hyphens",
    ),
    "no title": (
        GAME.replace('    title = "Halving"\n', ""),
        "halving = my_halving:Halving",
        "it does not say its title",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_named_and_the_rest_still_works(case: str, tmp_path: Path) -> None:
    source, entry, problem = BROKEN[case]
    (tmp_path / "my_halving.py").write_text(source)
    info = tmp_path / "my_halving-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_halving\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[numduel.games]\n{entry}\n")
    key = entry.split(" = ")[0]
    for arguments, code in ((["games"], 0), (["rules", key], 2))[: 1 if case == "bad key" else 2]:
        done = subprocess.run(
            [sys.executable, "-m", "numduel", *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENT,
            env=environment([tmp_path]),
        )
        assert done.returncode == code
        assert f'The installed game "{key}" cannot be used: ' in done.stderr
        assert problem in done.stderr
        assert ("divisor-duel" in done.stdout) == (arguments == ["games"])
