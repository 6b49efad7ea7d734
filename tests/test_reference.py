"""The generated reference is current, and nothing in it goes undescribed."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import click
import pytest

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools" / "reference.py"


def _load_tool() -> ModuleType:
    spec = spec_from_file_location("reference_tool", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = _load_tool()


def test_reference_is_current() -> None:
    done = subprocess.run(
        [sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_check_finds_a_stale_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main([], tmp_path) == 0
    assert reference.main(["--check"], tmp_path) == 0
    page = tmp_path / "games.md"
    page.write_text(page.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    assert reference.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "Not current: docs/reference/games.md. Run: make reference\n"
    assert reference.main([], tmp_path) == 0
    assert reference.main(["--check"], tmp_path) == 0


def test_the_tool_refuses_other_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main(["--chekc"]) == 2
    assert "Usage" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "command"), reference.commands(), ids=lambda x: str(x))
def test_every_command_and_option_says_what_it_does(name: str, command: click.Command) -> None:
    assert command.help, f"{name} has no help text"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts[0]} has no help text"


def test_every_command_of_help_is_in_the_reference() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "numduel", "--help"], capture_output=True, text=True, check=True
    ).stdout
    listing = shown.partition("Commands:\n")[2].partition("\n\n")[0]
    words = [line.split()[0] for line in listing.splitlines()]
    assert "play" in words
    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    missing = [word for word in words if f"\n## numduel {word}\n" not in page]
    assert not missing, f"not in docs/reference/commands.md: {missing}"


def test_every_game_is_in_the_reference() -> None:
    page = (ROOT / "docs/reference/games.md").read_text(encoding="utf-8")
    for game in reference.builtin_games():
        assert f"\n## {game.title}\n" in page
        assert f"`{game.key}`" in page
