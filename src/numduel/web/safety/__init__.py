"""What every request passes before the application sees it. No client's address is kept."""

from numduel.web.safety.guard import Guard

__all__ = ["Guard"]
