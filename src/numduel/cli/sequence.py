"""`numduel sequence`: the sequences of a game, as files that others read."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numduel.cli.parameters import GAME_OR_MORE, LARGE, number_option, open_output, usage
from numduel.errors import FileError
from numduel.extras import COMPILED, require

if TYPE_CHECKING:
    from numduel.research.sequences import Source

KINDS = ("grundy", "P", "N", "misere-P", "first", "count")
FORMATS = ("bfile", "csv", "jsonl", "npy")
USUAL_TERMS = 100
FIRST_TO = 10**7
"""First numbers of a value are looked for up to here, unless --to says otherwise."""

EXAMPLES = """\b
Examples:
  numduel sequence subtract-a-prime --kind P --terms 10000 > b025043.txt
  numduel sequence subtract-a-prime --kind P --check b025043.txt
  numduel sequence divisor-duel --kind grundy --from 10^9 --to 10^9+99
"""


@click.command("sequence", epilog=EXAMPLES)
@click.argument("game", type=GAME_OR_MORE)
@click.option(
    "--kind", type=click.Choice(KINDS), default="grundy", show_default=True, help="Which sequence."
)
@click.option("--from", "start", type=LARGE, metavar="A", help="Begin at the number A.")
@click.option("--to", "stop", type=LARGE, metavar="B", help="End at the number B (included).")
@number_option("--terms", "K", "End after K terms.")
@number_option("--numbers", "K", "For count: the numbers on a board.", most=64, default=1)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="bfile", show_default=True,
    help="The format of the terms.",
)  # fmt: skip
@click.option("--output", metavar="FILE", help="Write to FILE, not to stdout.")
@click.option("--check", "path", metavar="FILE", help="Compare with the b-file FILE.")
def command(
    game: str,
    kind: str,
    start: int | None,
    stop: int | None,
    terms: int | None,
    numbers: int,
    form: str,
    output: str | None,
    path: str | None,
) -> None:
    """Print a sequence of GAME, one term per line, or compare it with a file.

    GAME is a game's key, perhaps with variants (divisor-duel,divisors=even).
    Kinds: grundy (values), P and N (lost and won numbers), misere-P (lost
    under misère), first (first number of each value) and count (lost boards
    of K numbers up to n).
    """
    require(*COMPILED)
    from numduel.research.sequences import find_source

    with usage():
        source = find_source(game.lower())
    if kind == "first" and stop is None:
        stop = FIRST_TO
    if path is not None:
        _check(source, kind, stop, numbers, path)
        return
    if stop is None and terms is None:
        terms = USUAL_TERMS
    if output is not None and Path(output).exists():
        raise click.UsageError(f"{output} already exists; name another file for --output.")
    from numduel.research.sequences import cut

    found = cut(source, kind, start, stop, terms, numbers)
    first = source.first if start is None else start
    many = terms
    if stop is not None and kind in ("grundy", "count"):
        whole = stop + 1 - first
        many = whole if many is None else min(many, whole)
    _write(found, form, output, many)


def _write(
    found: Iterator[tuple[int, list[int]]], form: str, output: str | None, many: int | None
) -> None:
    from numduel.research.sequences import write_npy, write_text

    # The first piece is asked for before anything is written, so that bad input leaves no file.
    piece = next(found, (0, []))
    rest = chain([piece], found)
    if form == "npy" and output is None and many is None:
        raise click.UsageError("npy of an unknown length needs --output or --terms.")
    with open_output(output) if output else nullcontext(sys.stdout.buffer) as out:
        if form == "npy":
            write_npy(rest, out, None if output is not None else many)
        else:
            write_text(rest, form, out)


def _check(source: "Source", kind: str, stop: int | None, numbers: int, path: str) -> None:
    from numduel.research.sequences import first_difference, pieces, read_bfile

    try:
        with click.open_file(path, "rb") as file:
            theirs = read_bfile(path, file)
            index, term = next(theirs)
            start = max(index, source.first) if kind in ("grundy", "count") else None
            ours = pieces(source, kind, start, stop, numbers)
            agree, difference = first_difference(ours, chain([(index, term)], theirs))
    except OSError as error:
        raise FileError(path=path, line=1, problem="read") from error
    if difference is None:
        click.echo(f"All {agree:,} terms agree, from n = {index} on.")
        return
    at, our, their = difference
    here = "no term" if our is None else our
    raise click.ClickException(f"The first difference is at n = {at}: {here} here, {their} there.")
