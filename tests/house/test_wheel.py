"""The wheel, installed in a clean environment with the core alone, plays a match."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from house.base_install import Environment, needed
from patience import PATIENT

ROOT = Path(__file__).parent.parent.parent
CORE = {"numduel", "click", "platformdirs", "python-flint", "sqlalchemy", "typing-extensions"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


def run(*command: object, typed: str | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENT,
        cwd="/",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "numduel/py.typed" in names
    web = ROOT / "src/numduel/web"
    for folder in ("templates", "static"):
        files = [path for path in (web / folder).rglob("*") if path.is_file()]
        assert files
        assert {f"numduel/{path.relative_to(web.parent)}" for path in files} <= set(names)
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"numduel"}


def test_a_clean_environment_plays_a_match(wheel: Path, tmp_path: Path) -> None:
    """With what the core needs, and nothing else; so no network is needed."""
    assert set(needed(["numduel"])) == CORE
    clean = Environment(tmp_path / "clean", numduel=False).python.parent
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    how = ["--quiet", "--no-index", "--no-compile"]
    run(*pip, "--python", clean / "python", "install", *how, wheel)
    out = run(clean / "numduel", "play", "divisor-duel", typed="15\n15\n15\n5\n5\n")
    assert out == (ROOT / "tests/transcripts/divisor-duel.txt").read_text()
    assert run(clean / "python", "-m", "numduel", "--version").startswith("numduel")
