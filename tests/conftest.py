"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# Machines are noisy: a slow example is no failure, a hanging one meets pytest's own timeout.
settings.register_profile("numduel", deadline=None)
settings.load_profile("numduel")
