"""Install and run the libraries, all or those that are named; print what came of it."""

import subprocess
import sys
import time
import venv
from pathlib import Path

from libraries.table import LIBRARIES, Library

PLACE = Path(".libraries")
"""One environment a library; kept between runs."""


def installed(library: Library) -> Path:
    """The interpreter that has the library, installed if it was not."""
    place = PLACE / library.name
    python, done = place / "bin" / "python", place / "pins"
    if not done.exists() or done.read_text() != "\n".join(library.pins):
        venv.create(place, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        # The heaviest first: what is there already is not looked for in another build.
        for pin in sorted(library.pins, key=lambda pin: not pin.startswith("torch==")):
            subprocess.run([*pip, pin], check=True)
        subprocess.run([*pip, *library.pins, "--editable", f".[{library.extra}]"], check=True)
        done.write_text("\n".join(library.pins))
    return python


def tried(library: Library) -> tuple[bool, str]:
    """Did it run, and what it ran or the last line that it printed."""
    program = f"import {library.module} as run; print(run.main())"
    done = subprocess.run(
        [installed(library), "-c", program], capture_output=True, text=True, check=False
    )
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return done.returncode == 0, lines[-1] if lines else "nothing was printed"


def main(names: list[str]) -> int:
    """The table, as docs/build.md has it; 1 where a library fails."""
    failed = False
    unknown = set(names) - {library.name for library in LIBRARIES}
    if unknown:
        known = ", ".join(library.name for library in LIBRARIES)
        sys.exit(f"There is no library {', '.join(sorted(unknown))} here. There is {known}.")
    print("| Library | Version | What is run | Result |\n|---|---|---|---|")
    for library in LIBRARIES:
        if names and library.name not in names:
            continue
        began = time.monotonic()
        works, said = tried(library)
        failed |= not works
        print(f"| {library.name} | {library.version} | {said} | {'works' if works else 'FAILS'} |",
              flush=True)  # fmt: skip
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
