"""The report of an exam, or of several, as one page that stands alone."""

from collections.abc import Collection, Sequence

from numduel.arena.exam.figures import APART, LEVEL, Comparison, Figures, Share
from numduel.arena.exam.task import TASK, Setting, fingerprint
from numduel.arena.page import bars, figures_table, percent
from numduel.drawing.plot import Spot, draw_curves
from numduel.drawing.svg import heading, make_page, paragraph, short

_VERDICTS = ("illegal", "unreadable", "truncated", "failed")
PLAYER_HEAD = ("player", "asked", "right", "95% interval", APART, "of readable", *_VERDICTS)
PAIR_HEAD = ("in pairs", "difference", "95% interval", "p", "tied", "needed for 5", "apart in")
_FIGURES = (
    "One question for each position: which move wins, or is there none? Shown is the share of "
    f"right answers without {APART}, which is told apart; all others count as wrong. Intervals of "
    "95% are Wilson's, by how the questions are drawn."
)
_FAILED, _UNREADABLE = 0.01, 0.05  # larger shares are told above the table


def page(
    settings: Sequence[Setting],
    figures: Sequence[Figures],
    pairs: Sequence[Comparison],
    baselines: Collection[str],
) -> str:
    """Several settings are those of several files."""
    ratings = {f.player: f.by_rating for f in figures}
    sizes = {f.player: f.by_size for f in figures}
    return make_page(
        "Exam",
        [
            paragraph(f"Task {TASK}, hash {fingerprint()}. {_FIGURES}"),
            *(paragraph(describe(setting)) for setting in dict.fromkeys(settings)),
            *map(paragraph, warnings(figures)),
            heading("Players"),
            figures_table(PLAYER_HEAD, [player_row(f, 60) for f in figures]),
            bars("Right answers", [(f.player, f.all.rate, f.all.interval) for f in figures]),
            *([heading("In pairs"), figures_table(PAIR_HEAD, [pair_row(p, 60) for p in pairs])]
              if pairs else []),
            heading("By difficulty"),
            _curve("Right answers by rating", "{}+", ratings, baselines),
            heading("By size"),
            _curve("Right answers by most digits", "{}", sizes, baselines),
            heading("By skill"),
            _table({f.player: f.by_skill for f in figures}),
            heading("By game"),
            _table({f.player: f.by_game for f in figures}),
            *_cost(figures),
        ],
    )  # fmt: skip


def title(settings: Sequence[Setting]) -> str:
    """The task, the version, and what of the setting is not the default."""
    one, plain = settings[0], Setting()
    told = [f"Task {TASK}, hash {fingerprint()}, numduel {one.version}"]
    told += [f"seed {one.seed}"] * (one.seed != plain.seed)
    told += [f"{one.count:,} questions"] * (one.count != plain.count)
    told += [f"{one.difficulty} ones only"] * (one.difficulty is not None)
    told += [f"skills {' '.join(one.skills)}"] * (one.skills != plain.skills)
    systems = dict.fromkeys(each.sampling.system for each in settings)
    return ", ".join(told + [f"system prompt {system!r}" for system in systems if system])


def describe(setting: Setting) -> str:
    chosen = f"{setting.count} from seed {setting.seed}, skills {', '.join(setting.skills)}"
    if setting.difficulty:
        chosen += f", {setting.difficulty} ones only"
    if setting.repeat > 1:
        chosen += f", each asked {setting.repeat} times"
    told = {**setting.sampling._asdict(), "seconds": setting.seconds}
    options = [f"{name} {value!r}" for name, value in told.items() if value is not None]
    models = f" Models: {', '.join(options)}." if options else ""
    return f"Positions: {chosen}. numduel {setting.version}.{models}"


def warnings(figures: Sequence[Figures]) -> list[str]:
    """What has to be known of some players before their figures are believed."""
    said = [(f, f.failed, "failed at the server") for f in figures if f.failed > _FAILED]
    said += [(f, f.unreadable, "cannot be read") for f in figures if f.unreadable > _UNREADABLE]
    rest = "and count as wrong."
    return [f"{f.player}: {percent(share)} of the answers {how}, {rest}" for f, share, how in said]


def player_row(f: Figures, most: int) -> tuple[str, ...]:
    apart = f.by_skill[APART].rate if APART in f.by_skill else None
    counts = (str(f.verdicts.get(verdict, 0)) for verdict in _VERDICTS)
    return (short(f.player, most), f"{f.all.asked}", percent(f.all.rate), spread(f.all),
            percent(apart), percent(f.of_readable), *counts)  # fmt: skip


def pair_row(pair: Comparison, most: int) -> tuple[str, ...]:
    found = pair.difference
    skills = ", ".join(skill for skill, p in pair.skills.items() if p <= LEVEL) or "none"
    between = " to ".join(f"{100 * bound:+.1f}" for bound in found.interval)
    names = f"{short(pair.one, most)} - {short(pair.other, most)}"
    p, tied = "<0.0001" if pair.p < 0.0001 else f"{pair.p:.4f}", "yes" if pair.tied else "no"
    return names, f"{100 * found.value:+.1f}", between, p, tied, str(found.needed), skills


def spread(share: Share) -> str:
    return "-".join(percent(bound) for bound in share.interval)


def _curve(
    title: str, step: str, shares: dict[str, dict[int, Share]], baselines: Collection[str]
) -> str:
    steps = sorted({at for each in shares.values() for at in each})
    curves = {
        player: [Spot(each[at].rate, each[at].interval) if at in each else None for at in steps]
        for player, each in shares.items()
    }
    picture = draw_curves(title, [step.format(at) for at in steps], curves, baselines)
    picture.name = f"{title.split()[-1]}-"
    return str(picture)


def _table(shares: dict[str, dict[str, Share]]) -> str:
    names = list(dict.fromkeys(name for each in shares.values() for name in each))
    rows = [
        (short(player, 60),
         *(f"{percent(each[n].rate)} ({spread(each[n])})" if n in each else "" for n in names))
        for player, each in shares.items()
    ]  # fmt: skip
    return figures_table(("player", *names), rows)


def _cost(figures: Sequence[Figures]) -> list[str]:
    rows = [
        (short(f.player, 60), ", ".join(f.models), *(f"{value:,}" for value in f.spent[:3]),
         f"{f.reasoning_tokens:,}", f"{f.cost:,.4f}", f"{f.spent.seconds:,.1f}",
         f"{f.asked_again:,}")
        for f in figures
        if f.spent.requests
    ]  # fmt: skip
    heads = ("player", "model, as its server says", "requests", "prompt tokens", "answer tokens",
             "of these reasoning", "cost", "seconds", "asked again")  # fmt: skip
    return [heading("What it took"), figures_table(heads, rows)] if rows else []
