"""Subtract a Prime on a GPU: every number of a range settled, far faster than by a CPU.

`sieve` drives the kernels for primes, `machine` those for outcomes, `values` those for values, and
`cuda` runs them on a GPU. The files `.cu` are CUDA C++; tests run the same source on a CPU.
Explained in docs/ALGORITHMS.md. Needs numpy, and CuPy where there is a GPU: the extra
`gpu-cuda12` or `gpu-cuda13`. Never numba.
"""
