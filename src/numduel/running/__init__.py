"""Running a match: players are asked, the referee is fed, events are announced, records kept."""

from numduel.running.keeper import Keeper, RecordFile
from numduel.running.runner import Runner, ask

__all__ = ["Keeper", "RecordFile", "Runner", "ask"]
