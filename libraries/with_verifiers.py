"""verifiers: the taskset, its views, its own check, and its reward on a trace."""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import verifiers.v1 as vf
from verifiers.v1.trace import Trace, TraceTask
from verifiers.v1.utils.loaders import taskset_class

from libraries.playthroughs import differs
from numduel.adaptors.verifiers import PositionsConfig, PositionsTaskset

COUNT = 70


def main() -> str:
    """Every task is checked; right and wrong replies are scored by verifiers itself."""
    assert not differs("verifiers")
    taskset = PositionsTaskset(PositionsConfig(seed="7", count=COUNT))
    tasks = list(taskset)
    assert len({task.key for task in tasks}) == COUNT
    assert len(list(taskset.shuffle(seed=1).take(5))) == 5
    assert all(asyncio.run(task.validate()) for task in tasks)
    for task in tasks:
        right = (task.data.winning_moves or ["none"])[0]
        for reply, worth in ((f"So it is [{right}].", 1.0), ("I do not know.", 0.0)):
            assert _scored(task, reply) == worth
    _found_by_id()
    return f"{COUNT} tasks by id and from Python, validate, rewards of traces (a rollout needs uv)"


def _found_by_id() -> None:
    """By a module of two lines, as the guide has it: ids are names of modules."""
    with TemporaryDirectory() as folder:
        line = "from numduel.adaptors.verifiers import PositionsTaskset"
        Path(folder, "numduel_positions.py").write_text(f"{line}\n__all__ = ['PositionsTaskset']\n")
        sys.path.insert(0, folder)
        assert taskset_class("numduel-positions") is PositionsTaskset
        sys.path.remove(folder)


def _scored(task: vf.Task, reply: str) -> float:
    trace = _trace(task, reply)
    asyncio.run(task.score(trace))
    return float(trace.reward)


def _trace(task: vf.Task, reply: str) -> Trace:
    known = TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash)
    agent = vf.AgentInfo(config=vf.AgentConfig(), name="tested", trainable=False)
    trace = Trace(task=known, state=vf.State(), agent=agent)
    trace.root_reply = reply
    return trace
