"""Play: the first page, rooms, and how a match ends."""
