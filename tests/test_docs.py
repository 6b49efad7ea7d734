"""Every example in README.md and docs/ is run, as CONTRIBUTING.md says; links lead somewhere."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hatch_build import absolute

import numduel
from numduel.match import read_records
from patience import PATIENT
from terminal import COMMAND, piped

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
_BLOCK = re.compile(
    r"(?:^<!-- (?:types: ?(?P<types>[^\n]*?)|file: ?(?P<file>[^\n]*?)) -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: the part it is in, and what the comment before it says."""

    page: Path
    line: int
    part: str
    language: str
    text: str
    file: str | None
    types: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_doctest(self) -> bool:
        return self.language == "python" and ">>> " in self.text

    @property
    def typed(self) -> str:
        lines = self.types.split(",") if self.types else []
        return "".join(f"{line.strip()}\n" for line in lines)


@cache
def blocks_of(page: Path) -> tuple[Block, ...]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("language")) + 1
        part = text[: match.start()].rpartition("\n## ")[2].partition("\n")[0]
        found.append(Block(page, line, part, *match.group("language", "text", "file", "types")))
    return tuple(found)


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def every(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language]


def folder_for(page: Path, folder: Path) -> dict[str, str]:
    """Write the page's files; give the environment for its examples."""
    for block in blocks_of(page):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COV_")}
    return {**kept, "PYTHONPATH": str(folder), "NO_COLOR": "1", "COLUMNS": "80",
            "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": str(folder / "data")}  # fmt: skip


def steps_of(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines expected after it."""
    steps: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            assert steps, f"a console block begins with `$ `, not with {line!r}"
            steps[-1][1].append(line)
    return steps


def matches(printed: str, expected: list[str]) -> bool:
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected
    )
    return re.fullmatch(pattern, printed) is not None


def printed(command: str, folder: Path, environment: dict[str, str], typed: str) -> str:
    """What a command prints: one of numduel's in this process, anything else by bash."""
    plain = not set(command) & set("|&;<>$`")
    words = shlex.split(command) if plain else []
    if words[:1] == ["numduel"]:
        out, err, _ = piped(words[1:], typed, **environment)
        return out + err
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, input=typed,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENT, check=False,
    ).stdout  # fmt: skip


LONG = re.compile(r"numduel exam |draw_positions\(seed\), 210|--baselines")


def examples(blocks: Iterable[Block]) -> list[Any]:
    """Whole exams and arenas are for the soak; a game of one's own has its own test."""
    return [
        pytest.param(block, id=str(block), marks=[pytest.mark.soak] * bool(LONG.search(block.text)))
        for block in blocks
        if block.part != "A game of your own"
    ]


@pytest.mark.parametrize("block", examples(every("console")))
def test_console_example(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = folder_for(block.page, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command, expected in steps_of(block.text):
        found = printed(command, tmp_path, environment, block.typed)
        if not matches(found, expected):
            lines = "\n".join(expected)
            pytest.fail(f"{block}: $ {command}\nprints\n{found}\nand not\n{lines}")


@pytest.mark.parametrize("block", examples(b for b in BLOCKS if b.is_doctest))
def test_python_example(block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(
        block.text, {}, str(block), str(block.page), block.line
    )
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    assert not runner.run(test, out=said.append).failed, "".join(said)


def test_blocks_that_are_not_run_are_right_too() -> None:
    assert {block.language for block in BLOCKS} <= {"console", "python", "text", "toml", "json"}
    for block in every("python"):
        if not block.is_doctest:
            assert block.file, f"{block} is neither a doctest nor a file of an example"
            assert len(block.text.splitlines()) < 60
            compile(block.text, str(block), "exec")
    for block in every("text"):
        if block.text.startswith("numduel record"):
            assert "\n".join(map(str, read_records(block.text))) == block.text


def links_of(page: Path) -> Iterator[tuple[Path, str]]:
    """What the page links to in this repository: the file, and the heading in it."""
    prose = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.findall(prose):
        if not re.match(r"[a-z]+:", link):
            name, _, anchor = link.partition("#")
            yield (page.parent / name).resolve() if name else page, anchor


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_page_and_picture_can_be_reached_and_links_lead_somewhere() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        for target, anchor in links_of(page) if page.suffix == ".md" else ():
            assert target.exists(), f"{page} links to {target}, which is not there"
            assert target.is_relative_to(ROOT), f"{page} links out of the repository: {target}"
            if anchor:
                text = target.read_text(encoding="utf-8")
                headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
                assert anchor in map(slug, headings), f"{page}: no heading {anchor} in {target}"
            if target.is_file():
                waiting.append(target)
    pictures = {*ROOT.glob("docs/pictures/*"), *ROOT.glob("docs/screens/*")}
    assert {*PAGES, *pictures} - seen == set()
    assert all(picture.stat().st_size < 70_000 for picture in pictures)


def test_in_the_built_package_links_of_the_readme_lead_to_the_project() -> None:
    text = absolute((ROOT / "README.md").read_text(encoding="utf-8"), "https://a.example/numduel")
    assert "](https://a.example/numduel/raw/HEAD/docs/pictures/door.svg)" in text
    assert not re.search(r"\]\((?!https:|#)", text)


def test_systemd_takes_the_unit_of_the_page_on_hosting(tmp_path: Path) -> None:
    if not (analyse := shutil.which("systemd-analyze")):
        pytest.skip("systemd is not installed")
    [block] = [block for block in BLOCKS if block.file == "numduel.service"]
    unit = tmp_path / "numduel.service"
    unit.write_text(block.text.replace("/opt/numduel/.venv/bin/numduel", COMMAND[0]))
    done = subprocess.run([analyse, "verify", "--man=no", unit], capture_output=True, text=True)
    assert not done.stderr
    assert done.returncode == 0


def test_what_is_installed_is_the_clone() -> None:
    """numduel is in no index yet: every page and every sentence installs it from its folder."""
    found = 0
    for path in [*PAGES, *ROOT.glob("src/**/*.py"), *ROOT.glob("src/**/*.html")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "'numduel[" not in line, f"{path.relative_to(ROOT)}: {line}"
            if "pip install" in line:
                assert re.search(r"python(:plain\}|'\)\})? -m pip install ('\.\[|\.)", line), path
                found += 1
    assert found > 10


def test_the_version_is_the_same_everywhere() -> None:
    for file, said in (("CITATION.cff", "version: {}\n"), ("CHANGELOG.md", "## [{}]")):
        assert f"\n{said.format(numduel.__version__)}" in (ROOT / file).read_text(encoding="utf-8")
