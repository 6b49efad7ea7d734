"""Each test here has a history of its own, in a file that is not there yet."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "history.sqlite3"
    monkeypatch.setenv("NUMDUEL_DATABASE_URL", str(path))
    return path
