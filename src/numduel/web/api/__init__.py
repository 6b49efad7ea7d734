"""The API for programs: the same actions as the pages, as JSON."""
