"""No test touches the history of whoever runs the tests."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

_FOLDER = tempfile.mkdtemp(prefix="numduel-tests-")
os.environ["XDG_DATA_HOME"] = _FOLDER
os.environ.pop("NUMDUEL_DATABASE_URL", None)
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
