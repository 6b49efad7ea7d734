"""Own rules: games that need no file, since their key says the whole rule."""

from numduel.games.own.game import OwnRule, own_rule
from numduel.games.own.text import is_rule

__all__ = ["OwnRule", "is_rule", "own_rule"]
