"""numduel, the home of number duels: two players, one number, a rule for making it smaller.

The public names are in `__all__` of this module and of those below, with every class of
`numduel.errors`; anything else may change without notice. docs/build.md shows them at work.

    games                             the rules: load a game, or write one
    theory, wording, study.lessons    what else a game may bring
    players, arena                    who chooses moves, and tournaments between them
    players.language                  matches in words, for whoever calls a model
    arena.regret                      what a policy gives away against perfect play
    arena.exam                        questions about positions, and their scores
    match                             matches, records and notation
    study.positions                   positions with their answers, to ask anybody
    study.maps, drawing               maps and graphs of a game, and their pictures
    ranges                            whole ranges of numbers
    adaptors and its modules          numduel in the interfaces of others
"""

from typing import TYPE_CHECKING, Any

from numduel.errors import NumduelError

__version__ = "0.1.0"
__all__ = ["Board", "Move", "NumduelError", "Verdict", "__version__", "load", "regret", "solve"]

if TYPE_CHECKING:
    from numduel.arena.regret import regret
    from numduel.board import Board, Move
    from numduel.games import load
    from numduel.solver import Verdict, solve

_HOMES = {
    "Board": "board",
    "Move": "board",
    "Verdict": "solver",
    "load": "games",
    "regret": "arena.regret",
    "solve": "solver",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import numduel` stays light."""
    if name not in _HOMES:
        raise AttributeError(f"module 'numduel' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"numduel.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
