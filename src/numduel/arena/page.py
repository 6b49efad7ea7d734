"""The report of an arena as one page that stands alone: tables and plots, no scripts."""

from __future__ import annotations

from collections.abc import Callable

from numduel.arena.plan import Plan
from numduel.arena.standings import Standing, Standings
from numduel.drawing.bars import Bar, draw_bars
from numduel.drawing.page import heading, make_page, make_table, paragraph

Value = Callable[[Standing], float | None]

_FIGURES = (
    "Forfeited matches count as lost. The interval is Wilson's, of 95%. Optimal: of the moves made "
    "where a win could be kept, those that kept it. Rating: Bradley-Terry on Elo's scale, mean 0. "
    "Boards of Power Play, where no choice matters, count for none of this."
)


def page(plan: Plan, standings: Standings) -> str:
    """The page, as HTML."""
    players = standings.players
    matches = sum(standings.wins.values()) + sum(s.luck[0] for s in players) // 2
    boards = [str(board) for board in plan.boards] + [f"drawn {draw} digits" for draw in plan.draws]
    return make_page(
        "Arena",
        [
            paragraph(
                f"{len(plan.players)} players, {matches:,} matches, {plan.rounds:,} rounds, "
                f"seed {plan.seed}. In every round every two players met twice on each board, and "
                "each began once."
            ),
            paragraph(f"Boards: {', '.join(_short(board, 60) for board in boards)}."),
            heading("Players"),
            _table(players),
            paragraph(_FIGURES),
            *_bars("Win rate, with its interval", players, lambda s: s.win_rate, intervals=True),
            *_bars("Optimal moves", players, lambda s: s.optimal_rate),
            *_bars("Wins thrown away per match", players, lambda s: s.thrown_away, share=False),
            heading("Who beat whom"),
            _crosstable(standings),
            *_luck(players),
        ],
    )


def _table(players: list[Standing]) -> str:
    heads = (
        "Player", "Matches", "Won", "Win rate", "95% interval", "Optimal moves",
        "Thrown away per match", "Illegal", "Faults", "Forfeited", "Rating",
    )  # fmt: skip
    rows = [
        (
            _short(s.player, 60), f"{s.matches:,}", f"{s.wins:,}", percent(s.win_rate),
            f"{percent(s.interval[0])} to {percent(s.interval[1])}" if s.interval else "none",
            percent(s.optimal_rate), decimal(s.thrown_away), percent(s.illegal_rate),
            percent(s.fault_rate), f"{s.forfeits:,}",
            "none" if s.rating is None else f"{s.rating:+.0f}",
        )
        for s in players
    ]  # fmt: skip
    return make_table(heads, rows, kind="figures")


def _crosstable(standings: Standings) -> str:
    names = [s.player for s in standings.players]
    rows = [
        (_short(a, 40), *("" if a == b else f"{standings.wins.get((a, b), 0):,}" for b in names))
        for a in names
    ]
    heads = ("Wins of / over", *(_short(name, 24) for name in names))
    return make_table(heads, rows, kind="figures")


def _luck(players: list[Standing]) -> list[str]:
    if not any(s.luck[0] for s in players):
        return []
    rows = [(_short(s.player, 60), f"{s.luck[0]:,}", f"{s.luck[1]:,}") for s in players]
    table = make_table(("Player", "Matches", "Won"), rows, kind="figures")
    return [heading("Power Play"), paragraph("Whoever wins here wins whatever is played."), table]


def _bars(
    title: str, players: list[Standing], value: Value, share: bool = True, intervals: bool = False
) -> list[str]:
    """A bar for each player: of a share of 1, or of something that is bad."""
    bars = [
        Bar(
            _short(standing.player, 26),
            value(standing),
            (percent if share else decimal)(value(standing)),
            standing.interval if intervals else None,
        )
        for standing in players
    ]
    picture = draw_bars(title, bars, 1.0 if share else None, "won" if share else "dot")
    picture.name = f"{title.split()[0].lower()}-"
    return [heading(title), str(picture)]


def percent(rate: float | None) -> str:
    """A rate in percent; `none` where there is none."""
    return "none" if rate is None else f"{100 * rate:.1f}%"


def decimal(value: float | None) -> str:
    """A number with two places; `none` where there is none."""
    return "none" if value is None else f"{value:.2f}"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
