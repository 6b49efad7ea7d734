"""Without any extra, every command and adaptor works, or says in one sentence what to install."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from house.base_install import Environment
from numduel.cli.app import COMMANDS
from terminal import piped

RESULTS = Path(__file__).parent.parent.parent / "results"
MATCH = "divisor-duel:60/15.15.15.5.5"


WORKS = [
    "play divisor-duel --p1 random --p2 perfect",
    "play power-play --p1 level:3 --p2 largest --no-save",
    "games",
    "rules power-play",
    "solve subtract-a-prime:100000000000000000039",
    "solve divisor-duel:60 --json",
    "learn divisor-duel",
    "puzzle --seed 1",
    "map divisor-duel",
    "map divisor-duel --as values --output out.svg",
    f"analyse {MATCH}",
    f"analyse {MATCH} --html out.html",
    f"show {MATCH}",
    f"share {MATCH}",
    "resume",
    "history",
    "stats",
    "arena --player random --player perfect --board divisor-duel:60",
    "positions --count 14",
    "exam perfect --count 7 --report out.html",
    "engine",
    "completion bash",
    "check verdict.json",
    "check broken.json",
]
NEEDS = {
    "sequence divisor-duel": ("numpy", "ranges"),
    "sequence divisor-duel --kind P --check terms.txt": ("numpy", "ranges"),
    "sequence power-play --oeis-draft": ("numpy", "ranges"),
    "sequence rule.py": ("numpy", "ranges"),
    "verify even-losses --to 1000": ("numpy", "ranges"),
    "verify even-losses --to 1000 --device gpu": ("numpy", "gpu-cuda13"),
    "verify even-losses --to 1000 --scheduler tcp://127.0.0.1:1": ("numpy", "ranges"),
    f"check {RESULTS / 'max-grundy-1e9.json'}": ("numpy", "ranges"),
    "map divisor-duel --output out.png": ("resvg-py", "images"),
    f"share {MATCH} --image out.png": ("resvg-py", "images"),
    "serve --port 0": ("fastapi", "web"),
    "mcp": ("mcp", "mcp"),
}
ADAPTORS = {
    "open_spiel": ("pyspiel", "openspiel"),
    "pettingzoo": ("pettingzoo", "pettingzoo"),
    "gymnasium": ("gymnasium", "gymnasium"),
    "vector": ("numpy", "ranges"),
    "mcp": ("mcp", "mcp"),
    "inspect": ("inspect_ai", "inspect"),
}
IMPORT = """
import importlib, sys
from numduel import NumduelError
from numduel.wording import problem
try:
    importlib.import_module(sys.argv[1])
except NumduelError as error:
    print(problem(error))
"""
HELP = """
import sys
from numduel.cli.app import run
sys.exit(sum(run([command, "--help"]) for command in sys.argv[1:]))
"""


def sentence(package: str, extra: str) -> str:
    return (
        f"{package} is not installed. In numduel's folder, run\n"
        f"  python -m pip install '.[{extra}]'\nThen try again.\n"
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("base") / "environment")


@pytest.fixture(scope="module")
def folder(base: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("work")
    (made / "rule.py").write_text("def options(n):\n    return range(n)\n")
    (made / "terms.txt").write_text("1 1\n2 2\n")
    (made / "broken.json").write_text("{")
    certified = ["solve", "divisor-duel:60", "--certificate", "verdict.json"]
    assert not base.run("-m", "numduel", *certified, cwd=made).stderr
    return made


def test_it_has_no_extra(base: Environment, folder: Path) -> None:
    listed = base.run("-c", "import numpy", cwd=folder)
    assert "No module named 'numpy'" in listed.stderr


def test_positions_are_the_same_without_extras(base: Environment, folder: Path) -> None:
    words = ["positions", "--count", "42", "--format", "jsonl"]
    bare = base.run("-m", "numduel", *words, cwd=folder)
    assert (bare.stdout, bare.stderr) == (piped(words)[0], "")


def test_every_command_is_here() -> None:
    assert {words.split()[0] for words in (*WORKS, *NEEDS)} == set(COMMANDS)


@pytest.mark.parametrize("words", WORKS)
def test_what_needs_no_extra_works(words: str, base: Environment, folder: Path) -> None:
    done = base.run("-m", "numduel", *words.split(), cwd=folder)
    assert "Traceback" not in done.stderr
    assert "not installed" not in done.stdout + done.stderr
    fails = {"check broken.json": 1, "resume": 1}
    assert done.returncode == fails.get(words, 0), done.stderr


@pytest.mark.parametrize("words", NEEDS)
def test_what_needs_an_extra_names_it(words: str, base: Environment, folder: Path) -> None:
    before = set(folder.iterdir())
    done = base.run("-m", "numduel", *words.split(), cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "numduel: " + sentence(*NEEDS[words])
    assert set(folder.iterdir()) == before, "nothing half done is left behind"


def test_a_cluster_needs_one_extra_more(tmp_path: Path) -> None:
    compiled = Environment(tmp_path / "environment", "numpy", "numba")
    (tmp_path / "work").mkdir()
    words = ["verify", "even-losses", "--to", "1000", "--scheduler", "tcp://127.0.0.1:1"]
    done = compiled.run("-m", "numduel", *words, cwd=tmp_path / "work")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "numduel: " + sentence("distributed", "research")
    assert not list((tmp_path / "work").glob("*.checkpoint"))


def test_a_database_server_needs_an_extra(base: Environment, folder: Path) -> None:
    place = "postgresql://nobody@127.0.0.1:1/none"
    done = base.run("-m", "numduel", "history", cwd=folder, NUMDUEL_DATABASE_URL=place)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "numduel: " + sentence("psycopg", "postgres")


def public_adaptors() -> dict[str, str]:
    """Each module that the package's docstring lists, with the extra that it names."""
    from numduel import adaptors

    listed = re.findall(r"^    (\w+) {2,}.*? {2,}(\w+)$", adaptors.__doc__ or "", re.MULTILINE)
    return dict(listed)


@pytest.mark.parametrize("module", public_adaptors())
def test_adaptors(module: str, base: Environment, folder: Path) -> None:
    expected = sentence(*ADAPTORS[module]) if module in ADAPTORS else ""
    assert ADAPTORS.get(module, ("", "none"))[1] == public_adaptors()[module]
    done = base.run("-c", IMPORT, f"numduel.adaptors.{module}", cwd=folder)
    assert (done.stdout, done.stderr) == (expected, "")


@pytest.mark.parametrize("module", ["ranges", "ranges.segments", "research"])
def test_libraries(module: str, base: Environment, folder: Path) -> None:
    done = base.run("-c", IMPORT, f"numduel.{module}", cwd=folder)
    needs = sentence("numpy", "ranges") if module.startswith("ranges") else ""
    assert (done.stdout, done.stderr) == (needs, "")


def test_every_command_has_its_help(base: Environment, folder: Path) -> None:
    done = base.run("-c", HELP, *COMMANDS, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert f"Usage: numduel {command} " in done.stdout
