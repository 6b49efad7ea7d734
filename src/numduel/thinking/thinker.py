"""A thinker: a process that answers questions, one line of JSON each, until its input ends.

    python -m numduel.thinking.thinker MEMORY SECONDS

It first says that it is ready. A reply holds "answer", or "problem" with what stands in its way,
or "broken" where the process should not be asked again. The operating system bounds its memory
and time: libraries in C cannot be interrupted, and whoever started it may be gone.
"""

import json
import os
import resource
import signal
import sys
import traceback
from contextlib import suppress
from math import ceil
from typing import Any, BinaryIO

LONGEST = 2 << 20  # bytes of the longest answer


def _problem(kind: str, message: str, field: str = "problem") -> bytes:
    return json.dumps({field: {"kind": kind, "message": message}}).encode()


_TOO_LONG = _problem("TooLong", "The answer is too long to be given. Ask for less.")
_MEMORY = "This takes more memory than one question may use. Try a smaller number."
_NO_MEMORY = _problem("MemoryError", _MEMORY, "broken")  # made ahead: later there may be no memory
_LOGGED = "This question could not be answered. The server's log says more."


def main() -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that nothing that is printed by accident stands between answers
    for number in (signal.SIGALRM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, int(sys.argv[1]))
    _get_ready()
    _limit(resource.RLIMIT_NPROC, 0)
    with suppress(BrokenPipeError):  # nobody listens any more
        _write(answers, b"ready")
        for line in sys.stdin.buffer:
            signal.alarm(ceil(float(sys.argv[2])) + 1)
            _write(answers, _reply(line))
            signal.alarm(0)


def _limit(what: int, most: int) -> None:
    with suppress(ValueError):  # a lower limit holds already
        resource.setrlimit(what, (most, most))


def _get_ready() -> None:
    """Load what the answers need, by answering: the first question is answered quickly."""
    import flint  # noqa: F401

    from numduel.games import keys, load
    from numduel.thinking.questions import QUESTIONS
    from numduel.wording.text import DIVISION

    DIVISION.set("÷")  # as the server's own pages write it
    for key in keys():
        with suppress(Exception):  # an installed game may be broken; the others are not
            board = f"{key}:{load(key).default_start}"
            QUESTIONS["verdict"](board)
            QUESTIONS["move"](board, "perfect", 0)


def _reply(line: bytes) -> bytes:
    from numduel.errors import NumduelError
    from numduel.thinking.questions import QUESTIONS
    from numduel.wording import problem

    try:
        asked: dict[str, Any] = json.loads(line)
        try:
            answer = QUESTIONS[asked["question"]](**asked["values"])
        except NumduelError as error:
            return _problem(error.word, problem(error))
        reply = json.dumps({"answer": answer}).encode()
        return reply if len(reply) <= LONGEST else _TOO_LONG
    except (MemoryError, SystemError):  # Python raises either when memory runs out
        return _NO_MEMORY
    except Exception:
        traceback.print_exc()
        return _problem("Broken", _LOGGED, "broken")


def _write(answers: BinaryIO, line: bytes) -> None:
    answers.write(line + b"\n")
    answers.flush()


if __name__ == "__main__":
    main()
