"""Runs numduel through the real code of other people's libraries, one environment each.

`make libraries` installs every library of `table.py` at its pinned version, runs its file
here, and prints what came of it. It is no part of `make test`: torch and Ray are heavy.
"""
