"""Who meets whom: at random, winners with winners, by hand, or the same again."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from numduel.errors import NotAllowed

PAIRINGS = ("random", "winners", "hand", "same")


class Pair(NamedTuple):
    """Two pupils, or one and a computer; `first` is the seat that begins."""

    pupils: tuple[int, int | None]
    first: int = 0


class Past(NamedTuple):
    pairs: Sequence[Pair] = ()
    """Who met whom, and who began: two pupils in their first match, a lone one in the last."""
    won: Mapping[int, bool] = {}  # of those who have finished: have they won?
    alone: Mapping[int, int] = {}  # how often each has met the computer in place of a pupil


def alone(numbers: Sequence[int], again: int = 0) -> list[Pair]:
    """Everybody meets the computer. All begin, whomever they met before: who is second against
    a perfect player may have no chance. Where the round is played `again`, the computer begins.
    """
    return [Pair((number, None), again % 2) for number in numbers]


def paired(
    numbers: Sequence[int],
    pairing: str,
    by_hand: Sequence[tuple[int, int | None]],
    past: Past,
    random: Random,
) -> list[Pair]:
    """Pairs of all the pupils; the odd one out, whoever that was least often, meets the computer.
    By hand, the computer may be anybody's. Who is in no pair by hand, or has lost a partner, is
    paired at random.
    """
    check_by_hand(numbers, by_hand)
    there = set(numbers)
    if pairing == "hand":
        fixed = [Pair(pair) for pair in by_hand]
    elif pairing == "same":
        fixed = [Pair(one.pupils, 1 - one.first) for one in past.pairs if there >= {*one.pupils}]
    else:
        fixed = []
    left = [number for number in numbers if not any(number in pair.pupils for pair in fixed)]
    random.shuffle(left)
    lone: list[Pair] = []
    if len(left) % 2:
        odd = min(left, key=lambda number: past.alone.get(number, 0))
        left.remove(odd)
        began = {pair.pupils: pair.first for pair in past.pairs}.get((odd, None), 1)
        lone = [Pair((odd, None), 1 - began if pairing == "same" else 0)]
    if pairing == "winners":
        left.sort(key=lambda number: _RANKS[past.won.get(number)])
    return [*fixed, *(Pair(two) for two in zip(left[::2], left[1::2], strict=True)), *lone]


_RANKS = {True: 0, None: 1, False: 2}


def check_by_hand(numbers: Sequence[int], pairs: Sequence[tuple[int, int | None]]) -> None:
    """Raise `NotAllowed` for pairs of who is not there, or is in two."""
    listed = [number for pair in pairs for number in pair if number is not None]
    for number in listed:
        if number not in numbers:
            raise NotAllowed(problem="no such pupil", number=number)
    if len(set(listed)) != len(listed):
        raise NotAllowed(problem="paired twice")
