"""The report of an exam, or of several, as one page that stands alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from numduel.arena.exam.figures import Figures, Share
from numduel.arena.exam.task import TASK, fingerprint
from numduel.arena.exam.transcript import Setting
from numduel.arena.page import bars, figures_table, percent, short
from numduel.drawing.page import heading, make_page, paragraph
from numduel.drawing.plot import Spot, draw_curves
from numduel.drawing.svg import Picture

_FIGURES = (
    "One question for each position: which move wins, or is there none? Shown is the share of "
    "right answers; illegal, unreadable and missing ones count as wrong. Intervals of 95% are by a "
    "bootstrap that draws whole boards."
)


def page(
    settings: Sequence[Setting], figures: Sequence[Figures], baselines: Collection[str]
) -> str:
    """The page, as HTML; several settings are those of several files."""
    curve = difficulty_curve(figures, baselines)
    curve.name = "difficulty-"
    return make_page(
        "Exam",
        [
            paragraph(f"Task {TASK}, hash {fingerprint()}. {_FIGURES}"),
            *(paragraph(describe(setting)) for setting in dict.fromkeys(settings)),
            heading("Players"),
            figures_table(
                ("Player", "Asked", "Right", "95% interval", "Illegal", "Unreadable", "Failed"),
                [(short(f.player, 60), f"{f.all.asked:,}", percent(f.all.rate), spread(f.all),
                  *(str(f.verdicts[v]) for v in ("illegal", "unreadable", "failed")))
                 for f in figures],
            ),
            bars("Right answers", [(f.player, f.all.rate, f.all.interval) for f in figures]),
            heading("By difficulty"),
            str(curve),
            heading("By skill"),
            _table(figures, [f.by_skill for f in figures]),
            heading("By game"),
            _table(figures, [f.by_game for f in figures]),
            *_cost(figures),
        ],
    )  # fmt: skip


def describe(setting: Setting) -> str:
    """The setting in a sentence or two."""
    chosen = f"seed {setting.seed}, skills {', '.join(setting.skills)}"
    if setting.difficulty:
        chosen += f", {setting.difficulty} ones only"
    options = [f"{k} {v!r}" for k, v in setting.sampling._asdict().items() if v is not None]
    return f"Positions: {chosen}." + (f" Models: {', '.join(options)}." if options else "")


def difficulty_curve(figures: Sequence[Figures], baselines: Collection[str]) -> Picture:
    """Right answers by how hard positions are rated."""
    bands = sorted({band for f in figures for band in f.by_rating})
    curves = {
        f.player: [
            Spot(f.by_rating[band].rate, f.by_rating[band].interval) if band in f.by_rating
            else None
            for band in bands
        ]
        for f in figures
    }  # fmt: skip
    return draw_curves("Right answers by rating", [f"{band}+" for band in bands], curves, baselines)


def spread(share: Share) -> str:
    """The interval of a share in percent."""
    return "-".join(percent(bound) for bound in share.interval)


def _table(figures: Sequence[Figures], parts: Sequence[dict[str, Share]]) -> str:
    names = list(dict.fromkeys(name for part in parts for name in part))
    rows = [
        (short(f.player, 60),
         *(f"{percent(part[n].rate)} ({spread(part[n])})" if n in part else "" for n in names))
        for f, part in zip(figures, parts, strict=True)
    ]  # fmt: skip
    return figures_table(("Player", *names), rows)


def _cost(figures: Sequence[Figures]) -> list[str]:
    rows = [
        (short(f.player, 60), *(f"{value:,}" for value in f.spent[:3]), f"{f.spent.seconds:,.1f}")
        for f in figures
        if f.spent.requests
    ]
    heads = ("Player", "Requests", "Prompt tokens", "Answer tokens", "Seconds")
    return [heading("What it took"), figures_table(heads, rows)] if rows else []
