"""The `numduel` command, and `python -m numduel`."""

import sys


def main() -> None:
    """Run the command and exit: 0 done, 1 a clear failure, 2 bad usage, 130 interrupted."""
    try:
        from numduel.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
