"""Who does the work: this process, worker processes of this machine, or a Dask cluster.

A crew takes blocks and gives rows back in any order. It never has more than a few blocks
under way, so that little is lost when the run is stopped.

All it knows of a block kernel is its name, `module:function`. The function takes start and stop
and gives a row that depends on them alone, or raises `ClaimFails` at a number that breaks the
claim. It is imported when a block needs it: where a GPU does the work there may be no numba.
"""

import warnings
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, cast

from numduel.errors import InvalidRange, RunFailed
from numduel.research.claims import Row

Blocks = Iterator[tuple[int, int]]
Crew = Callable[[str, Blocks], Iterator[Row]]
SECONDS: Final = 10
"""How long a scheduler may take to answer, and to have a worker."""


def find_kernel(name: str) -> Callable[[int, int], Row]:
    module, _, function = name.partition(":")
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError, TypeError):
        found = None
    if not callable(found):
        raise InvalidRange("kernel", name=name)
    return cast("Callable[[int, int], Row]", found)


def run_block(kernel: str, start: int, stop: int) -> Row:
    """One block's row, with its range; what a worker is asked to do, wherever it is."""
    return {"from": start, "to": stop, **find_kernel(kernel)(start, stop)}


def alone(kernel: str, blocks: Blocks) -> Iterator[Row]:
    """The rows in order, by this process, one block after the other."""
    for start, stop in blocks:
        yield run_block(kernel, start, stop)


def processes(workers: int, kernel: str, blocks: Blocks) -> Iterator[Row]:
    """The rows as they come, by processes of this machine. `RunFailed` when one is killed."""
    pool = futures.ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        yield from _rows(pool, kernel, blocks, workers)
    except BrokenProcessPool:
        raise RunFailed("worker lost") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _rows(pool: futures.Executor, kernel: str, blocks: Blocks, ahead: int) -> Iterator[Row]:
    """The rows as they come; so many blocks are handed out at a time."""
    waiting: set[futures.Future[Row]] = set()
    while True:
        waiting |= {pool.submit(run_block, kernel, *block) for block in islice(blocks, ahead)}
        if not waiting:
            return
        done, waiting = futures.wait(waiting, return_when=futures.FIRST_COMPLETED)
        ahead = len(done)
        yield from (future.result() for future in done)


def cluster(address: str, kernel: str, blocks: Blocks) -> Iterator[Row]:
    """The rows as they come, by the workers of the Dask scheduler there, which replaces lost ones.

    Raises `RunFailed` when the cluster cannot be used.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        client = _connect(address)
        try:
            pool = client.get_executor(pure=False, retries=3)
            # Two a thread: one under way, one at hand when it is done.
            yield from _rows(pool, kernel, blocks, 2 * sum(client.nthreads().values()) or 2)
        except (OSError, TimeoutError, RuntimeError, futures.CancelledError) as error:
            raise RunFailed(address=address, problem="lost", cause=str(error)) from error
        finally:
            with suppress(Exception):
                client.close(timeout=SECONDS)


def _connect(address: str) -> Any:
    from distributed import Client

    # Made before it connects: what fails half way has to be closed here. Left to the collection of
    # garbage it may stop its loop while another client starts one, and both wait for one lock for
    # ever.
    client: Any = Client.__new__(Client)
    found = "no answer"
    try:
        client.__init__(address, timeout=SECONDS, set_as_default=False)
        found = "no workers"
        client.wait_for_workers(1, timeout=SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        with suppress(Exception):
            client.close(timeout=1)
        raise RunFailed(address=address, problem=found) from error
    return client
