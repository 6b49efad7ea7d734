"""Thinkers that are killed while they work."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from numduel.thinking.thinker_process import ThinkerProcess


def kill_while_thinking(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Kill so many processes just after a question was handed to them; their numbers."""
    killed: list[int] = []
    ask = ThinkerProcess.ask

    async def ask_and_kill(self: ThinkerProcess, request: bytes, seconds: float) -> bytes:
        if len(killed) >= times:
            return await ask(self, request, seconds)
        killed.append(self.number)
        os.kill(self.number, signal.SIGSTOP)  # so that it cannot have answered before
        asking = asyncio.create_task(ask(self, request, seconds))
        await asyncio.sleep(0)
        os.kill(self.number, signal.SIGKILL)
        return await asking

    monkeypatch.setattr(ThinkerProcess, "ask", ask_and_kill)
    return killed
