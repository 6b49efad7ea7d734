"""The MCP server, asked by the mcp package's own client: in memory, and as a command."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from later import Later
from numduel.games import keys

Client, Stdio = Later("mcp.client", "Client"), Later("mcp.client.stdio", "StdioServerParameters")
stdio_client = Later("mcp.client.stdio", "stdio_client")
make_server = Later("numduel.adaptors.mcp", "make_server")

# The client leaves streams to the collector.
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:.*MemoryObject(Send|Receive)Stream.*:pytest.PytestUnraisableExceptionWarning"),
]  # fmt: skip
SIXTY = "divisor-duel:60"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def talking(server: Any = None) -> AsyncIterator[Callable[..., Awaitable[Any]]]:
    """To call tools: what they answer, or the words of their errors."""
    async with Client(server or make_server(seed=1)) as client:

        async def call(tool: str, **arguments: Any) -> Any:
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                return result.content[0].text
            found = result.structured_content
            return found.get("result", found)

        yield call


async def test_a_match_against_the_perfect_player() -> None:
    async with talking() as call:
        assert [game["key"] for game in await call("list_games")] == keys()
        match = await call("start_match", board=SIXTY, opponent="perfect")
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


async def test_other_ways_to_start_and_to_move() -> None:
    async with talking() as call:
        match = await call("start_match", board="Divisor-Duel", you_begin=False)
        assert match["opponent_played"]
        match = await call("start_match", board="power-play:30+divisor-duel:9", opponent="none")
        match = await call("play", match=2, move="1:2")
        assert match["turn"] == "Opponent"
        match = await call("start_match", board="divisor-duel:7")
        assert match["winner"] == "Opponent"
        match = await call("start_match", board=f"subtract-a-prime:{10**40}~misere")
        assert not (await call("legal_moves", match=4))["complete"]
        for number, move in ((5, 15), (6, 10**30)):
            await call("start_match", board=f"divisor-duel:{4 * move}", opponent="largest")
            played = await call("play", match=number, move=move)
            assert played["moves"][0] == f"You: {move}"


async def test_without_answers_nothing_tells_who_wins() -> None:
    told = []
    for answers in (True, False):
        async with Client(make_server(answers=answers)) as client:
            told.append({tool.name: tool for tool in (await client.list_tools()).tools})
    wanted = {"list_games", "start_match", "legal_moves", "play", "show_match", "verdict"}
    assert [tools.keys() for tools in told] == [wanted, wanted - {"verdict"}]
    assert all(tool.description for tool in told[0].values())
    opponent = told[0]["start_match"].input_schema["properties"]["opponent"]
    assert "level:3: misses one chance to win in seven; " in opponent["description"]
    async with talking(make_server(seed=1, answers=False)) as call:
        match = await call("start_match", board=SIXTY)
        said = await call("start_match", board=SIXTY, you_begin=False)
        assert said.endswith("Match 1 is not over yet. Finish it first.")
        while not match["winner"]:
            legal = await call("legal_moves", match=1)
            match = await call("play", match=1, move=legal["moves"][0])
        assert (await call("start_match", board=SIXTY))["match"] == 2


async def test_errors_are_sentences() -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("start_match", {"board": "chess"}, "There is no game called"),
        ("start_match", {"board": SIXTY, "opponent": "person"}, "no player called"),
        ("start_match", {"board": SIXTY, "opponent": "engine:ls"}, "no player called"),
        ("play", {"match": 9, "move": "2"}, "There is no match 9."),
        ("play", {"match": 1, "move": "7"}, "7 does not divide 60."),
        ("play", {"match": 1, "move": 7}, "7 does not divide 60."),
        ("play", {"match": 1, "move": "seven"}, "is not a number."),
        ("verdict", {"board": "divisor-duel:0"}, "is not a position"),
        *(("play", {"match": 1, "move": m}, "validation error") for m in (True, 7.5, None, [15])),
    ]
    async with talking() as call:
        await call("start_match", board=SIXTY)
        for tool, arguments, said in cases:
            assert said in await call(tool, **arguments)


async def test_the_command_serves_on_standard_input() -> None:
    command = Stdio(command=sys.executable, args=["-m", "numduel", "mcp", "--no-answers"])
    async with talking(stdio_client(command)) as call:
        assert (await call("start_match", board=SIXTY))["board"] == SIXTY
        assert "verdict" in await call("verdict", board=SIXTY), "it is no tool here"
