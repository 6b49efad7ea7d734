"""Programs as players, whatever they do; and `numduel engine`, which is one of them."""

import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bots import BOTS, bot
from numduel import Board, errors, solve
from numduel.adaptors.engine import Engine
from numduel.match import BadInput, Ending, Event, Over, Setup, read_record
from numduel.players import Limits, Turn, View, close_players, make_computer, make_player
from numduel.players.engine import EnginePlayer
from numduel.running import Runner, ask
from patience import PATIENT, is_running, until
from raised import raised
from terminal import Terminal, piped, run

BOARD = Board.parse("divisor-duel:60")
BAD = sorted(set(BOTS) - {"good", "silent stderr"})


def test_a_good_program_plays(tmp_path: Path) -> None:
    player = EnginePlayer(bot(tmp_path, "silent stderr"), Limits())
    assert player.answer(View.of(BOARD)).amount == 2
    assert player.choose(Board.parse("divisor-duel:15,divisors=odd~misere")).amount == 3
    player.close()


EXPECTED = {
    "hangs": "time", "floods": "flood", "dies": "ended", "rubbish": "rubbish",
    "binary": "rubbish", "refuses": "refused", "illegal": errors.IllegalMove,
    "words": errors.InvalidNumber, "several lines": errors.InvalidNumber,
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
        problem = answer.problems[0]
        told = problem.problem if isinstance(problem, errors.PlayerFailed) else type(problem)
        assert told == EXPECTED[name]


def turn_of(word: str, board: Board = BOARD, **limits: Any) -> Turn:
    """What a program answers, which is ended then."""
    player = EnginePlayer(word, Limits(**limits))
    answer = ask(player, View.of(board))
    player.close()
    return answer


def test_a_program_that_died_is_started_anew(tmp_path: Path) -> None:
    seen = repr(str(tmp_path / "seen"))
    once = f"import os\nif not os.path.exists({seen}):\n    open({seen}, 'w').close()\n    exit()\n"
    answer = turn_of(bot(tmp_path, "good", once), tries=2)
    assert answer.move is not None
    assert [error.problem for error in answer.problems] == ["ended"]


def test_a_program_that_reads_to_the_end_leaves_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numduel.players.engine._GRACE", PATIENT)
    tidied = tmp_path / "tidied"
    word = bot(tmp_path, "illegal", after=f"\nopen({str(tidied)!r}, 'w').close()\n")
    assert turn_of(word, seconds=PATIENT, tries=1).move is None
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
    noted = folder / "numbers"
    return f"{bot(folder, name, start)} {noted}", noted


def running(noted: Path) -> list[int]:
    """The processes of these numbers that there still are."""
    numbers = [int(number) for number in noted.read_text().split()]
    assert len(numbers) == 3
    return [number for number in numbers if is_running(number)]


@pytest.mark.parametrize("name", ["good", "rubbish"])
def test_what_a_program_started_is_ended_with_it(name: str, tmp_path: Path) -> None:
    word, noted = bot_with_family(tmp_path, name)
    assert (turn_of(word, seconds=PATIENT, tries=1).move is None) == (name == "rubbish")
    until(lambda: not running(noted))  # a kill is sent at once and obeyed a moment later


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
    [problem] = turn_of(f"engine:{script}", tries=1).problems
    assert (problem.problem, problem.command) == ("not found", str(script))


def test_a_board_too_long_for_a_pipe_is_no_trouble(tmp_path: Path) -> None:
    board = Board.parse("+".join([f"digit-subtraction-duel:{'7' * 4000}"] * 40))
    assert turn_of(bot(tmp_path, "deaf"), board, seconds=0.5).move is None


def test_words_that_name_no_program() -> None:
    for word in ("engine:", "engine:no-such-program-here", "engine:'"):
        raised(errors.PlayerFailed, make_player, word, Random(), Limits())
    for word in ("engine:ls", "llm:model@http://localhost"):  # made where limits are given
        raised(errors.InvalidSetup, make_player, word, Random(), match="no player called")
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
    assert record.replay().over == runner.referee.over


def test_play_with_a_bad_program_ends_well(tmp_path: Path) -> None:
    options = ["--p1", "largest", "--p2", bot(tmp_path, "rubbish"), "--tries", "1"]
    out = run("play", "power-play:64", *options)
    assert "Player 2 forfeits the match.\n" in out
    assert out.endswith("Player 1 wins the game!\n")
    out = run("play", "divisor-duel", *options, "--json")
    assert '"ending": "forfeited"' in out
    assert '"error": "PlayerFailed"' in out


def engine(word: str = "perfect") -> Engine:
    return Engine(make_computer(word, Random(1)), "numduel", "1")


def talk(*lines: str) -> list[str]:
    return list(engine().replies(iter(lines)))


def test_a_conversation() -> None:
    lines = ["board divisor-duel:60", "legal", "legal 3", "play 15", "board", "undo", "board"]
    assert talk(*lines) == [
        "=\n\n", "= 2 3 4 5 6 10 12 15 20 30\n\n", "= 2 3 4 ...\n\n", "=\n\n",
        "= divisor-duel:45\n\n", "=\n\n", "= divisor-duel:60\n\n",
    ]  # fmt: skip
    assert talk("protocol_version", "12 protocol_version") == ["= 1\n\n", "=12 1\n\n"]
    assert talk("known_command play", "known_command x") == ["= true\n\n", "= false\n\n"]
    said = talk("", "# nothing", "  board  divisor-duel:60  # sixty", "quit", "board")
    assert said == ["=\n\n", "=\n\n"]
    (listed,) = talk("list_commands")
    wanted = "protocol_version list_commands board legal play genmove undo verdict quit"
    assert {*wanted.split()} <= {*listed.removeprefix("= ").split()}


def test_what_cannot_be_done() -> None:
    for line, said in (
        ("legal", "no board"),
        ("genmove", "no board"),
        ("nonsense", "unknown command"),
        ("board chess:8", "no game called"),
        ("board divisor-duel", "does not give its number"),
        ("undo", "nothing to take back"),
    ):
        (reply,) = talk(f"3 {line}")
        assert reply.startswith("?3 ")
        assert said in reply
        assert reply.index("\n") == len(reply) - 2
    said = talk("board divisor-duel:7", "genmove", "play 2", "board divisor-duel:60", "play 7", "7")
    assert said[1:3] == ["? The match is over.\n\n"] * 2
    assert said[4] == "? 7 does not divide 60.\n\n"


def test_verdicts_and_moves_agree_with_the_solver() -> None:
    for text in ("subtract-a-prime:20", "divisor-duel:60~misere", "power-play:30+divisor-duel:9"):
        board = Board.parse(text)
        verdict = solve(board)
        moves = [board.write_move(move) for move in verdict.first_moves(10)[0]]
        said = talk(f"board {text}", "verdict", "genmove")
        assert said[1].split()[1:][: 1 + len(moves)] == [verdict.outcome, *moves]
        if moves:
            assert said[2] == f"= {moves[0]}\n\n"


@given(st.text(max_size=200))
def test_any_line_gets_at_most_one_reply(line: str) -> None:
    reply = engine("random").reply(line)
    assert reply is None or (reply[0] in "=?" and reply.endswith("\n\n"))


def test_the_engine_is_a_player() -> None:
    player = EnginePlayer(f"engine:{sys.executable} -m numduel engine", Limits())
    board = Board.parse("subtract-a-prime:20+divisor-duel:60")
    while not board.is_over:
        board = board.play(player.answer(View.of(board)))
    player.close()


def test_the_command() -> None:
    out, err, code = piped(["engine"], "board divisor-duel:60\n4 verdict\nquit\n")
    assert (out, err, code) == ("=\n\n=4 win 3 5 15\n\n=\n\n", "", 0)
    assert 'There is no player called "person"' in run("engine", "--player", "person", code=2)
