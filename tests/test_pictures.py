"""The pictures of the docs are those that the commands make now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"


def test_the_pictures_are_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "pictures.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_every_picture_is_shown_somewhere() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md"))
    for picture in PICTURES.iterdir():
        assert f"pictures/{picture.name})" in pages
