"""`numduel engine`: commands in, replies out; and it is itself a player."""

from __future__ import annotations

import sys
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from numduel import Board, solve
from numduel.adaptors.engine import Engine
from numduel.players import Limits, View, make_computer
from numduel.players.engine import EnginePlayer
from terminal import piped


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
    _, err, code = piped(["engine", "--player", "person"])
    assert code == 2
    assert 'There is no player called "person"' in err
