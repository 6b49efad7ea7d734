"""`numduel arena`: its table, its JSON, its page, its files, and what it refuses."""

import json
import os
import pty
import re
import signal
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import terminal
from agents.bots import bot
from numduel import Board, errors
from numduel.arena import Conduct, Plan, ResultsFile, run
from numduel.players import Limits
from patience import PATIENT, until
from raised import raised
from terminal import COMMAND, piped

TWO = ["arena", "--player", "perfect", "--player", "random"]
SIXTY = Board.parse("divisor-duel:60")
BOARD = ["--board", str(SIXTY)]


def test_the_table_and_the_json() -> None:
    out = terminal.run(*TWO, *BOARD, "--board", "power-play:30", "--rounds", "5")
    lines = out.splitlines()
    assert lines[0].split("  ")[0] == "player"
    assert lines[1].startswith("perfect ")
    assert " 100.0% " in lines[1]
    assert "matches of Power Play won, where no choice matters (not counted above)" in lines[3]
    out = terminal.run(*TWO, "--draw", "subtract-a-prime:15", "--rounds", "3", "--json")
    found = json.loads(out)
    assert found["plan"] == {"players": ["perfect", "random"], "boards": [],
                             "draws": ["subtract-a-prime:15"], "rounds": 3, "seed": 0}  # fmt: skip
    assert found["matches"] == 6
    assert {player["player"] for player in found["players"]} == {"perfect", "random"}
    assert all(pair["winner"] != pair["loser"] for pair in found["pairs"])
    for player in found["players"]:
        (figures,) = player["games"].values()
        assert figures == {name: player[name] for name in figures}


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
    assert "Game by game" not in text, "there is only one that counts"


def test_bad_usage() -> None:
    for players, board, said in (
        (["random"], BOARD, "at least two players"),
        (["random", "person"], BOARD, "a person cannot play"),
        (["random", "nobody"], BOARD, "There is no player called"),
        (["random", "engine:./nobody"], BOARD, "cannot be found"),
        (["random", "largest"], [], "An arena needs a board"),
    ):
        named = [word for player in players for word in ("--player", player)]
        assert said in terminal.run("arena", *named, *board, code=2)


def test_a_stopped_arena_has_kept_whole_lines_and_shown_a_bar(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    options = [*TWO, *BOARD, "--rounds", "100000", "--results", str(path)]
    master, slave = pty.openpty()
    process = subprocess.Popen([*COMMAND, *options], stdout=subprocess.PIPE, stderr=slave,
                               env={**os.environ, "TERM": "xterm"})  # fmt: skip
    os.close(slave)
    until(lambda: path.exists() and path.stat().st_size > 10_000)
    shown = b""
    while b"Matches" not in shown:
        shown += os.read(master, 65536)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENT)
    assert (out, process.returncode) == (b"", 130)
    os.close(master)
    assert len([json.loads(line) for line in path.read_text().splitlines()]) > 100


def written(folder: Path, *options: str) -> list[str]:
    """Everything that an arena of built-in players prints and writes."""
    folder.mkdir(exist_ok=True)
    arguments = ["arena", "--player", "random", "--player", "level:3", "--player", "perfect",
                 "--draw", "divisor-duel:5", "--board", "subtract-a-prime:30", "--seed", "8",
                 "--json"]  # fmt: skip
    kinds = ("results", "transcript", "report")
    for kind in kinds:
        arguments += [f"--{kind}", str(folder / kind)]
    out = terminal.run(*arguments, *options)
    return [out, *((folder / kind).read_text() for kind in kinds)]


def test_the_same_seed_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.arena.tournament._CHUNK", 2)  # done in any order
    one = written(tmp_path / "one", "--rounds", "3", "--jobs", "1")
    assert one == written(tmp_path / "four", "--rounds", "3", "--jobs", "4")
    assert written(tmp_path / "added", "--rounds", "1") != one
    assert written(tmp_path / "added", "--rounds", "3") == one, "more rounds are added"
    for player in json.loads(one[0])["players"]:
        assert player["games"].keys() == {"Divisor Duel", "Subtract a Prime"}
    assert "<h2>Game by game</h2>" in one[3]
    for kind in ("results", "transcript"):
        shown = piped(["arena", "--from", str(tmp_path / "one" / kind), "--json"])
        assert shown == (one[0], "", 0)


def test_results_are_kept_and_gone_on_from(tmp_path: Path) -> None:
    made = Plan(("random", "level:3"), (SIXTY,), rounds=15)
    path = tmp_path / "results.jsonl"
    whole = run(made, file=ResultsFile(str(path), made))
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + len(made)
    path.write_text("".join(lines[:10]) + lines[10][:7])
    told: list[tuple[int, int]] = []
    again = run(made, None, 1, ResultsFile(str(path), made), lambda *now: told.append(now))
    assert again == whole
    assert told[0] == (9, 9)
    assert told[-1] == (9, len(made))
    assert told == sorted(told)
    assert path.read_text() == "".join(lines), "the same file, whoever stopped in between"
    for other, limits in (
        (replace(made, rounds=14), Limits()),
        (replace(made, seed=1), Limits()),
        (made, Limits(turns=50)),
    ):
        raised(errors.FileError, ResultsFile(str(path), other, limits).read, match="results file")
    assert len(ResultsFile(str(path), made).read()) == 30


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path, made = tmp_path / "results.jsonl", Plan(("random", "largest"), (SIXTY,), rounds=10)
    file = ResultsFile(str(path), made)
    for text in ("", "hello\n", "[1]\n", '{"numduel results": 1}\n'):
        path.write_text(text)
        raised(errors.FileError, file.read, match="results file")
        assert path.read_text() == text
    path.unlink()
    assert file.read() == {}
    head = path.read_text()
    conduct = [0] * len(Conduct._fields)
    good = [0, 1, "no-move", conduct, conduct, ""]
    path.write_text(f"{head}{json.dumps(good)}\n")
    assert file.read()[0].winner == 1
    junk = ((0, 999), (0, "0"), (1, 2), (2, "won"), (3, [1]), (4, []), (5, 1))
    spoilt = [json.dumps([*good[:at], part, *good[at + 1 :]]) for at, part in junk]
    for line in (*spoilt, "7", "{"):
        path.write_text(f"{head}{line}\n")
        assert "line 2" in raised(errors.FileError, file.read, match="results file").problem


def test_files_are_compared(tmp_path: Path) -> None:
    one, two, page = (str(tmp_path / name) for name in ("one.jsonl", "two.jsonl", "page.html"))
    draw = [*TWO, "--draw", "divisor-duel:4", "--rounds", "3"]
    seeds = (("0", one), ("1", two))
    shown = [piped([*draw, "--seed", seed, "--results", path])[0] for seed, path in seeds]
    out, _, code = piped(["arena", "--from", one, "--from", two, "--report", page])
    assert (out, code) == (f"{one}:\n{shown[0]}{two}:\n{shown[1]}Report: {page}\n", 0)
    text = Path(page).read_text()
    assert text.count("<td>perfect</td>") == text.count("<td>random</td>") == 2
    assert '<th scope="col">File</th>' in text
    _, err, code = piped(["arena", "--from", page])
    assert code == 1
    assert "cannot be used: it exists and holds something other than results." in err
