"""Who does the work: this process, worker processes of this machine, or a Dask cluster.

A crew takes blocks and gives rows back in any order. It never has more than a few blocks
under way, so that little is lost when the run is stopped.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final

from numduel.errors import RunFailed
from numduel.extras import require
from numduel.research.blocks import Row, run_block

Blocks = Iterator[tuple[int, int]]
SECONDS: Final = 10
"""How long a scheduler may take to answer, and to have a worker."""


class Alone:
    """The process itself, one block after the other."""

    def work(self, kernel: str, blocks: Blocks) -> Iterator[Row]:
        """The rows, in order."""
        for start, stop in blocks:
            yield run_block(kernel, start, stop)


class Processes:
    """Worker processes of this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def work(self, kernel: str, blocks: Blocks) -> Iterator[Row]:
        """The rows as they come. Raises `RunFailed` when a worker is killed."""
        pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        try:
            waiting: set[Future[Row]] = {
                pool.submit(run_block, kernel, *block) for block in islice(blocks, self._workers)
            }
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for block in islice(blocks, len(done)):
                    waiting.add(pool.submit(run_block, kernel, *block))
                for future in done:
                    yield future.result()
        except BrokenProcessPool:
            raise RunFailed("worker lost") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """The workers of a Dask scheduler, by its address. Dask replaces lost workers."""

    def __init__(self, address: str) -> None:
        require("research", "distributed")
        self._address = address

    def work(self, kernel: str, blocks: Blocks) -> Iterator[Row]:
        """The rows as they come. Raises `RunFailed` when the cluster cannot be used."""
        from distributed import Client, as_completed

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            client = self._connect(Client)
            try:
                submit = partial(client.submit, run_block, kernel, pure=False, retries=3)
                slots = max(1, sum(client.nthreads().values()))
                # Two a thread: one under way, one at hand when it is done.
                under_way: Any = as_completed(
                    [submit(*block) for block in islice(blocks, 2 * slots)], loop=client.loop
                )
                for future in under_way:
                    row: Row = future.result()
                    for block in islice(blocks, 1):
                        under_way.add(submit(*block))
                    yield row
            except (OSError, TimeoutError, RuntimeError) as error:
                raise RunFailed(address=self._address, problem="lost", cause=str(error)) from error
            finally:
                with suppress(Exception):
                    client.close(timeout=SECONDS)

    def _connect(self, kind: Any) -> Any:
        # Made before it connects: what fails half way has to be closed here. Left to the
        # collection of garbage it may stop its loop while another client starts one, and
        # both wait for one lock for ever.
        client = kind.__new__(kind)
        found = "no answer"
        try:
            client.__init__(self._address, timeout=SECONDS, set_as_default=False)
            found = "no workers"
            client.wait_for_workers(1, timeout=SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            with suppress(Exception):
                client.close(timeout=1)
            raise RunFailed(address=self._address, problem=found) from error
        return client


Crew = Alone | Processes | Cluster
