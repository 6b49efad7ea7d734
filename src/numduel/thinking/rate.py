"""How often a client may do something; kept only in memory."""

from math import ceil

from numduel.errors import TooManyRequests

MOST_CLIENTS = 50_000
FORGET_SECONDS = 60.0


class Rate:
    """A bucket of tokens for each client: `burst` at once, `count` more in so many seconds."""

    def __init__(self, count: float, seconds: float, burst: float) -> None:
        self._step = seconds / count
        self._depth = self._step * (burst - 1)
        self._full_at: dict[bytes, float] = {}
        self._forget_at = 0.0

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, client: bytes, now: float) -> float:
        """Take one token: 0, or if there is none the seconds until there is."""
        seconds = self.wait(client, now)
        if not seconds:
            self.charge(client, 1, now)
        return seconds

    def wait(self, client: bytes, now: float) -> float:
        """The seconds until there is a token; 0 when there is one."""
        return max(0.0, self._full_at.get(client, now) - now - self._depth)

    def check(self, client: bytes, what: str, now: float) -> None:
        """Raise `TooManyRequests` while there is no token."""
        if seconds := self.wait(client, now):
            raise TooManyRequests(what=what, seconds=ceil(seconds))

    def charge(self, client: bytes, tokens: float, now: float) -> None:
        """Take tokens, even more than there are."""
        full_at = max(self._full_at.get(client, now), now)
        if len(self._full_at) >= MOST_CLIENTS or now >= self._forget_at:
            self._forget(now)
        self._full_at[client] = full_at + self._step * tokens

    def _forget(self, now: float) -> None:
        """Forget who is idle; if nobody is, a tenth of all, the longest known first."""
        self._forget_at = now + FORGET_SECONDS
        busy = {client: time for client, time in self._full_at.items() if time > now}
        for client in list(busy)[: max(0, len(busy) - MOST_CLIENTS * 9 // 10)]:
            del busy[client]
        self._full_at = busy
