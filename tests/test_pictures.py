"""The pictures of the docs are those that the commands make now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES, SCREENS = ROOT / "docs" / "pictures", ROOT / "docs" / "screens"
PAGES = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]


def test_the_pictures_are_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "pictures.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_every_picture_is_shown_somewhere() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for picture in [*PICTURES.iterdir(), *SCREENS.iterdir()]:
        assert f"{picture.parent.name}/{picture.name})" in pages
        assert picture.stat().st_size < 70_000
