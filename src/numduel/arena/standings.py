"""What results say about players: rates with intervals, regret, and a rating."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from numduel.arena.plan import Plan
from numduel.arena.result import Conduct, Result
from numduel.solver import no_choice_matters

_NORMAL = 1.959963984540054
"""The normal distribution lies within this many deviations of its mean 19 times in 20."""


@dataclass
class Standing:
    """One player's figures. Rates are None where there is nothing to divide by.

    Everything but `luck` is of boards where choices matter; faults are losses.
    """

    player: str
    matches: int = 0
    wins: int = 0
    first_matches: int = 0
    first_wins: int = 0
    forfeits: int = 0
    moves: int = 0
    won_boards: int = 0
    kept: int = 0
    unjudged: int = 0
    illegal: int = 0
    faults: int = 0
    luck: list[int] = field(default_factory=lambda: [0, 0])
    """Matches and wins on Power Play, which takes no skill."""
    rating: float | None = None

    @property
    def win_rate(self) -> float | None:
        """Matches won, of all matches."""
        return _rate(self.wins, self.matches)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval of 95% for the win rate."""
        return wilson(self.wins, self.matches) if self.matches else None

    @property
    def optimal_rate(self) -> float | None:
        """Moves that kept a win, of all moves made where a win could be kept."""
        return _rate(self.kept, self.won_boards)

    @property
    def thrown_away(self) -> float | None:
        """Wins thrown away per match."""
        return _rate(self.won_boards - self.kept, self.matches)

    @property
    def illegal_rate(self) -> float | None:
        """Answers that were no legal move, of all answers."""
        return _rate(self.illegal, self.moves + self.illegal + self.faults)

    @property
    def fault_rate(self) -> float | None:
        """Failures to answer, of all answers."""
        return _rate(self.faults, self.moves + self.illegal + self.faults)

    def count(self, won: bool, began: bool, forfeited: bool, conduct: Conduct) -> None:
        """Add one match on a board where choices matter."""
        self.matches += 1
        self.wins += won
        self.first_matches += began
        self.first_wins += began and won
        self.forfeits += forfeited and not won
        for name, count in conduct._asdict().items():
            setattr(self, name, getattr(self, name) + count)

    def fields(self) -> dict[str, object]:
        """The figures as plain values."""
        return {
            "player": self.player,
            "matches": self.matches,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "win_rate_interval": list(self.interval) if self.interval else None,
            "wins_when_first": self.first_wins,
            "matches_when_first": self.first_matches,
            "forfeits": self.forfeits,
            "optimal_rate": self.optimal_rate,
            "won_boards": self.won_boards,
            "wins_thrown_away_per_match": self.thrown_away,
            "unjudged_moves": self.unjudged,
            "illegal_rate": self.illegal_rate,
            "fault_rate": self.fault_rate,
            "rating": self.rating,
            "power_play": {"matches": self.luck[0], "wins": self.luck[1]},
        }


@dataclass
class Standings:
    """All players, the best first, and how often each beat each other."""

    players: list[Standing]
    wins: dict[tuple[str, str], int]
    """(winner, loser) to how often, where choices matter."""

    def fields(self) -> dict[str, object]:
        """As plain values."""
        pairs = [{"winner": a, "loser": b, "wins": n} for (a, b), n in sorted(self.wins.items())]
        return {"players": [player.fields() for player in self.players], "pairs": pairs}


def standings_of(plan: Plan, results: Iterable[Result]) -> Standings:
    """The figures of these results of the plan."""
    found = {word: Standing(word) for word in plan.players}
    wins: dict[tuple[str, str], int] = {}
    by_number = {result.number: result for result in results}
    for pairing in plan:
        result = by_number.get(pairing.number)
        if result is None:
            continue
        names = (plan.players[pairing.first], plan.players[pairing.second])
        if no_choice_matters(pairing.board):
            for seat, name in enumerate(names):
                found[name].luck[0] += 1
                found[name].luck[1] += seat == result.winner
            continue
        pair = (names[result.winner], names[1 - result.winner])
        wins[pair] = wins.get(pair, 0) + 1
        for seat, name in enumerate(names):
            won = seat == result.winner
            found[name].count(won, seat == 0, result.forfeited, result.conduct[seat])
    for word, rating in bradley_terry(plan.players, wins).items():
        found[word].rating = rating if found[word].matches else None
    order = sorted(found.values(), key=lambda standing: -(standing.rating or 0))
    return Standings(order, wins)


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Wilson's score interval of 95% for a rate (Wilson 1927)."""
    z2 = _NORMAL**2
    centre = (wins + z2 / 2) / (matches + z2)
    spread = _NORMAL * math.sqrt(wins * (matches - wins) / matches + z2 / 4) / (matches + z2)
    return max(0.0, centre - spread), min(1.0, centre + spread)


def bradley_terry(
    players: tuple[str, ...], wins: dict[tuple[str, str], int], rounds: int = 10_000
) -> dict[str, float]:
    """Ratings on Elo's scale with mean 0: 400 apart, the better wins ten times in eleven.

    The Bradley-Terry model by Hunter's minorisation (2004). Each player also
    draws one match with an imagined average player, which keeps ratings finite
    where somebody never lost.
    """
    strength = dict.fromkeys(players, 1.0)
    won = {a: 0.5 + sum(wins.get((a, b), 0) for b in players) for a in players}
    met = {
        a: {b: wins.get((a, b), 0) + wins.get((b, a), 0) for b in players if b != a}
        for a in players
    }
    for _ in range(rounds):
        new = {}
        for a in players:
            against = 1 / (strength[a] + 1)
            against += sum(n / (strength[a] + strength[b]) for b, n in met[a].items() if n)
            new[a] = won[a] / against
        change = max(abs(math.log(new[a] / strength[a])) for a in players)
        strength = new
        if change < 1e-9:
            break
    mean = sum(map(math.log, strength.values())) / len(players)
    return {a: 400 * (math.log(strength[a]) - mean) / math.log(10) for a in players}


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None
