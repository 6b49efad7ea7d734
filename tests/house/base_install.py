"""An environment that has numduel and what it cannot do without, and no extra at all.

Without numduel, it is one to install it in.

Nothing is downloaded: the packages are those of the environment that runs the tests.
"""

import json
import os
import subprocess
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

import numduel
from patience import PATIENT

SOURCE = Path(numduel.__file__).parent.parent
MENU = (
    'python -c "import click; from numduel.cli.app import app; '
    "from numduel.cli.menu import run_menu; "
    'click.globals.push_context(click.Context(app)); run_menu()"'
)
"""The menu, where there is no terminal."""


def needed(names: Iterable[str]) -> dict[str, Distribution]:
    """These packages, and whatever they cannot do without."""
    found: dict[str, Distribution] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = distribution(name)
        wanted = map(Requirement, found[name].requires or ())
        waiting += [
            one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})
        ]
    return found


class Environment:
    def __init__(self, folder: Path, *more: str, numduel: bool = True) -> None:
        venv.create(folder, with_pip=False)
        self.python = folder / "bin/python"
        (self.site,) = folder.glob("lib/python*/site-packages")
        core = [Requirement(text).name for text in distribution("numduel").requires or ()
                if "extra ==" not in text]  # fmt: skip
        for package in needed([*core, *more]).values():
            tops = {path.parts[0] for path in package.files or ()}
            for top in tops - {"..", "__pycache__"}:
                (self.site / top).symlink_to(Path(str(package.locate_file(top))).resolve())
        if numduel:
            self._add_numduel(folder)

    def _add_numduel(self, folder: Path) -> None:
        own = Path(str(distribution("numduel").locate_file("")))
        (about,) = own.glob("numduel-*.dist-info")
        (self.site / about.name).symlink_to(about.resolve())
        (self.site / "numduel.pth").write_text(f"{SOURCE}\n")
        command = folder / "bin/numduel"
        command.write_text(f'#!/bin/sh\nexec "{self.python}" -m numduel "$@"\n')
        command.chmod(0o755)

    def run(
        self, *command: str, cwd: Path, typed: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """What becomes of the command there, in the folder `cwd`, which is home."""
        own = {
            "PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "HOME": str(cwd),
            "XDG_DATA_HOME": str(cwd),
        }
        return subprocess.run(
            command, input=typed, capture_output=True, text=True, timeout=PATIENT, cwd=cwd,
            env={**own, **variables},
        )  # fmt: skip

    def shell(self, line: str, cwd: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
        return self.run("bash", "-c", line, cwd=cwd, typed=typed)


MANY = """
import io, json, os, sys
from numduel.cli.app import run
told = json.loads(sys.argv.pop())
sys.argv[0] = "numduel"
out = sys.stdout
for words, typed in told:
    there = {*os.listdir()}
    texts = [io.TextIOWrapper(io.BytesIO(t), "utf-8") for t in (typed.encode(), b"", b"")]
    sys.stdin, sys.stdout, sys.stderr = texts
    code = run(words)
    said = []
    for text in texts[1:]:
        text.seek(0)
        said.append(text.read())
    print(json.dumps([code, *said, sorted({*os.listdir()} - there)]), file=out)
"""
"""Runs commands one after the other in one process, which is quicker."""


class Said(NamedTuple):
    code: int
    out: str
    err: str
    made: list[str]


def told(*commands: str | tuple[str, str]) -> list[str]:
    """The words that run all these commands, given what is typed at them."""
    pairs = [(c, "") if isinstance(c, str) else c for c in commands]
    return ["python", "-c", MANY, json.dumps([(words.split(), typed) for words, typed in pairs])]


def said(done: subprocess.CompletedProcess[str]) -> list[Said]:
    assert (done.returncode, done.stderr) == (0, "")
    return [Said(*json.loads(line)) for line in done.stdout.splitlines()]
