"""An environment that has numduel and what it cannot do without, and no extra at all.

Nothing is downloaded: the packages are those of the environment that runs the tests.
"""

from __future__ import annotations

import os
import subprocess
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

import numduel

SOURCE = Path(numduel.__file__).parent.parent


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
    """A fresh environment in this folder."""

    def __init__(self, folder: Path, *more: str) -> None:
        venv.create(folder, with_pip=False)
        self.python = folder / "bin/python"
        (self.site,) = folder.glob("lib/python*/site-packages")
        core = [Requirement(text).name for text in distribution("numduel").requires or ()
                if "extra ==" not in text]  # fmt: skip
        for package in needed([*core, *more]).values():
            tops = {path.parts[0] for path in package.files or ()}
            for top in tops - {"..", "__pycache__"}:
                (self.site / top).symlink_to(Path(str(package.locate_file(top))).resolve())
        (self.site / "numduel.pth").write_text(f"{SOURCE}\n")

    def run(
        self, *words: str, cwd: Path, typed: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """What becomes of `python WORDS` there."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        home = {"HOME": str(cwd), "XDG_DATA_HOME": str(cwd)}
        return subprocess.run(
            [str(self.python), *words],
            input=typed,
            capture_output=True,
            text=True,
            timeout=100,
            cwd=cwd,
            env={**kept, **home, **variables},
        )
