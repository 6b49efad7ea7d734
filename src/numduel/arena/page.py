"""The reports of arenas as pages that stand alone: tables and plots, no scripts."""

from collections.abc import Iterable, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from numduel.arena.plan import Plan
from numduel.arena.standings import Standing, Standings
from numduel.drawing.plot import Bar, draw_bars
from numduel.drawing.svg import heading, make_page, make_table, paragraph, short
from numduel.players import Limits

figures_table = partial(make_table, kind="figures")
_SHARES = (
    ("Win rate", "win_rate"),
    ("Optimal moves", "optimal_rate"),
    ("Illegal", "illegal_rate"),
    ("Unreadable", "unreadable_rate"),
    ("Faults", "fault_rate"),
)
_THROWN = "thrown_away_per_match"
_FIGURES = (
    "Forfeited matches count as lost. Intervals are of 95%, by how boards differ: "
    "matches on the same board are not independent, and repeated ones tell nothing new. "
    "Optimal: of the turns in which a win could be kept or thrown away, those that kept it. "
    "Illegal, unreadable, faults: of all answers. Rating: Bradley-Terry on Elo's scale, mean 0. "
    "Boards of Power Play, where no choice matters, count for none of this."
)


class Report(NamedTuple):
    plan: Plan
    limits: Limits
    standings: Standings
    baselines: Sequence[Standing] = ()  # built-in players in a model's place

    @property
    def matches(self) -> int:
        return sum(each.matches + each.luck[0] for each in self.standings.players) // 2

    @property
    def rows(self) -> list[Standing]:
        return [*self.standings.players, *self.baselines]

    def name(self, standing: Standing) -> str:
        baseline = any(standing is each for each in self.baselines)
        return f"{standing.player} (baseline)" if baseline else standing.player


def page(report: Report) -> str:
    plan, standings = report.plan, report.standings
    boards = [str(board) for board in plan.boards] + [f"drawn {draw} digits" for draw in plan.draws]
    return make_page(
        "Arena",
        [
            paragraph(
                f"{len(plan.players)} players, {report.matches:,} matches, {plan.rounds:,} rounds, "
                f"seed {plan.seed}. In every round every two players met twice on each board, and "
                "each began once."
            ),
            paragraph(f"Boards: {', '.join(short(board, 60) for board in boards)}."),
            paragraph(f"{settings(report.limits)}."),
            heading("Players"),
            _table([report]),
            paragraph(_FIGURES),
            *_bars("Win rate", report, "win_rate"),
            *_bars("Optimal moves", report, "optimal_rate"),
            *_bars("Wins thrown away per match", report, _THROWN),
            *_games(report),
            heading("Who beat whom"),
            _crosstable(standings),
            *_luck(standings.players),
        ],
    )


def compare(reports: dict[str, Report]) -> str:
    """A page of several arenas, by the names of their files."""
    parts = [heading("Players"), _table([*reports.values()], [*reports]), paragraph(_FIGURES)]
    for name, report in reports.items():
        told = f"Seed {report.plan.seed}, {report.plan.rounds:,} rounds."
        parts += [heading(name), paragraph(told), paragraph(f"{settings(report.limits)}.")]
    return make_page("Arenas compared", parts)


def settings(limits: Limits) -> str:
    sampling = limits.sampling
    told = {
        "temperature": sampling.temperature, "max tokens": sampling.max_tokens,
        "system prompt": sampling.system and f'"{short(sampling.system, 200)}"',
        "turns in a match": limits.turns, "requests in a match": limits.requests,
        "tokens in a match": limits.tokens, "seconds in a match": limits.match_seconds,
        "tries": limits.tries, "seconds for an answer": limits.seconds,
    }  # fmt: skip
    named = [f"{name} {value}" for name, value in told.items() if value is not None]
    return f"Models: {', '.join(named)}"


def _table(reports: Sequence[Report], files: Sequence[str] = ()) -> str:
    heads = (*(["File"] if files else []), "Player", "Matches", "Boards", "Won",
             *(name for name, _ in _SHARES), "Thrown away per match", "Forfeited", "Turn limit",
             "Requests", "Tokens", "Seconds", "Rating")  # fmt: skip
    rows = [
        (*([short(files[at], 60)] if files else []), *_counts(report.name(s), s), f"{s.wins:,}",
         *(_figure(s, figure) for _, figure in _SHARES), _figure(s, _THROWN),
         *(f"{s[name]:,}" for name in ("forfeits", "turn-limit", "requests")),
         f"{s['prompt_tokens'] + s['answer_tokens']:,}", f"{s['seconds']:,.0f}", rating(s))
        for at, report in enumerate(reports)
        for s in report.rows
    ]  # fmt: skip
    return figures_table(heads, rows)


def _counts(name: str, standing: Standing) -> tuple[str, ...]:
    return short(name, 60), f"{standing.matches:,}", f"{len(standing.boards):,}"


def _figure(standing: Standing, figure: str) -> str:
    write = decimal if figure == _THROWN else percent
    between = " to ".join(map(write, standing.interval(figure) or ()))
    return write(standing.rate(figure)) + (f" ({between})" if between else "")


def _games(report: Report) -> list[str]:
    rows = [
        (title, *_counts(report.name(standing), each), *(_figure(each, f) for _, f in _SHARES))
        for standing in report.rows
        for title, each in standing.by_game().items()
    ]  # fmt: skip
    if len({title for title, *_ in rows}) < 2:
        return []
    heads = ("Game", "Player", "Matches", "Boards", *(name for name, _ in _SHARES))
    return [heading("Game by game"), figures_table(heads, sorted(rows, key=itemgetter(0)))]


def _crosstable(standings: Standings) -> str:
    names = [s.player for s in standings.players]
    rows = [
        (short(a, 40), *("" if a == b else f"{standings.wins.get((a, b), 0):,}" for b in names))
        for a in names
    ]
    return figures_table(("Wins of / over", *(short(name, 24) for name in names)), rows)


def _luck(players: list[Standing]) -> list[str]:
    rows = [(short(s.player, 60), f"{s.luck[0]:,}", f"{s.luck[1]:,}") for s in players]
    table = figures_table(("Player", "Matches", "Won"), rows)
    told = [heading("Power Play"), paragraph("Whoever wins here wins whatever is played."), table]
    return told if any(s.luck[0] for s in players) else []


def _bars(title: str, report: Report, figure: str) -> list[str]:
    rows = [(report.name(each), each.rate(figure), each.interval(figure)) for each in report.rows]
    return [heading(title), bars(title, rows, share=figure != _THROWN)]


def bars(
    title: str,
    rows: Iterable[tuple[str, float | None, tuple[float, float] | None]],
    share: bool = True,
) -> str:
    """A bar for each name, value and interval: of a share of 1, or of something that is bad."""
    write = percent if share else decimal
    made = [Bar(short(name, 26), value, write(value), between) for name, value, between in rows]
    picture = draw_bars(title, made, 1.0 if share else None, "won" if share else "dot")
    picture.name = f"{title.split()[0].lower()}-"
    return str(picture)


def rating(standing: Standing) -> str:
    return "none" if standing.rating is None else f"{standing.rating:+.0f}"


def percent(rate: float | None) -> str:
    return "none" if rate is None else f"{100 * rate:.1f}%"


def decimal(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"
