"""The table of libraries in the guide names what `make libraries` installs."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from libraries.table import LIBRARIES

ROOT = Path(__file__).parents[2]


def test_the_guide_has_every_library_at_its_version() -> None:
    guide = (ROOT / "docs/guides/train-an-agent.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| ([\d.]+) \| .+ \| works \|$", guide, re.MULTILINE)
    assert rows == [(library.name, library.version) for library in LIBRARIES]


def test_every_library_has_a_file_and_an_extra() -> None:
    extras = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for library in LIBRARIES:
        assert find_spec(library.module), library.name
        assert f"\n{library.extra} = [" in extras
