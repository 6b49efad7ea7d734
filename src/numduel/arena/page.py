"""The report of an arena as one page that stands alone: tables and plots, no scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from numduel.arena.plan import Plan
from numduel.arena.standings import Standing, Standings

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1f; --soft: #5d5d66; --line: #c9c9d1;
  --bar: #2a6fb0; --bad: #b3472f; --paper: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --soft: #a9a9b4;
  --line: #44444d; --bar: #6fb0ec; --bad: #ec8a70; --paper: #17171b; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
.wide { overflow-x: auto; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
  font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
p.note { color: var(--soft); }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .axis { stroke: var(--line); } svg .bar { fill: var(--bar); } svg .span { stroke: var(--ink); }
svg .bad { fill: var(--bad); }
"""
_LEFT, _WIDTH, _ROW = 200, 420, 28

Value = Callable[[Standing], float | None]


def page(plan: Plan, standings: Standings) -> str:
    """The page, as HTML."""
    players = standings.players
    matches = sum(standings.wins.values()) + sum(s.luck[0] for s in players) // 2
    boards = [str(board) for board in plan.boards] + [f"drawn {draw} digits" for draw in plan.draws]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>numduel arena</title><style>{_STYLE}</style></head><body>",
        "<h1>Arena</h1>",
        f"<p>{len(plan.players)} players, {matches:,} matches, "
        f"{plan.rounds:,} rounds, seed {plan.seed}. "
        "In every round each two players met twice on each board, and each began once.</p>",
        f"<p>Boards: {escape(', '.join(_short(board, 60) for board in boards))}.</p>",
        "<h2>Players</h2>",
        '<div class="wide">', _table(players), "</div>",
        '<p class="note">Forfeited matches count as lost. The interval is Wilson\'s, of 95%. '
        "Optimal: of the moves made where a win could be kept, those that kept it. "
        "Rating: Bradley-Terry on Elo's scale, mean 0. Boards of Power Play, where no choice "
        "matters, count for none of this.</p>",
        "<h2>Win rate, with its interval</h2>",
        _bars(players, lambda s: s.win_rate, 1.0, "win rate", spans=True),
        "<h2>Optimal moves</h2>",
        _bars(players, lambda s: s.optimal_rate, 1.0, "optimal-move rate"),
        "<h2>Wins thrown away per match</h2>",
        _bars(players, lambda s: s.thrown_away, None, "wins thrown away per match", "bad"),
        "<h2>Who beat whom</h2>",
        '<div class="wide">', _crosstable(standings), "</div>",
        *_luck(players),
        "</body></html>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


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
    return _html_table(heads, rows)


def _crosstable(standings: Standings) -> str:
    names = [s.player for s in standings.players]
    rows = [
        (_short(a, 40), *("" if a == b else f"{standings.wins.get((a, b), 0):,}" for b in names))
        for a in names
    ]
    return _html_table(("Wins of / over", *(_short(name, 24) for name in names)), rows)


def _luck(players: list[Standing]) -> list[str]:
    if not any(s.luck[0] for s in players):
        return []
    rows = [(_short(s.player, 60), f"{s.luck[0]:,}", f"{s.luck[1]:,}") for s in players]
    table = _html_table(("Player", "Matches", "Won"), rows)
    return ["<h2>Power Play</h2>", "<p>Whoever wins here wins whatever is played.</p>", table]


def _html_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"


def _bars(
    players: list[Standing],
    value: Value,
    top: float | None,
    label: str,
    kind: str = "bar",
    spans: bool = False,
) -> str:
    """A bar for each player; with `spans`, the interval of its win rate on it."""
    largest = top or max((value(s) or 0 for s in players), default=0) or 1
    height = _ROW * len(players) + 24
    parts = [
        f'<svg role="img" aria-label="{escape(label)} of each player" width="100%" '
        f'viewBox="0 0 {_LEFT + _WIDTH + 80} {height}">'
    ]
    for row, standing in enumerate(players):
        y, share = _ROW * row, value(standing)
        parts.append(f'<text x="0" y="{y + 18}">{escape(_short(standing.player, 26))}</text>')
        if share is None:
            parts.append(f'<text x="{_LEFT + 6}" y="{y + 18}">none</text>')
            continue
        width = _WIDTH * share / largest
        parts.append(
            f'<rect class="{kind}" x="{_LEFT}" y="{y + 5}" width="{width:.1f}" height="16"/>'
        )
        end = width
        if spans and standing.interval:
            low, high = (_LEFT + _WIDTH * bound / largest for bound in standing.interval)
            parts.append(
                f'<path class="span" fill="none" d="M{low:.1f} {y + 13}H{high:.1f}'
                f'M{low:.1f} {y + 8}v10M{high:.1f} {y + 8}v10"/>'
            )
            end = max(end, high - _LEFT)
        shown = percent(share) if top else decimal(share)
        parts.append(f'<text x="{_LEFT + end + 6:.1f}" y="{y + 18}">{shown}</text>')
    base = height - 18
    parts.append(f'<path class="axis" d="M{_LEFT} 0V{base}M{_LEFT} {base}H{_LEFT + _WIDTH}"/>')
    return "\n".join([*parts, "</svg>"])


def percent(rate: float | None) -> str:
    """A rate in percent; `none` where there is none."""
    return "none" if rate is None else f"{100 * rate:.1f}%"


def decimal(value: float | None) -> str:
    """A number with two places; `none` where there is none."""
    return "none" if value is None else f"{value:.2f}"


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
