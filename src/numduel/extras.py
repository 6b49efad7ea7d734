"""Extras: packages that only some parts need, and that are installed when they are wanted."""

from importlib.util import find_spec

from numduel.errors import MissingExtra

COMPILED = ("ranges", "numpy", "numba")  # for code over ranges, sequences and claims
GPU = ("gpu-cuda13", "numpy", "cupy")  # what work on a GPU needs; gpu-cuda12 is for the CUDA before


def is_installed(*packages: str) -> bool:
    return all(find_spec(package) is not None for package in packages)


def require(extra: str, *packages: str) -> None:
    """Raise `MissingExtra` for the first of these packages that is not installed."""
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtra(extra=extra, package=package)
