"""What every request passes first. No address of a client is kept or logged."""
