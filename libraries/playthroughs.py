"""Everything an agent observes in one match, for each adaptor, as text: `playthroughs/NAME.txt`.

The match is Divisor Duel from 12, small enough to be checked by hand: 3 is played three times, by
both sides in turn, which leaves 9, 6 and 3; 3 has no divisor to play, so the first player wins.
Before that, the first player tries 5, which does not divide 12. Positions stand for a match where
an adaptor asks single questions.

`python -m libraries.playthroughs NAME...` writes files anew. `make test` compares those whose
libraries it installs, and `make libraries` the others.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

PLACE = Path(__file__).parent / "playthroughs"
Lines = Iterator[str]


def bits(flags: Any) -> str:
    """Flags as 0 and 1, in tens."""
    written = "".join(str(int(flag)) for flag in flags)
    return " ".join(written[at : at + 10] for at in range(0, len(written), 10))


def gymnasium() -> Lines:
    import gymnasium

    import numduel.adaptors.gymnasium  # noqa: F401

    match = gymnasium.make(
        "numduel/divisor-duel-v0", start=12, opponent=lambda _: 3, render_mode="ansi"
    )
    yield f"{match.observation_space} {match.action_space}"
    seen, info = match.reset(seed=1)
    yield f"reset: {bits(seen)} mask {bits(info['action_mask'])} {match.render()}"
    for action in (5, 3, 3):
        seen, reward, over, cut, info = match.step(action)
        yield f"step {action}: {bits(seen)} mask {bits(info['action_mask'])} {match.render()}"
        yield f"  reward {reward} terminated {over} truncated {cut} illegal {info['illegal']}"


def gymnasium_vector() -> Lines:
    import gymnasium

    import numduel.adaptors.gymnasium  # noqa: F401

    boards = gymnasium.make_vec("numduel/divisor-duel-v0", num_envs=2, start=12, opponent="largest")
    yield f"{boards.observation_space} {boards.action_space} {boards.metadata}"
    seen, infos = boards.reset(seed=1)
    yield f"reset: {' | '.join(map(bits, seen))}"
    yield f"  masks {' | '.join(map(bits, infos['action_mask']))}"
    for actions in ([3, 5], [3, 2], [0, 2], [4, 2]):
        seen, rewards, over, cut, infos = boards.step(actions)
        yield f"step {actions}: {' | '.join(map(bits, seen))}"
        yield f"  masks {' | '.join(map(bits, infos['action_mask']))}"
        yield f"  rewards {rewards} terminated {over} truncated {cut} illegal {infos['illegal']}"


def vector() -> Lines:
    from numduel.adaptors.vector import VectorDuel

    boards = VectorDuel("divisor-duel", start=12, boards=2, illegal="retry")
    for actions in ([3, 5], [3, 6], [3, 3], [6, 2]):
        yield f"{boards.numbers} {boards.players} {' | '.join(map(bits, boards.legal_masks()))}"
        yield f"  moves {boards.legal_moves()}"
        rewards, over = boards.step(actions)
        yield f"step {actions}: rewards {rewards} over {over} final {boards.final}"


def pettingzoo() -> Lines:
    from numduel.adaptors.pettingzoo import env

    match = env("divisor-duel", start=12, render_mode="ansi")
    match.reset(seed=1)
    yield f"{match.observation_space('player_0')} {match.action_space('player_0')}"
    for action in (5, 3, 3, 3, None, None):
        agent = match.agent_selection
        seen, reward, over, cut, info = match.last()
        yield f"{agent}: {bits(seen)} mask {bits(info['action_mask'])} {match.render()}"
        yield f"  reward {reward} terminated {over} truncated {cut} illegal {info['illegal']}"
        match.step(action)
        yield f"step {action}: rewards {match.rewards} agents {match.agents}"


def open_spiel() -> Lines:
    import pyspiel

    import numduel.adaptors.open_spiel  # noqa: F401

    state = pyspiel.load_game("python_divisor_duel(start=12)").new_initial_state()
    yield f"{state.get_game()} {state.get_game().get_type().short_name}"
    for action in (3, 3, 3, None):
        yield f"{state}; current player {state.current_player()}, terminal {state.is_terminal()}"
        yield f"  legal {state.legal_actions()} returns {state.returns()}"
        yield f"  information {state.information_state_string(0)}"
        yield f"    {[round(one, 3) for one in state.information_state_tensor(0)]}"
        yield f"  observation {state.observation_string(0)}"
        yield f"    {bits(state.observation_tensor(0)[:2])} {bits(state.observation_tensor(0)[2:])}"
        if action is not None:
            yield f"apply {action} {state.action_to_string(action)}"
            state.apply_action(action)


def engine() -> Lines:
    from random import Random

    from numduel.adaptors.engine import Engine
    from numduel.players import make_computer

    told = Engine(make_computer("largest", Random(1)), version="1")
    for line in (
        "protocol_version", "name", "version", "list_commands", "known_command legal",
        "1 board divisor-duel:12", "legal", "legal 2", "verdict", "play 5", "play 3", "board",
        "genmove", "undo", "play 3", "play 3", "board", "genmove", "quit",
    ):  # fmt: skip
        yield f"{line}\n{told.reply(line)}".rstrip()


def mcp() -> Lines:
    from numduel.adaptors.mcp import make_server

    server = make_server(seed=1)
    for tool in sorted(asyncio.run(server.list_tools()), key=lambda tool: str(tool.name)):
        yield f"{tool.name}: {tool.description}"
    for name, given in (
        ("start_match", {"board": "divisor-duel:12", "opponent": "none"}),
        ("legal_moves", {"match": 1}),
        ("play", {"match": 1, "move": 5}),
        *[("play", {"match": 1, "move": 3})] * 3,
        ("show_match", {"match": 1}),
        ("play", {"match": 1, "move": 3}),
        ("verdict", {"board": "divisor-duel:12"}),
    ):
        yield f"{name} {json.dumps(given)}"
        try:
            result: Any = asyncio.run(server.call_tool(name, given))
            yield f"  {json.dumps(result.structured_content)}"
        except Exception as error:
            yield f"  {type(error).__name__}: {error}"


def text_arena() -> Lines:
    import textarena

    import numduel.adaptors.text_arena  # noqa: F401

    match = textarena.make("numduel/divisor-duel-v0", board="divisor-duel:12")
    match.reset(num_players=2)
    for answer in ("[5]", "I play [3].", "<think>4?</think> **[3]**", "3"):
        player, seen = match.get_observation()
        yield f"player {player} sees\n{seen}"
        yield f"answer {answer}: {match.step(answer)}"
    yield str(match.close())


def reasoning_gym() -> Lines:
    import reasoning_gym

    import numduel.adaptors.reasoning_gym  # noqa: F401

    data = reasoning_gym.create_dataset("numduel", size=7, seed=1)
    for entry in data:
        yield entry["question"]
        yield json.dumps(entry["metadata"], sort_keys=True)
        for answer in (entry["answer"], "[none]", "[1]", "I do not know.", None):
            yield f"answer {answer}: {data.score_answer(answer, entry)}"


def verifiers() -> Lines:
    from numduel.adaptors.verifiers import PositionsConfig, PositionsTaskset

    for task in islice(PositionsTaskset(PositionsConfig(seed="1", count=7)), 7):
        yield json.dumps(task.data.model_dump(mode="json"), sort_keys=True)
        right = (task.data.winning_moves or ["none"])[0]
        for answer in (f"[{right}]", "[none]", "[1]", "I do not know."):
            yield f"answer {answer}: {task.worth(answer)}"


ALL: dict[str, Callable[[], Lines]] = {
    play.__name__: play
    for play in (engine, gymnasium, gymnasium_vector, mcp, open_spiel, pettingzoo, vector,
                 reasoning_gym, text_arena, verifiers)
}  # fmt: skip
TESTED = [*ALL][:7]
"""Those that `make test` compares."""


def differs(name: str) -> str:
    """The first line that is not the file's, and the file's; empty where there is none."""
    kept = PLACE.joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    told = [line.rstrip() for line in "\n".join(ALL[name]()).splitlines()]
    pairs = zip([*told, *[""] * len(kept)], [*kept, *[""] * len(told)], strict=False)
    return next((f"{name}: {one!r} is not {other!r}" for one, other in pairs if one != other), "")


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        told = "\n".join(line.rstrip() for line in "\n".join(ALL[wanted]()).splitlines())
        PLACE.joinpath(f"{wanted}.txt").write_text(told + "\n", encoding="utf-8")
