"""Small programs that behave and misbehave as players, written into a test's folder."""

import sys
from pathlib import Path

GOOD = """
import sys
board = ""
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "board":
        board = rest
        print("=\\n", flush=True)
    elif word == "genmove":
        number = int(board.split(":")[1].split(",")[0].split("~")[0])
        print("=", next(d for d in range(2, number) if number % d == 0), end="\\n\\n", flush=True)
    else:
        print("=\\n", flush=True)
        if word == "quit":
            break
"""
BOTS = {
    "good": GOOD,
    "hangs": "import time\ntime.sleep(60)",
    "deaf": "import sys, time\nsys.stdin.close()\ntime.sleep(60)",
    "dies": "import sys\nsys.stdin.readline()\nsys.exit(3)",
    "dies at once": "pass",
    "floods": "import sys\nwhile True: sys.stdout.write('=' * 4096)",
    "rubbish": "import sys\nfor line in sys.stdin: print('hello', flush=True)",
    "binary": "import sys\nfor line in sys.stdin: sys.stdout.buffer.write(bytes(range(256)) * 9);"
    "sys.stdout.flush()",
    "refuses": "import sys\nfor line in sys.stdin: print('? no\\n', flush=True)",
    "illegal": "import sys\nfor line in sys.stdin: print('= 7\\n', flush=True)",
    "words": "import sys\nfor line in sys.stdin: print('= seven\\n', flush=True)",
    "several lines": "import sys\nfor line in sys.stdin: print('= 2\\n3\\n', flush=True)",
    "silent stderr": GOOD.replace("import sys", "import sys\nsys.stderr.write('x' * 10**6)", 1),
}


def bot(folder: Path, name: str, before: str = "", after: str = "") -> str:
    """The word for the bot of this name, with more to do before and after."""
    path = folder / f"{name.replace(' ', '_')}.py"
    path.write_text(before + BOTS[name] + after, encoding="utf-8")
    return f"engine:{sys.executable} {path}"
