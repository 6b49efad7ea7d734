"""`numduel sequence`: a game's sequences, as files; `numduel verify`: a claim over a range."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numduel.cli import options, patience
from numduel.errors import ClaimFails, FileError
from numduel.extras import COMPILED, GPU, require
from numduel.research.claims import CLAIMS, PARTS, ClaimRange

if TYPE_CHECKING:
    from numduel.research.crews import Crew
    from numduel.research.sequences import Source

KINDS = ("grundy", "P", "N", "misere-P", "first", "count")
USUAL_TERMS = 100
FIRST_TO = 10**7  # first numbers of a value are looked for up to here, unless --to says otherwise
SEQUENCES = """\b
Examples:
  numduel sequence subtract-a-prime --kind P --terms 10000 > b025043.txt
  numduel sequence subtract-a-prime --kind P --check b025043.txt
  numduel sequence divisor-duel --kind grundy --from 10^9 --to 10^9+99
"""
_LISTED = "\n".join(f"  {claim.name:22}  {claim.game}" for claim in CLAIMS.values())
RUNS = f"""\b
Claims:
{_LISTED}
Parts of values: {", ".join(PARTS)}

\b
Examples:
  numduel verify even-losses --to 10^9
  numduel verify values --to 10^11 --workers 2 --resume run.checkpoint
  numduel verify even-losses --from 10^12 --to 10^12+10^10 --output proof.json
  numduel verify even-losses --from 10^12 --to 10^14 --device gpu
"""


@click.command("sequence", epilog=SEQUENCES)
@click.argument("game", type=options.GAME_OR_MORE)
@options.choice("--kind", KINDS, "Which sequence.", default="grundy")
@options.text("--from", "A", "Begin at the number A.", "start", type=options.LARGE)
@options.text("--to", "B", "End at the number B (included).", "stop", type=options.LARGE)
@options.number("--terms", "K", "End after K terms.")
@options.number("--numbers", "K", "For count: the numbers on a board.", most=64, default=1)
@options.choice(
    "--format", ["bfile", "csv", "jsonl", "npy"], "The format of the terms.", "form",
    default="bfile",
)  # fmt: skip
@options.text("--output", "FILE", "Write to FILE, not to stdout.")
@options.text("--check", "FILE", "Compare with the b-file FILE.", "path")
def sequence(
    game: str, kind: str, start: int | None, stop: int | None, terms: int | None, numbers: int,
    form: str, output: str | None, path: str | None,
) -> None:  # fmt: skip
    """Print a sequence of GAME, one term per line, or compare it with a file.

    GAME is a game's key, perhaps with variants (divisor-duel,divisors=even).
    Kinds: grundy (values), P and N (lost and won numbers), misere-P (lost
    under misère), first (first number of each value) and count (lost boards
    of K numbers up to n).
    """
    require(*COMPILED)
    from numduel.research.sequences import cut, find_source

    with options.usage():
        source = find_source(game.lower())
    if kind == "first" and stop is None:
        stop = FIRST_TO
    if path is not None:
        _check(source, kind, stop, numbers, path)
        return
    if stop is None and terms is None:
        terms = USUAL_TERMS
    _refuse_to_overwrite(output)
    found = cut(source, kind, start, stop, terms, numbers)
    many = terms
    if stop is not None and kind in ("grundy", "count"):
        whole = stop + 1 - (source.first if start is None else start)
        many = whole if many is None else min(many, whole)
    _write(found, form, output, many)


def _refuse_to_overwrite(output: str | None) -> None:
    if output is not None and Path(output).exists():
        raise click.UsageError(f"{output} already exists; name another file for --output.")


def _write(
    found: Iterator[tuple[int, list[int]]], form: str, output: str | None, many: int | None
) -> None:
    from numduel.research.sequences import write_npy, write_text

    # The first piece is asked for before anything is written, so that bad input leaves no file.
    rest = chain([next(found, (0, []))], found)
    if form == "npy" and output is None and many is None:
        raise click.UsageError("npy of an unknown length needs --output or --terms.")
    with options.open_output(output) if output else nullcontext(sys.stdout.buffer) as out:
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


@click.command("verify", epilog=RUNS)
@click.argument("claim", type=click.Choice([*CLAIMS, *PARTS]), metavar="CLAIM")
@options.text("--to", "N", "Up to N (not included).", "stop", type=options.LARGE, required=True)
@options.text("--from", "M", "Begin at M, not at the start.", "start", type=options.LARGE)
@options.number("--workers", "K", "Processes on this machine.", most=1024, default=1)
@options.text("--scheduler", "ADDRESS", "Use the workers of a Dask scheduler.")
@options.text("--resume", "FILE", "Keep the checkpoint in FILE, and continue from it.")
@options.text("--output", "FILE", "Write the certificate to FILE, not to stdout.")
@options.text("--block", "B", "Numbers in a block.", type=options.LARGE)
@options.text("--kernel", "NAME", "Another block kernel, as module:function.")
@options.choice("--device", ["cpu", "gpu"], "Where to compute the blocks.", default="cpu")
def verify(
    claim: str, stop: int, start: int | None, workers: int, scheduler: str | None,
    resume: str | None, output: str | None, block: int | None, kernel: str | None, device: str,
) -> None:  # fmt: skip
    """Verify CLAIM for every number from M to N, block by block.

    Finished blocks are kept in a checkpoint; a run that was stopped continues
    from there with --resume. The result is a certificate, as JSON; numduel
    check recomputes parts of it.
    """
    if scheduler is not None and workers > 1:
        raise click.UsageError("Leave out --workers: a scheduler has its own.")
    if device == "gpu" and kernel is not None:
        raise click.UsageError("Leave out --device or --kernel: a GPU has its own kernel.")
    if device == "gpu" and workers > 1:
        raise click.UsageError("A GPU needs no --workers. For several, use --scheduler.")
    plan = ClaimRange.of(claim, start, stop, block, kernel or "", device)
    _require(device, scheduler)
    from numduel.research.crews import find_kernel
    from numduel.research.verify import verify as settle

    find_kernel(plan.kernel)
    usual = Path(f"{claim}-{plan.start}-{plan.stop}.checkpoint")
    _refuse_to_overwrite(output)
    if resume is None and usual.exists():
        raise FileError(what="checkpoint", path=usual, problem="there already")
    try:
        with patience.Progress(claim, plan.stop - plan.start) as progress:
            path = usual if resume is None else Path(resume)
            text = settle(plan, path, _crew(workers, scheduler), progress)
    except ClaimFails as error:
        if error.proof is None:
            raise
        proof = f"{claim}-{error.number}.counterexample"
        options.write_output(proof, error.proof)
        raise ClaimFails("proved", claim=claim, number=error.number, path=proof) from error
    if output is None:
        click.echo(text, nl=False)
        sys.stdout.flush()
    else:
        options.write_output(output, text, new=True)
        click.echo(f"{claim} holds for {plan.start} <= n < {plan.stop}. Certificate: {output}")
    if resume is None:
        usual.unlink()


def _require(device: str, scheduler: str | None) -> None:
    """Raise what is missing for a run on this device, before anything is written."""
    if device == "cpu":
        require(*COMPILED)
    elif scheduler is not None:
        require(GPU[0], "numpy")
    else:
        require(*GPU)
        from numduel.gpu.cuda import Cuda

        Cuda()
    if scheduler is not None:
        require("research", "distributed")


def _crew(workers: int, scheduler: str | None) -> "Crew":
    from numduel.research import crews

    if scheduler is not None:
        return partial(crews.cluster, scheduler)
    return partial(crews.processes, workers) if workers > 1 else crews.alone
