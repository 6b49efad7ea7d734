"""Without any extra, every command and adaptor works, or says in one sentence what to install.

And the wheel, installed with the core alone, plays a match.
"""

import re
import sys
import zipfile
from pathlib import Path

import pytest

from house.base_install import MENU, Environment, needed, said, told
from numduel import adaptors
from numduel.cli.app import COMMANDS
from terminal import piped

ROOT = Path(__file__).parents[2]
MATCH = "divisor-duel:60/15.15.15.5.5"
WORKS = [
    "play divisor-duel --p1 random --p2 perfect", "games", "rules power-play", "learn divisor-duel",
    "solve subtract-a-prime:100000000000000000039", "puzzle --seed 1", "map divisor-duel",
    "map divisor-duel --as values --output out.svg", f"analyse {MATCH}", f"show {MATCH}",
    f"analyse {MATCH} --html out.html", f"share {MATCH}", "resume", "history", "stats", "engine",
    "arena --player random --player perfect --board divisor-duel:60", "completion bash",
    "exam perfect --count 7 --report out.html", "solve divisor-duel:60 --certificate verdict.json",
    "check verdict.json", "check broken.json", "positions --count 42 --format jsonl",
]  # fmt: skip
NEEDS = {
    "sequence divisor-duel": ("numpy", "ranges"),
    "sequence divisor-duel --kind P --check terms.txt": ("numpy", "ranges"),
    "verify even-losses --to 1000": ("numpy", "ranges"),
    "verify even-losses --to 1000 --device gpu": ("numpy", "gpu-cuda13"),
    "verify even-losses --to 1000 --scheduler tcp://127.0.0.1:1": ("numpy", "ranges"),
    f"check {ROOT / 'results/max-grundy-1e9.json'}": ("numpy", "ranges"),
    "map divisor-duel --output out.png": ("resvg-py", "images"),
    f"share {MATCH} --image out.png": ("resvg-py", "images"),
    "serve --port 0": ("fastapi", "web"),
    "mcp": ("mcp", "mcp"),
}
ADAPTORS = {
    "open_spiel": ("pyspiel", "openspiel"),
    "pettingzoo": ("pettingzoo", "pettingzoo"),
    "gymnasium": ("gymnasium", "gymnasium"),
    "vector": ("numpy", "ranges"),
    "mcp": ("mcp", "mcp"),
    "inspect": ("inspect_ai", "inspect"),
}


def sentence(package: str, extra: str) -> str:
    serve = "  make serve\nor install it here:\n" if extra == "web" else ""
    return (
        f"{package} is not installed. In numduel's folder, run\n{serve}"
        f"  python -m pip install '.[{extra}]'\nThen try again.\n"
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("base") / "environment")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("work")
    (made / "rule.py").write_text("def options(n):\n    return range(n)\n")
    (made / "terms.txt").write_text("1 1\n2 2\n")
    (made / "broken.json").write_text("{")
    return made


def test_what_needs_no_extra_works(base: Environment, folder: Path) -> None:
    assert {words.split()[0] for words in (*WORKS, *NEEDS)} == set(COMMANDS)
    helps = [f"{command} --help" for command in COMMANDS]
    found = said(base.run(*told(*helps, *WORKS), cwd=folder))
    for words, (code, out, err, _) in zip((*helps, *WORKS), found, strict=True):
        assert not words.endswith("--help") or out.startswith(f"Usage: numduel {words[:-6]}")
        assert "Traceback" not in err
        assert "not installed" not in out + err
        assert code == (words in ("check broken.json", "resume")), err
    assert found[-1][:3] == (0, piped(WORKS[-1].split())[0], ""), "the same as with extras"


def test_what_needs_an_extra_names_it(base: Environment, folder: Path) -> None:
    for words, (code, out, err, made) in zip(
        NEEDS, said(base.run(*told(*NEEDS), cwd=folder)), strict=True
    ):
        assert (code, out) == (1, ""), words
        assert err == "numduel: " + sentence(*NEEDS[words])
        assert not made, "nothing half done is left behind"
    place = "postgresql://nobody@127.0.0.1:1/none"
    (found,) = said(base.run(*told("history"), cwd=folder, NUMDUEL_DATABASE_URL=place))
    assert found == (1, "", "numduel: " + sentence("psycopg", "postgres"), [])
    menu = base.shell(MENU, cwd=folder, typed="browser\n\nquit\n")
    assert sentence("fastapi", "web") in menu.stdout


def test_a_cluster_needs_one_extra_more(tmp_path: Path) -> None:
    compiled = Environment(tmp_path / "environment", "numpy", "numba")
    words = "verify even-losses --to 1000 --scheduler tcp://127.0.0.1:1"
    (found,) = said(compiled.run(*told(words), cwd=tmp_path))
    assert found == (1, "", "numduel: " + sentence("distributed", "research"), [])


IMPORT = """
import importlib, sys
from numduel import NumduelError
from numduel.wording import problem
for name in sys.argv[1:]:
    try:
        importlib.import_module(f"numduel.{name}")
    except NumduelError as error:
        print(f"{name}: {problem(error)}")
"""


def test_libraries_and_adaptors(base: Environment, folder: Path) -> None:
    listed = re.findall(r"^    (\w+) {2,}.*? {2,}(\w+)$", adaptors.__doc__ or "", re.MULTILINE)
    named: dict[str, str] = dict(listed)
    assert named == {name: ADAPTORS.get(name, ("", "none"))[1] for name in named}
    needs = {f"adaptors.{name}": what for name, what in ADAPTORS.items()}
    needs |= dict.fromkeys(["ranges", "ranges.marking"], ("numpy", "ranges"))
    names = [*(f"adaptors.{name}" for name in named), "ranges", "ranges.marking", "research"]
    done = base.run("python", "-c", IMPORT, *names, cwd=folder)
    expected = "".join(f"{name}: {sentence(*needs[name])}" for name in names if name in needs)
    assert (done.stdout, done.stderr) == (expected, "")


def test_the_wheel_holds_the_package_alone_and_plays_a_match(tmp_path: Path) -> None:
    """Installed with what the core needs, and nothing else; so no network is needed."""
    clean = Environment(tmp_path / "clean", numduel=False)
    build = ["build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    done = clean.run(sys.executable, "-m", *build, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "numduel/py.typed" in names
    web = ROOT / "src/numduel/web"
    for folder in ("templates", "static"):
        files = [path for path in (web / folder).rglob("*") if path.is_file()]
        assert files
        assert {f"numduel/{path.relative_to(web.parent)}" for path in files} <= set(names)
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"numduel"}
    core = {"numduel", "click", "platformdirs", "python-flint", "sqlalchemy", "typing-extensions"}
    assert set(needed(["numduel"])) == core
    pip = ["pip", "--disable-pip-version-check", "--python", str(clean.python), "install"]
    how = ["--quiet", "--no-index", "--no-compile", str(wheel)]
    done = clean.run(sys.executable, "-m", *pip, *how, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    command = str(clean.python.with_name("numduel"))
    done = clean.run(command, "play", "divisor-duel", cwd=tmp_path, typed="15\n15\n15\n5\n5\n")
    assert done.stdout == (ROOT / "tests/transcripts/divisor-duel.txt").read_text()
    done = clean.run("python", "-m", "numduel", "--version", cwd=tmp_path)
    assert done.stdout.startswith("numduel")
