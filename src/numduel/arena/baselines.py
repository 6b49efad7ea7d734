"""Built-in players in a model's place: the same boards, the same built-in opponents."""

from __future__ import annotations

from dataclasses import replace

from numduel.arena.plan import Plan
from numduel.arena.standings import Standing, standings_of
from numduel.arena.tournament import Lineup, check_players
from numduel.errors import InvalidSetup, TooLarge
from numduel.players import COMPUTERS, LADDER, Limits

BASELINES = ("random", "largest", *LADDER, "perfect")


def baselines_of(plan: Plan) -> list[Standing]:
    """The figures of each baseline that is not in the plan, against the plan's built-in players.

    `perfect` is left out where it cannot play. Raises `InvalidSetup` for a plan without a
    built-in player to meet.
    """
    opponents = tuple(word for word in plan.players if word in COMPUTERS)
    if not opponents:
        raise InvalidSetup(problem="baselines")
    found = []
    for word in BASELINES:
        if word in plan.players:
            continue
        own = replace(plan, players=(word, *opponents))
        try:
            check_players(own, Limits())
        except TooLarge:
            continue
        lineup = Lineup(own, Limits())
        results = [lineup.play(pairing) for pairing in own if 0 in (pairing.first, pairing.second)]
        (standing,) = (s for s in standings_of(own, results).players if s.player == word)
        standing.rating = None
        found.append(standing)
    return found
