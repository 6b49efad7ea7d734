"""What every request passes before the application sees it.

    guard        the one layer around the application: it asks the rest in order, and sets headers
    rates        how much one client may ask for
    origin       whether a change comes from our own pages
    body         bodies that are small, and arrive in time
    connections  clients that are silent, or do not read: their connections are ended

No address of a client is kept or logged.
"""

from numduel.web.safety.guard import Guard

__all__ = ["Guard"]
