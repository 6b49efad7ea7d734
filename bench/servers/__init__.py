"""Servers to measure, and clients that load them."""
