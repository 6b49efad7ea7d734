"""A GPU by CuPy, as the device of a machine."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy.typing as npt

from numduel.errors import RunFailed
from numduel.gpu.sieve import SPARE, Shape

STREAMS: Final = {"prepare": -5, "sieve": -4, "play": 0}
"""With their priorities: the sieve runs a step ahead of the game, and both share the GPU."""
ALONE: Final = {"values"}
"""Kernels that want the cache rather than to share a multiprocessor with others."""
LEAST: Final = 80
"""Compute capability 8.0: sums over a warp in one instruction."""


class Cuda:
    """The first GPU that CUDA shows this process. Raises `RunFailed`."""

    slots = 3

    def __init__(self) -> None:
        try:
            import cupy

            device = cupy.cuda.Device(0)
            device.use()
            found = device.attributes
        except ImportError as error:
            raise RunFailed(problem="import", cause=str(error)) from error
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise RunFailed(problem="none") from error
        runtime = cupy.cuda.runtime
        self.name = str(runtime.getDeviceProperties(device.id)["name"].decode())
        if int(device.compute_capability) < LEAST:
            raise RunFailed(problem="old", name=self.name)
        try:
            self.driver = Path("/sys/module/nvidia/version").read_text().strip()
        except OSError:  # where the system does not tell, that of its CUDA
            self.driver = f"CUDA {runtime.driverGetVersion()}"
        self.version = str(cupy.__version__)
        self.multiprocessors = int(found["MultiProcessorCount"])
        words = (int(found["MaxSharedMemoryPerBlockOptin"]) // 4 - SPARE) // 1024 * 1024
        self.shape = replace(Shape(), words=min(Shape().words, words))
        """Segments as long as the shared memory lets them be."""
        self._cupy, self._device = cupy, device
        self._streams = {
            name: cupy.cuda.Stream(non_blocking=True, priority=priority)
            for name, priority in STREAMS.items()
        }
        self._played: dict[int, Any] = {}
        self._modules: dict[str, Any] = {}
        self._kernels: dict[tuple[int, str], Any] = {}

    def module(self, code: str) -> Any:
        """Compile the source, once; modules stay, so that kernels can be known by theirs."""
        if code not in self._modules:
            options = ("-std=c++17",)
            self._modules[code] = self._cupy.RawModule(code=code, options=options, backend="nvrtc")
        return self._modules[code]

    def array(self, data: npt.NDArray[Any]) -> Any:
        return self._cupy.asarray(data)

    def clear(self, array: Any) -> None:
        array.fill(0)

    def get(self, array: Any) -> npt.NDArray[Any]:
        copy: npt.NDArray[Any] = array.get()
        return copy

    def wait(self) -> None:
        self._device.synchronize()

    def launch(
        self, module: Any, name: str, grid: int, block: int, shared: int, stream: str, *args: Any
    ) -> None:
        key = id(module), name
        if key not in self._kernels:
            kernel = module.get_function(name)
            if shared > 48_000:
                kernel.max_dynamic_shared_size_bytes = shared
            # Else a kernel with little shared memory might not share a multiprocessor.
            kernel.preferred_shared_memory_carveout = 0 if name in ALONE else 100
            self._kernels[key] = kernel
        self._kernels[key]((grid,), (block,), args, shared_mem=shared, stream=self._streams[stream])

    def begin(self, slot: int) -> None:
        """Let a step wait until the last one in its slot was played."""
        if slot in self._played:
            self._streams["prepare"].wait_event(self._played[slot])

    def follow(self, stream: str, after: str) -> None:
        """Let a stream wait for what the other has so far."""
        self._streams[stream].wait_event(self._streams[after].record())

    def end(self, slot: int) -> None:
        """Mark the end of a step."""
        self._played[slot] = self._streams["play"].record()
