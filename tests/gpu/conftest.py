"""The device that the kernels run on: emulated on a CPU, and a GPU where there is one."""

from collections.abc import Iterator

import pytest

from gpu.emulated import COMPILER, Emulated
from numduel.errors import RunFailed
from numduel.gpu.cuda import Cuda
from numduel.gpu.sieve import Device
from numduel.gpu.values import FIRST
from numduel.research import claims, gpu_blocks


def devices() -> list[str]:
    """A GPU counts where there is one: elsewhere nothing is left out, since none is meant."""
    try:
        Cuda()
    except RunFailed:
        return ["emulated"]
    return ["emulated", "gpu"]


@pytest.fixture(scope="module", params=devices())
def device(request: pytest.FixtureRequest) -> Device:
    if request.param == "gpu":
        return Cuda()
    if COMPILER is None:
        pytest.skip("there is no g++ here to compile the kernels with")
    return Emulated()


@pytest.fixture(scope="module")
def emulated() -> Iterator[None]:
    """The kernels of a run go to an emulated GPU, and parts are short."""
    if COMPILER is None:
        pytest.skip("there is no g++ here to compile the kernels with")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gpu_blocks, "Cuda", Emulated)
        patch.setattr(gpu_blocks, "_workers", {})
        patch.setattr(claims, "PART", 10_000)
        patch.setattr("numduel.research.low_values.FARTHER", FIRST)
        yield
