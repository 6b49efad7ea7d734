"""`numduel verify`: settle a claim over a range, and write a certificate of it."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numduel.cli.parameters import LARGE, number_option, write_output
from numduel.cli.patience import Progress
from numduel.errors import ClaimFails, FileError
from numduel.extras import COMPILED, GPU, require
from numduel.research.claims import CLAIMS, PARTS, ClaimRange

if TYPE_CHECKING:
    from numduel.research.crews import Crew

_LISTED = "\n".join(f"  {claim.name:22}  {claim.game}" for claim in CLAIMS.values())
EXAMPLES = f"""\b
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


@click.command("verify", epilog=EXAMPLES)
@click.argument("claim", type=click.Choice([*CLAIMS, *PARTS]), metavar="CLAIM")
@click.option(
    "--to", "stop", type=LARGE, required=True, metavar="N", help="Up to N (not included)."
)
@click.option("--from", "start", type=LARGE, metavar="M", help="Begin at M, not at the start.")
@number_option("--workers", "K", "Processes on this machine.", most=1024, default=1)
@click.option("--scheduler", metavar="ADDRESS", help="Use the workers of a Dask scheduler.")
@click.option("--resume", metavar="FILE", help="Keep the checkpoint in FILE, and continue from it.")
@click.option("--output", metavar="FILE", help="Write the certificate to FILE, not to stdout.")
@click.option("--block", type=LARGE, metavar="B", help="Numbers in a block.")
@click.option("--kernel", metavar="NAME", help="Another block kernel, as module:function.")
@click.option(
    "--device", type=click.Choice(["cpu", "gpu"]), default="cpu", show_default=True,
    help="Where to compute the blocks.",
)  # fmt: skip
def command(
    claim: str,
    stop: int,
    start: int | None,
    workers: int,
    scheduler: str | None,
    resume: str | None,
    output: str | None,
    block: int | None,
    kernel: str | None,
    device: str,
) -> None:
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
    from numduel.research.verify import verify

    find_kernel(plan.kernel)
    usual = Path(f"{claim}-{plan.start}-{plan.stop}.checkpoint")
    if output is not None and Path(output).exists():
        raise click.UsageError(f"{output} already exists; name another file for --output.")
    if resume is None and usual.exists():
        raise FileError(what="checkpoint", path=usual, problem="there already")
    path = Path(resume) if resume is not None else usual
    try:
        with Progress(claim, plan.stop - plan.start) as progress:
            text = verify(plan, path, _crew(workers, scheduler), progress)
    except ClaimFails as error:
        if error.proof is None:
            raise
        proof = f"{claim}-{error.number}.counterexample"
        write_output(proof, error.proof)
        raise ClaimFails("proved", claim=claim, number=error.number, path=proof) from error
    if output is None:
        click.echo(text, nl=False)
        sys.stdout.flush()
    else:
        write_output(output, text, new=True)
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


def _crew(workers: int, scheduler: str | None) -> "Crew":
    from numduel.research.crews import Alone, Cluster, Processes

    if scheduler is not None:
        return Cluster(scheduler)
    return Processes(workers) if workers > 1 else Alone()
