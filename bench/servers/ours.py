"""Our server as `numduel serve` runs it, with room for one client that sends everything."""

import sys

from numduel.web.addresses import listen
from numduel.web.serving import serve
from numduel.web.settings import Limits, Settings

PLENTY = 10**9


def main() -> None:
    """Serve the database named on the command line on a free port, and say which."""
    limits = Limits(
        rooms_per_minute=PLENTY,
        rooms_per_day=PLENTY,
        work_per_minute=PLENTY,
        thinking_per_minute=PLENTY,
        sockets_per_client=PLENTY,
        sockets_per_address=PLENTY,
    )
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        settings = Settings(sys.argv[1], limits)
        serve(settings, listening, 1, lambda: print(port, flush=True))


if __name__ == "__main__":
    main()
