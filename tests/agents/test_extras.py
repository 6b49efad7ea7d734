"""Each adaptor is imported only when used, and takes a sixth game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from patience import PATIENT


def python(code: str, *path: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, path))
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True,
        timeout=PATIENT, env=environment,
    )  # fmt: skip


def test_nothing_is_imported_before_it_is_used() -> None:
    done = python(
        "import sys, numduel.players, numduel.arena, numduel.adaptors, numduel.adaptors.engine\n"
        "import numduel.adaptors.language, numduel.cli.arena, numduel.cli.engine, numduel.cli.mcp\n"
        "heavy = {'numpy', 'numba', 'gymnasium', 'pettingzoo', 'pyspiel', 'mcp', 'inspect_ai',"
        " 'http', 'ssl'}\n"
        "print(heavy & set(sys.modules))"
    )
    assert done.stdout == "set()\n", done.stderr


GAME = '''
from numduel.games.game import Game


class Halving(Game):
    """Subtract at most half of the number; whoever is left with 1 loses."""

    key = "halving"
    title = "Halving"
    default_start = 12
    least = 1

    def moves(self, n):
        return iter(range(1, n // 2 + 1))
'''
SIXTH = """
import pyspiel, gymnasium, pettingzoo, numpy
import numduel.adaptors.open_spiel, numduel.adaptors.gymnasium, numduel.adaptors.pettingzoo
from gymnasium.utils.env_checker import check_env
from numduel.adaptors import inspect
from numduel.adaptors.vector import VectorDuel
from pettingzoo.test import api_test
game = pyspiel.load_game("python_halving")
pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
check_env(gymnasium.make("numduel/halving-v0", opponent="perfect").unwrapped)
check_env(gymnasium.make("numduel/halving-v0", opponent="random", encoding="digits").unwrapped)
api_test(pettingzoo.make("aec", "numduel/halving-v0"), num_cycles=20)
boards = VectorDuel("halving", boards=5)
for _ in range(50):
    boards.step(boards.sample())
assert numpy.flatnonzero(VectorDuel("halving", boards=1).legal_masks()[0]).tolist() == [1,2,3,4,5,6]
assert inspect.halving
print("all")
"""


def test_a_sixth_game_is_everywhere(tmp_path: Path) -> None:
    (tmp_path / "my_halving.py").write_text(GAME)
    info = tmp_path / "my_halving-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_halving\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[numduel.games]\nhalving = my_halving:Halving\n")
    done = python(SIXTH, tmp_path)
    assert done.stdout.splitlines()[-1:] == ["all"], done.stderr
