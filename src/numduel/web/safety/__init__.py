"""What every request passes first. No address of a client is kept or logged."""

from numduel.web.safety.guard import Guard

__all__ = ["Guard"]
