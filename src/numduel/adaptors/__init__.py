"""numduel in the interfaces that others use: one module for each, and each needs its extra.

    open_spiel   OpenSpiel games                        numduel[openspiel]
    pettingzoo   PettingZoo environments (AEC)          numduel[pettingzoo]
    gymnasium    Gymnasium environments, one agent      numduel[gymnasium]
    vector       thousands of boards stepped at once    numduel[ranges]
    mcp          a Model Context Protocol server        numduel[mcp]
    inspect      inspect-ai tasks for language models   numduel[inspect]
    language     prompts and answers                    nothing more
    engine       a line protocol for programs           nothing more

How moves become actions is told in `numduel.adaptors.duel`.
"""

from __future__ import annotations

from importlib.util import find_spec

from numduel.errors import MissingExtra


def require(extra: str, *packages: str) -> None:
    """Raise `MissingExtra` for the first of these packages that is not installed."""
    for package in packages:
        if find_spec(package) is None:
            raise MissingExtra(extra=extra, package=package)
