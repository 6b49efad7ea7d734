"""The MCP server, asked by the mcp package's own client: in memory, and as a command."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from later import Later
from numduel.games import keys

Client, Stdio = Later("mcp.client", "Client"), Later("mcp.client.stdio", "StdioServerParameters")
stdio_client = Later("mcp.client.stdio", "stdio_client")
make_server = Later("numduel.adaptors.mcp", "make_server")

# The client leaves streams to the collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*MemoryObject(Send|Receive)Stream.*:pytest.PytestUnraisableExceptionWarning"),
]  # fmt: skip

Call = Callable[..., Awaitable[Any]]


def talk(conversation: Callable[[Call], Awaitable[None]], server: Any = None) -> None:
    async def main() -> None:
        with anyio.fail_after(60):
            async with Client(server or make_server(seed=1)) as client:

                async def call(tool: str, **arguments: Any) -> Any:
                    result = await client.call_tool(tool, arguments)
                    if result.is_error:
                        return result.content[0].text
                    found = result.structured_content
                    return found.get("result", found)

                await conversation(call)

    anyio.run(main)


def test_a_match_against_the_perfect_player() -> None:
    async def conversation(call: Call) -> None:
        games = await call("list_games")
        assert [game["key"] for game in games] == keys()
        match = await call("start_match", board="divisor-duel:60", opponent="perfect")
        assert match["turn"] == "You"
        while not match["winner"]:
            legal = await call("legal_moves", match=1)
            assert legal["complete"]
            verdict = await call("verdict", board=match["board"])
            assert verdict["outcome"] == "win"
            assert set(verdict["winning_moves"]) <= set(legal["moves"])
            match = await call("play", match=1, move=verdict["winning_moves"][0])
        assert match["winner"] == "You"
        assert (await call("show_match", match=1))["moves"] == match["moves"]
        assert "The match is over." in await call("play", match=1, move="2")

    talk(conversation)


def test_other_ways_to_start() -> None:
    async def conversation(call: Call) -> None:
        match = await call("start_match", board="Divisor-Duel", you_begin=False)
        assert match["opponent_played"]
        match = await call("start_match", board="power-play:30+divisor-duel:9", opponent="none")
        match = await call("play", match=2, move="1:2")
        assert match["turn"] == "Opponent"
        match = await call("start_match", board="divisor-duel:7")
        assert match["winner"] == "Opponent"
        match = await call("start_match", board=f"subtract-a-prime:{10**40}~misere")
        assert not (await call("legal_moves", match=4))["complete"]

    talk(conversation)


def test_a_move_may_be_a_number() -> None:
    async def conversation(call: Call) -> None:
        for match, number in ((1, 15), (2, 10**30)):
            board = f"divisor-duel:{60 if match == 1 else 2 * number}"
            await call("start_match", board=board, opponent="largest")
            played = await call("play", match=match, move=number)
            assert played["moves"][0] == f"You: {number}"
        await call("start_match", board="divisor-duel:60", opponent="largest")
        assert "7 does not divide 60." in await call("play", match=3, move=7)
        for wrong in (True, 7.5, None, [15]):
            assert "validation error" in await call("play", match=3, move=wrong)

    talk(conversation)


async def tools_of(server: Any) -> dict[str, Any]:
    async with Client(server) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


def test_without_answers_nothing_tells_who_wins() -> None:
    async def conversation(call: Call) -> None:
        assert "verdict" in await call("verdict", board="divisor-duel:60")
        match = await call("start_match", board="divisor-duel:60")
        said = await call("start_match", board="divisor-duel:60", you_begin=False)
        assert said.endswith("Match 1 is not over yet. Finish it first.")
        while not match["winner"]:
            legal = await call("legal_moves", match=1)
            match = await call("play", match=1, move=legal["moves"][0])
        assert (await call("start_match", board="divisor-duel:60"))["match"] == 2

    tools = anyio.run(tools_of, make_server())
    wanted = {"list_games", "start_match", "legal_moves", "play", "show_match", "verdict"}
    assert tools.keys() == wanted
    assert all(tool.description for tool in tools.values())
    opponent = tools["start_match"].input_schema["properties"]["opponent"]
    assert "level:3: misses one win in seven; " in opponent["description"]
    assert anyio.run(tools_of, make_server(answers=False)).keys() == wanted - {"verdict"}
    talk(conversation, make_server(seed=1, answers=False))


def test_errors_are_sentences() -> None:
    sixty = {"board": "divisor-duel:60"}
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("start_match", {"board": "chess"}, "There is no game called"),
        ("start_match", {**sixty, "opponent": "person"}, "no player called"),
        ("start_match", {**sixty, "opponent": "engine:ls"}, "no player called"),
        ("play", {"match": 9, "move": "2"}, "There is no match 9."),
        ("play", {"match": 1, "move": "7"}, "7 does not divide 60."),
        ("play", {"match": 1, "move": "seven"}, "is not a number."),
        ("verdict", {"board": "divisor-duel:0"}, "is not a position"),
    ]

    async def conversation(call: Call) -> None:
        await call("start_match", **sixty)
        for tool, arguments, said in cases:
            assert said in await call(tool, **arguments)

    talk(conversation)


def test_the_command_serves_on_standard_input() -> None:
    async def conversation(call: Call) -> None:
        match = await call("start_match", board="divisor-duel:60")
        assert match["board"] == "divisor-duel:60"
        assert "verdict" in await call("verdict", board="divisor-duel:60"), "it is no tool here"

    arguments = ["-m", "numduel", "mcp", "--no-answers"]
    command = Stdio(command=sys.executable, args=arguments)
    talk(conversation, stdio_client(command))
