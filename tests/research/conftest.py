"""The command run inside the test's own process: kernels are loaded once for all tests."""

from collections.abc import Callable, Iterable

import pytest

from numduel.cli.app import run

Command = Callable[[Iterable[str]], tuple[str, str, int]]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    """Run `numduel` with arguments; stdout, stderr and the exit code."""

    def call(arguments: Iterable[str]) -> tuple[str, str, int]:
        capfd.readouterr()
        code = run(list(arguments))
        out, err = capfd.readouterr()
        return out, err, code

    return call
