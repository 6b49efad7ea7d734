"""A thinker: a process that answers questions, one line of JSON each, until its input ends.

    python -m numduel.host.thinker MEMORY SECONDS

It first says that it is ready. The operating system ends it when a question
takes longer than the seconds, and lets it have no more memory than that: this
holds although libraries in C cannot be interrupted, and when whoever started
it is gone. Only `numduel.host.thinkers` starts it.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import traceback
from contextlib import suppress
from math import ceil
from typing import Any, BinaryIO

LONGEST = 2 << 20
"""Bytes of the longest answer."""

_NO_MEMORY = "This takes more memory than one question may use. Try a smaller number."
_TOO_LONG = "The answer is too long to be given. Ask for less."
_BROKEN = "This question could not be answered. The server's log says more."


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that is printed by accident stands between answers
    for number in (signal.SIGALRM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, int(sys.argv[1]))
    _get_ready()
    _limit(resource.RLIMIT_NPROC, 0)
    _write(answers, {"ready": True})
    seconds = ceil(float(sys.argv[2])) + 1
    for line in sys.stdin.buffer:
        signal.alarm(seconds)
        reply = _reply(**json.loads(line))
        _write(answers, reply)
        signal.alarm(0)


def _limit(what: int, most: int) -> None:
    with suppress(ValueError):  # a lower limit holds already
        resource.setrlimit(what, (most, most))


def _get_ready() -> None:
    """Load what the answers need, by answering: the first question is answered quickly."""
    import flint  # noqa: F401

    from numduel.games import keys, load
    from numduel.host.questions import QUESTIONS

    for key in keys():
        with suppress(Exception):  # an installed game may be broken; the others are not
            board = f"{key}:{load(key).default_start}"
            QUESTIONS["verdict"](board)
            QUESTIONS["move"](board, "perfect", 0)


def _reply(question: str, values: dict[str, Any]) -> dict[str, Any]:
    from numduel.errors import NumduelError, Unanswerable
    from numduel.host.questions import QUESTIONS
    from numduel.wording import problem

    try:
        return {"answer": QUESTIONS[question](**values)}
    except Unanswerable as error:
        return {"problem": error.fields}
    except NumduelError as error:
        return _problem(type(error).__name__, problem(error))
    except MemoryError:
        return _problem("MemoryError", _NO_MEMORY)
    except Exception as error:
        traceback.print_exc()
        return _problem(type(error).__name__, _BROKEN)


def _problem(kind: str, message: str) -> dict[str, Any]:
    return {"problem": {"kind": kind, "message": message}}


def _write(answers: BinaryIO, reply: dict[str, Any]) -> None:
    text = json.dumps(reply).encode()
    if len(text) > LONGEST:
        text = json.dumps(_problem("TooLong", _TOO_LONG)).encode()
    answers.write(text + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
