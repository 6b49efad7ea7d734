"""Running a match: players are asked, the referee is fed, events are announced, records kept."""

from numduel.host.asking import Answer, ask
from numduel.host.keeper import Keeper
from numduel.host.match_host import Host
from numduel.host.record_file import RecordFile

__all__ = ["Answer", "Host", "Keeper", "RecordFile", "ask"]
