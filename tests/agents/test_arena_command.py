"""`numduel arena`: its table, its JSON, its page, and what it refuses."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree

from agents.bots import bot
from patience import PATIENT, until
from terminal import COMMAND, piped

TWO = ["arena", "--player", "perfect", "--player", "random"]


def test_the_table_and_the_json() -> None:
    out, err, code = piped([*TWO, "--board", "divisor-duel:60", "--board", "power-play:30",
                            "--rounds", "5"])  # fmt: skip
    assert (err, code) == ("", 0)
    lines = out.splitlines()
    assert lines[0].split("  ")[0] == "player"
    assert lines[1].startswith("perfect ")
    assert " 100.0% " in lines[1]
    assert lines[3] == "Power Play, where no choice matters (not counted above):"
    out, _, code = piped([*TWO, "--draw", "subtract-a-prime:15", "--rounds", "3", "--json"])
    assert code == 0
    found = json.loads(out)
    assert found["plan"] == {"players": ["perfect", "random"], "boards": [],
                             "draws": ["subtract-a-prime:15"], "rounds": 3, "seed": 0}  # fmt: skip
    assert found["matches"] == 6
    assert {player["player"] for player in found["players"]} == {"perfect", "random"}
    assert all(pair["winner"] != pair["loser"] for pair in found["pairs"])


def test_the_page_stands_alone(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    word = bot(tmp_path, "refuses")
    _, err, code = piped([*TWO, "--player", f"{word} '<script>&'", "--board", "divisor-duel:12",
                          "--board", "power-play:30", "--report", str(page)])  # fmt: skip
    assert (err, code) == ("", 0)
    text = page.read_text(encoding="utf-8")
    body = f"<body>{text.partition('<body>')[2].partition('</body>')[0]}</body>"
    parts = list(ElementTree.fromstring(body).iter())
    names = [part.tag.rpartition("}")[2] for part in parts]
    ids = [part.get("id") for part in parts if part.get("id")]
    assert names.count("svg") == 3
    assert len({*ids}) == len(ids) == 6, "each picture has its own title and description"
    assert "script" not in names
    assert not re.search(r"url\(|(src|href)=|@import", text), "it fetches nothing"
    assert re.search(r"<td>perfect</td><td>4</td><td>1</td>", text)


def test_bad_usage(tmp_path: Path) -> None:
    board = ["--board", "divisor-duel:60"]
    for arguments, said in (
        (["--player", "random", *board], "at least two players"),
        (["--player", "random", "--player", "person", *board], "a person cannot play"),
        (["--player", "random", "--player", "nobody", *board], "There is no player called"),
        (["--player", "random", "--player", "engine:./nobody", *board], "cannot be found"),
        (["--player", "random", "--player", "largest"], "An arena needs a board"),
    ):
        out, err, code = piped(["arena", *arguments])
        assert (out, code) == ("", 2)
        assert said in err
    path = tmp_path / "results.jsonl"
    path.write_text("my diary\n")
    _, err, code = piped([*TWO, *board, "--results", str(path)])
    assert code == 1
    assert "cannot be used: it exists and holds something other than results." in err
    assert path.read_text() == "my diary\n"


def test_a_stopped_arena_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    options = [*TWO, "--board", "divisor-duel:60", "--rounds", "100000", "--results", str(path)]
    process = subprocess.Popen([*COMMAND, *options], stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    until(lambda: path.exists() and path.stat().st_size > 10_000)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENT)
    assert process.returncode == 130
    kept = len(path.read_text().splitlines()) - 1
    assert kept > 100
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_the_bar_is_on_a_terminals_standard_error() -> None:
    master, slave = pty.openpty()
    done = subprocess.run(
        [*COMMAND, *TWO, "--board", "divisor-duel:60", "--json"],
        stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}, timeout=PATIENT,
    )  # fmt: skip
    os.close(slave)
    seen = os.read(master, 65536).decode()
    os.close(master)
    assert "Matches" in seen
    assert json.loads(done.stdout)["matches"] == 2
