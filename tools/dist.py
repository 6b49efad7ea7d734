"""Build the source archive and the wheel into a folder, and try both: `python tools/dist.py dist`.

The wheel is built from the source archive. Each is installed into an empty environment, with what
it needs in the versions of constraints.txt, and there it is played, solved, served and read.
"""

import os
import subprocess
import sys
import tempfile
import venv
from importlib.metadata import PathDistribution
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
TRIED = {
    "--version": "numduel",
    "play divisor-duel --p1 random --p2 largest --seed 1 --no-save": " wins!",
    "solve subtract-a-prime:310": "the player to move loses",
    "solve digit-subtraction-duel:123456789012345678901234567890": "the player to move loses",
    "map divisor-duel --to 20": "Proved",
    "learn divisor-duel --help": "Learn GAME",
}
"""What is typed, and what has to be in the answer."""


def build(folder: Path) -> list[Path]:
    """The source archive, and the wheel that is built from it."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True
    )
    return sorted(folder.glob("numduel-*"))


def try_out(package: Path) -> None:
    """Install the package where nothing else is, and use it from a folder that is not ours."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "environment", with_pip=True)
        binaries = place / "environment/bin"
        pinned = ["--constraint", ROOT / "constraints.txt"]
        subprocess.run(
            [binaries / "python", "-m", "pip", "--quiet", "install", *pinned, f"{package}[web]"],
            check=True,
        )
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        kept["XDG_DATA_HOME"] = folder
        for typed, expected in TRIED.items():
            said = subprocess.run(
                [binaries / "numduel", *typed.split()], cwd=place, env=kept, text=True, check=True,
                stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
            ).stdout  # fmt: skip
            assert expected in said, f"{package.name}: numduel {typed} prints\n{said}"
        _serve(binaries, place, kept)
        [site] = (place / "environment/lib").glob("python*/site-packages")
        [told] = site.glob("numduel-*.dist-info")
        told = PathDistribution(told).metadata
        assert told["Description"].startswith("# numduel"), "the README is in the package"
        print(f"{package.name}: installed, played, solved, served.")


def _serve(binaries: Path, place: Path, environment: dict[str, str]) -> None:
    command = [binaries / "numduel", "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=place, env=environment, text=True, stdout=subprocess.PIPE
    ) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            for path in ("", "privacy", "static/style.css", "api"):
                assert urlopen(address + path).status == 200
        finally:
            server.terminate()
        assert server.wait() == 0


if __name__ == "__main__":
    for made in build(Path(sys.argv[1]).resolve()):
        try_out(made)
