"""Programs as players: whatever they do, the match goes on, and nothing is left running."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from random import Random

import pytest

from agents.bots import BOTS, bot
from numduel import Board, errors
from numduel.match import BadInput, Ending, Event, Over, Setup, read_record
from numduel.players import Limits, View, close_players, make_player
from numduel.players.engine import EnginePlayer
from numduel.running import Runner, ask
from patience import PATIENT, until
from terminal import Terminal, piped

BOARD = Board.parse("divisor-duel:60")
BAD = sorted(set(BOTS) - {"good", "silent stderr"})


def test_a_good_program_plays(tmp_path: Path) -> None:
    player = EnginePlayer(bot(tmp_path, "silent stderr"), Limits())
    try:
        assert player.answer(View.of(BOARD)).amount == 2
        assert player.choose(Board.parse("divisor-duel:15,divisors=odd~misere")).amount == 3
    finally:
        player.close()


EXPECTED = {
    "hangs": "time", "floods": "flood", "dies": "ended", "rubbish": "rubbish",
    "binary": "rubbish", "refuses": "refused",
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_program_forfeits_and_is_ended(name: str, tmp_path: Path) -> None:
    """Who lets the time run out is not asked again."""
    slow = name in ("hangs", "deaf")
    player = EnginePlayer(bot(tmp_path, name), Limits(0.4 if slow else PATIENT, tries=2))
    answer = ask(player, View.of(BOARD))
    assert answer.move is None
    assert 1 <= len(answer.problems) <= (1 if slow else 2)
    process = player._process
    player.close()
    assert process is None or process.returncode is not None
    if name in EXPECTED:
        assert answer.problems[0].problem == EXPECTED[name]
    if name == "illegal":
        assert isinstance(answer.problems[0], errors.IllegalMove)
    if name in ("words", "several lines"):
        assert isinstance(answer.problems[0], errors.InvalidNumber)


def test_a_program_that_died_is_started_anew(tmp_path: Path) -> None:
    marker = tmp_path / "seen"
    script = tmp_path / "once.py"
    script.write_text(
        f"import os\nif not os.path.exists({str(marker)!r}):\n"
        f"    open({str(marker)!r}, 'w').close()\n    raise SystemExit\n" + BOTS["good"]
    )
    player = EnginePlayer(f"engine:{sys.executable} {script}", Limits(tries=2))
    answer = ask(player, View.of(BOARD))
    player.close()
    assert answer.move is not None
    assert [error.problem for error in answer.problems] == ["ended"]


def test_a_program_that_reads_to_the_end_leaves_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.players.engine._GRACE", PATIENT)
    script, tidied = tmp_path / "reads.py", tmp_path / "tidied"
    script.write_text(f"{BOTS['illegal']}\nopen({str(tidied)!r}, 'w').close()\n")
    player = EnginePlayer(f"engine:{sys.executable} {script}", Limits(seconds=PATIENT, tries=1))
    assert ask(player, View.of(BOARD)).move is None
    player.close()
    assert tidied.exists(), "it was not killed"


def bot_with_family(folder: Path, name: str) -> tuple[str, Path]:
    """The word for a bot that starts others in its session, one of which has lost its parent;
    and the file that the numbers of all three stand in."""
    start = f"""
import os, subprocess, sys
sleep = [sys.executable, "-c", "import time; time.sleep({2 * PATIENT})"]
leave = "import subprocess as s, sys; p = s.Popen(sys.argv[1:], stdout=-3); print(p.pid)"
left = subprocess.check_output([sys.executable, "-c", leave, *sleep], text=True)
with open(sys.argv[1] + "~", "w") as file:
    file.write(f"{{os.getpid()}} {{subprocess.Popen(sleep).pid}} {{left}}")
