"""What results say about players: rates with intervals, regret, and a rating."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from numduel.arena.intervals import Count, interval
from numduel.arena.match import End, Result, Tally
from numduel.arena.plan import Plan
from numduel.arguments import checked
from numduel.board import Board
from numduel.solver import no_choice_matters

FIGURES: Final = {
    "win_rate": ("wins", "matches"),
    "optimal_rate": ("kept", "choices"),
    "thrown_away_per_match": ("thrown", "matches"),
    "illegal_rate": ("illegal", "answers"),
    "unreadable_rate": ("unreadable", "answers"),
    "fault_rate": ("faults", "answers"),
}
"""Each figure is a part of a whole, both counted over all boards. `optimal_rate`: wins kept, of
the turns in which there was one and it could be thrown away, as in `analysis.py`."""

_COUNTS = (
    "matches", "wins", "first_matches", "first_wins", "forfeits", "moves", "choices", "kept",
    "unjudged", "unasked", "illegal", "unreadable", "faults", "turn-limit", "budget",
    "undecided", "requests", "prompt_tokens", "answer_tokens",
)  # fmt: skip


@dataclass
class Standing:
    """One player's figures. Rates are None where there is nothing to divide by.

    Everything but `luck` is of boards where choices matter; forfeited matches are lost.
    """

    player: str
    boards: dict[Board, Tally] = field(default_factory=dict)  # by names of `Conduct`, and more
    luck: list[int] = field(default_factory=lambda: [0, 0])  # matches and wins on Power Play
    rating: float | None = None
    problem: str = ""  # why the player forfeited the last time, in words
    _intervals: dict[str, tuple[float, float] | None] = field(default_factory=dict, compare=False)

    def __getitem__(self, name: str) -> float:
        return sum(tally[name] for tally in self.boards.values())

    @property
    def matches(self) -> int:
        return int(self["matches"])

    @property
    def wins(self) -> int:
        return int(self["wins"])

    def rate(self, figure: str) -> float | None:
        part, whole = (self[name] for name in FIGURES[figure])
        return part / whole if whole else None

    def interval(self, figure: str) -> tuple[float, float] | None:
        """The interval of 95% of one of the `FIGURES`, between boards."""
        if figure not in self._intervals:
            part, whole = FIGURES[figure]
            counts = [Count(b, t[part], t[whole]) for b, t in self.boards.items()]
            self._intervals[figure] = interval(counts, share=figure != "thrown_away_per_match")
        return self._intervals[figure]

    def by_game(self) -> "dict[str, Standing]":
        """The figures on the boards of each game, by its title."""
        found: dict[str, Standing] = {}
        for board, tally in self.boards.items():
            title = " + ".join(dict.fromkeys(number.game.title for number in board.numbers))
            title += ", misère" * board.misere
            found.setdefault(title, Standing(self.player)).boards[board] = tally
        return found if len(found) > 1 else dict.fromkeys(found, self)

    def count(self, board: Board, seat: int, result: Result) -> None:
        self._intervals.clear()
        conduct, won, began = result.conduct[seat], seat == result.winner, seat == 0
        forfeited = result.ending is End.FORFEITED and not won
        refused = conduct.illegal + conduct.unreadable + conduct.faults
        counts = {
            "answers": conduct.moves - conduct.unasked + refused,
            "thrown": conduct.choices - conduct.kept, "matches": 1, "wins": won,
            "first_matches": began, "first_wins": began and won, "forfeits": forfeited,
            "undecided": result.winner is None, result.ending: 1,
        }  # fmt: skip
        self.boards.setdefault(board, Tally()).update(conduct._asdict() | counts)
        self.problem = result.problem if forfeited else self.problem

    def fields(self) -> dict[str, object]:
        return {
            "player": self.player,
            **self._figures(),
            "games": {title: each._figures() for title, each in self.by_game().items()},
            **{name.replace("-", "_"): self[name] for name in _COUNTS},
            "seconds": round(self["seconds"], 3),
            "boards": len(self.boards),
            "rating": self.rating,
            "problem": self.problem,
            "power_play": {"matches": self.luck[0], "wins": self.luck[1]},
        }

    def _figures(self) -> dict[str, object]:
        figures: dict[str, object] = {name: self.rate(name) for name in FIGURES}
        return figures | {"intervals": {name: self.interval(name) for name in FIGURES}}


@dataclass
class Standings:
    """All players, the best first, and how often each beat each other."""

    players: list[Standing]
    wins: dict[tuple[str, str], int]  # (winner, loser) to how often, where choices matter

    def fields(self) -> dict[str, object]:
        pairs = [{"winner": a, "loser": b, "wins": n} for (a, b), n in sorted(self.wins.items())]
        return {"players": [player.fields() for player in self.players], "pairs": pairs}


@checked
def standings_of(plan: Plan, results: Iterable[Result]) -> Standings:
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
        if result.winner is not None:
            pair = (names[result.winner], names[1 - result.winner])
            wins[pair] = wins.get(pair, 0) + 1
        for seat, name in enumerate(names):
            found[name].count(pairing.board, seat, result)
    for word, rating in bradley_terry(plan.players, wins).items():
        found[word].rating = rating if found[word].boards else None
    order = sorted(found.values(), key=lambda standing: -(standing.rating or 0))
    return Standings(order, wins)


def bradley_terry(
    players: tuple[str, ...], wins: dict[tuple[str, str], int], rounds: int = 10_000
) -> dict[str, float]:
    """Ratings on Elo's scale with mean 0: 400 apart, the better wins ten times in eleven.

    The Bradley-Terry model by Hunter's minorisation (2004). Each player also draws one match with
    an imagined average player, which keeps ratings finite where somebody never lost.
    """
    strength = dict.fromkeys(players, 1.0)
    won = {a: 0.5 + sum(wins.get((a, b), 0) for b in players) for a in players}
    met = {a: {b: wins.get((a, b), 0) + wins.get((b, a), 0) for b in players} for a in players}
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
