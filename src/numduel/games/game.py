"""What a game is: a rule for making one number smaller; and a trial of one, which is a sample."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import partial
from inspect import cleandoc
from itertools import islice
from typing import Any, ClassVar, Literal, Self, cast

from numduel.arguments import check, checked
from numduel.errors import InvalidGame, InvalidSetup
from numduel.games.amounts import COUNTED, Amounts, counted

Policy = Literal["overshoot", "penalty"]  # for bad input, where a rulebook says so
_MANY = "a number has too many moves to list, and the game lacks its own"


class Fault(StrEnum):
    NOT_POSITIVE = "not-positive"
    NOT_PRIME = "not-prime"
    TOO_LARGE = "too-large"
    STARTING_TOTAL = "starting-total"
    NOT_PROPER = "not-proper"
    NOT_A_DIVISOR = "not-a-divisor"
    NOT_EVEN = "not-even"
    NOT_ODD = "not-odd"
    NOT_A_FACTOR = "not-a-factor"
    NOT_A_DIGIT = "not-a-digit"
    NOT_LEGAL = "not-legal"


class Reduction(StrEnum):
    SUBTRACT = "subtract"
    DIVIDE = "divide"


class Game:
    """A ruleset on one number. Subclasses say what differs; the rest follows from `moves`.

    A game object also holds the values of its variants: `load("divisor-duel", divisors="even")` is
    a game like any other. Games do not change. The class docstring is the game's rules in plain
    words, as `numduel rules` shows them; its first line is the summary in lists.
    """

    key: str
    title: str
    default_start: int
    least: ClassVar[int] = 0  # the smallest number that can occur in play
    reduction: ClassVar[Reduction] = Reduction.SUBTRACT
    divisors: tuple[int, ...] = ()  # what a number may be divided by, in a game that also subtracts
    factors: bool = True  # does listing the moves of a large number take its factors?
    variants: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Each variant with its values, the default first."""
    policies: ClassVar[frozenset[Policy]] = frozenset()  # those that its rulebook knows
    theory: ClassVar[str] = ""  # who wins it, as "module:name" of a `Theory`; imported when asked
    wording: ClassVar[str] = ""  # what it says on the screen, as "module:name" of a `Wording`
    lesson: ClassVar[str] = ""
    """How to learn it, as "module:name" of the steps; those of the five are found by their keys."""

    __slots__ = ("settings",)
    settings: dict[str, str]
    _made: ClassVar["dict[tuple[object, ...], Game]"] = {}

    def __new__(cls, /, **settings: str) -> Self:
        """The one object of this game with these variants: games compare by identity."""
        for name, value in settings.items():
            check(name, value, str)
            if value not in cls.variants.get(name, ()):
                known = dict(cls.variants)
                raise InvalidSetup("unknown variant", game=cls, name=name, value=value, known=known)
        chosen = {name: settings.get(name, values[0]) for name, values in cls.variants.items()}
        identity = (cls, *chosen.values())
        if identity not in cls._made:
            game = super().__new__(cls)
            game.settings = chosen
            cls._made[identity] = game
        return cast("Self", cls._made[identity])

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.settings), ()

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        return f"load({self.key!r}{settings})"

    @property
    def description(self) -> str:
        """The rules in plain words: a summary in the first line, then paragraphs."""
        return cleandoc(type(self).__doc__ or "")

    def having(self, /, **settings: str) -> Self:
        return type(self)(**{**self.settings, **settings})

    def is_start(self, n: int) -> bool:
        return n >= max(1, self.least)

    def moves(self, n: int) -> Iterator[int]:
        """The legal moves at `n`, smallest first, one at a time."""
        raise NotImplementedError

    def moves_down(self, n: int) -> Iterator[int]:
        """The same, largest first."""
        if self.count(n) is None:
            raise InvalidGame(key=self.key, problem=f"{_MANY} moves_down")
        return reversed(list(self.moves(n)))

    def count(self, n: int) -> int | None:
        """How many legal moves there are at `n`; None where counting is not cheap."""
        return counted(self.moves(n))

    def fault(self, n: int, amount: int) -> Fault | None:
        """Why it is illegal, or None. Found by listing moves; a game with many answers without."""
        for place, move in enumerate(self.moves(n)):
            if move >= amount:
                return None if move == amount else Fault.NOT_LEGAL
            if place == COUNTED:
                raise InvalidGame(key=self.key, problem=f"{_MANY} fault")
        return Fault.NOT_LEGAL

    def is_over(self, n: int) -> bool:
        return next(iter(self.moves(n)), None) is None

    def after(self, n: int, amount: int) -> "tuple[Game, int]":
        """The game and the number once the legal move `amount` is played at `n`."""
        return self, n // amount if self.reduction is Reduction.DIVIDE else n - amount

    def divides(self, n: int, amount: int) -> int | None:
        """What the legal move `amount` divides `n` by, if it is shown like that; None otherwise."""
        return amount if self.reduction is Reduction.DIVIDE else None

    def dividing(self, n: int, divisor: int) -> int | None:
        """The move that divides `n` by `divisor`, as it may be typed; None where there is none."""
        return divisor if self.reduction is Reduction.DIVIDE else None

    def overshoots(self, n: int, amount: int) -> bool:
        """Would `amount` take the number below zero, where the rulebook speaks of that?"""
        return False


class Subtraction(Game):
    """A game of which every move takes away one of certain amounts."""

    __slots__ = ()

    @property
    def takes(self) -> Amounts:
        raise NotImplementedError

    def moves(self, n: int) -> Iterator[int]:
        return self.takes.up(n)

    def moves_down(self, n: int) -> Iterator[int]:
        return self.takes.down(n)

    def count(self, n: int) -> int | None:
        return self.takes.count(n)

    def is_over(self, n: int) -> bool:
        return self.takes.none(n)


_NUMBERS = 40  # numbers from the least on that are tried, beside the usual start
_MOVES = 60


@checked
def try_out(kind: type[Game]) -> None:
    """Play the first moves of some numbers under every variant. Raises `InvalidGame`."""
    settings = [{name: value} for name, values in kind.variants.items() for value in values]
    for setting in settings or [{}]:
        game = kind(**setting)
        for problem in _problems(game):
            raise InvalidGame(key=game.key, problem=problem)


def _problems(game: Game) -> Iterator[str]:
    start, least = game.default_start, game.least
    if not (_is_number(least) and _is_number(start) and start >= least >= 0):
        yield f"its usual start {start!r} is below its least, {least!r}"
    for n in [*range(least, least + _NUMBERS), start]:
        last, moves = 0, list(islice(game.moves(n), _MOVES))
        if game.is_over(n) is not (not moves):
            yield f"at {n} it says wrongly whether a move is left"
        for amount in moves:
            if not _is_number(amount):
                yield f"at {n} its move {amount!r} is not a whole number"
            if amount <= last:
                yield f"at {n} its move {amount} follows {last}, and moves must rise"
            last = amount
            if game.fault(n, amount) is not None:
                yield f"at {n} it lists the move {amount} and calls it illegal"
            after, left = game.after(n, amount)
            if left >= n:
                raise rising(game, n, amount, left)
            if left < after.least:
                yield f"at {n} its move {amount} leaves {left}, below {after.least}"


def rising(game: Game, n: int, amount: int, left: int) -> InvalidGame:
    problem = f"at {n} its move {amount} leaves {left}, which is not smaller"
    return InvalidGame(key=game.key, problem=problem)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