os.rename(sys.argv[1] + "~", sys.argv[1])
"""
    script, noted = folder / "family.py", folder / "numbers"
    script.write_text(start + BOTS[name])
    return f"engine:{sys.executable} {script} {noted}", noted


def running(noted: Path) -> list[int]:
    """The processes of these numbers that there still are."""
    numbers = [int(number) for number in noted.read_text().split()]
    assert len(numbers) == 3
    return [number for number in numbers if _alive(number)]


@pytest.mark.parametrize("name", ["good", "rubbish"])
def test_what_a_program_started_is_ended_with_it(name: str, tmp_path: Path) -> None:
    word, noted = bot_with_family(tmp_path, name)
    player = EnginePlayer(word, Limits(seconds=PATIENT, tries=1))
    assert (ask(player, View.of(BOARD)).move is None) == (name == "rubbish")
    player.close()
    assert not running(noted)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL, None])
def test_no_program_outlives_numduel(ending: signal.Signals | None, tmp_path: Path) -> None:
    word, noted = bot_with_family(tmp_path, "good")
    command = ("play", "divisor-duel", "--p1", word, "--time", str(PATIENT), "--no-save")
    with Terminal(*command) as terminal:
        terminal.wait_for_prompt()
        assert len(running(noted)) == 3
        if ending is None:
            terminal.close_window()
        else:
            terminal.send_signal(ending)
            terminal.end()
    until(lambda: not running(noted))


def test_a_program_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("no first line that says what runs it")
    script.chmod(0o755)
    [problem] = ask(EnginePlayer(f"engine:{script}", Limits(tries=1)), View.of(BOARD)).problems
    assert (problem.problem, problem.command) == ("not found", str(script))


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def test_a_board_too_long_for_a_pipe_is_no_trouble(tmp_path: Path) -> None:
    board = Board.parse("+".join([f"digit-subtraction-duel:{'7' * 4000}"] * 40))
    player = EnginePlayer(bot(tmp_path, "deaf"), Limits(seconds=0.5))
    assert ask(player, View.of(board)).move is None
    player.close()


def test_words_that_name_no_program() -> None:
    for word in ("engine:", "engine:no-such-program-here", "engine:'"):
        with pytest.raises(errors.PlayerFailed):
            make_player(word, Random(), Limits())
    for word in ("engine:ls", "llm:model@http://localhost"):  # made where limits are given
        with pytest.raises(errors.InvalidSetup, match="no player called"):
            make_player(word, Random())
    with pytest.raises(errors.InvalidSetup, match="no player called"):
        make_player("engine:ls\n", Random(), Limits())
    _, err, code = piped(["play", "divisor-duel", "--p2", "engine:./nobody"])
    assert code == 2
    assert 'The program "./nobody" cannot be found, or may not be run.' in err


def test_the_host_announces_mistakes_and_the_forfeit(tmp_path: Path) -> None:
    events: list[Event] = []
    player = make_player(bot(tmp_path, "illegal"), Random(), Limits(tries=2))
    runner = Runner(Setup(BOARD), (make_player("largest", Random()), player), events.append)
    runner.begin()
    close_players(player)
    assert [event.count for event in events if isinstance(event, BadInput)] == [1, 2]
    assert isinstance(events[-1], Over)
    assert (events[-1].ending, events[-1].winner) == (Ending.FORFEITED, 0)
    record = runner.record
    assert "Ending: forfeited" in str(record)
    assert read_record(str(record)) == record
    assert record.replay().over == runner.over


def test_play_with_a_bad_program_ends_well(tmp_path: Path) -> None:
    options = ["--p1", "largest", "--p2", bot(tmp_path, "rubbish"), "--tries", "1"]
    for key, last in (("divisor-duel", "wins!"), ("power-play", "wins the game!")):
        out, err, code = piped(["play", f"{key}:64", *options])
        assert (err, code) == ("", 0)
        assert "Player 2 forfeits the match.\n" in out
        assert out.endswith(f"Player 1 {last}\n")
    out, _, code = piped(["play", "divisor-duel", *options, "--json"])
    assert code == 0
    assert '"ending": "forfeited"' in out
    assert '"error": "PlayerFailed"' in out
