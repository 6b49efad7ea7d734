"""`numduel exam`: ask players about single positions, and score every answer exactly."""

from __future__ import annotations

import json
from typing import Any

import click

from numduel.arena.exam.answers import BASELINES, Examinee, hold_exam
from numduel.arena.exam.figures import Figures, as_json, figures_of
from numduel.arena.exam.page import page, percent, spread
from numduel.arena.exam.task import TASK, fingerprint
from numduel.arena.exam.transcript import Answer, ExamFile, Setting, score_again
from numduel.cli.completion import complete_players
from numduel.cli.layout import columns
from numduel.cli.output_file import write_output
from numduel.cli.progress import Progress
from numduel.cli.usage import usage
from numduel.players import Limits
from numduel.players.view import Sampling
from numduel.study.positions import DIFFICULTIES, SKILLS

EXAMPLES = """\b
Examples:
  numduel exam perfect level:3 --count 70
  numduel exam "llm:my-model@http://localhost:8000/v1" --count 210 --seed 2026 \\
      --jobs 8 --results my-model.jsonl --report report.html
  numduel exam --compare one.jsonl --compare other.jsonl --report report.html
"""


@click.command("exam", epilog=EXAMPLES)
@click.argument("players", nargs=-1, metavar="[PLAYER]...", shell_complete=complete_players)
@click.option(
    "--count", type=click.IntRange(1), default=210, show_default=True, metavar="N",
    help="How many positions.",
)  # fmt: skip
@click.option(
    "--seed", default="0", show_default=True, metavar="S",
    help="Draw the same positions again, on any machine; any text.",
)  # fmt: skip
@click.option(
    "--skill", "skills", multiple=True, type=click.Choice(SKILLS),
    help="What it takes; may be given several times. Usual: all.",
)  # fmt: skip
@click.option("--difficulty", type=click.Choice(DIFFICULTIES), help="How hard. Usual: any.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="J",
    help="Questions to ask a model at a time.",
)  # fmt: skip
@click.option(
    "--time", "seconds", type=click.FloatRange(min=0.01), metavar="S",
    help="Seconds for each answer of a program (usual: 10) or a model (60).",
)  # fmt: skip
@click.option("--temperature", type=click.FloatRange(0), metavar="T", help="Passed to a model.")
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="Passed to a model.")
@click.option("--system", metavar="TEXT", help="A system prompt for a model.")
@click.option(
    "--results", metavar="FILE",
    help="Keep questions and answers in FILE as JSON lines, and continue from them.",
)  # fmt: skip
@click.option(
    "--compare", "files", multiple=True, metavar="FILE",
    help="Show the players of a results file too, scored again.",
)  # fmt: skip
@click.option("--json", "json_", is_flag=True, help="Print one object, as JSON.")
@click.option("--report", metavar="FILE", help="Write a page with tables and plots to FILE.")
def command(players: tuple[str, ...], **options: Any) -> None:
    """Ask players about positions: which move wins, or is there none?

    Every answer is right or wrong, by the solver. Beside the players stand some that are built
    in: one that always says none, then from random to perfect. The same command with a larger
    --count goes on where --results ended.
    """
    if not players and not options["files"]:
        raise click.UsageError("Name a player, or results to compare: --compare FILE.")
    if players and options["results"] in options["files"]:
        raise click.UsageError("--results is shown anyway: leave it out of --compare.")
    sampling = Sampling(options["temperature"], options["max_tokens"], options["system"])
    skills = tuple(dict.fromkeys(options["skills"])) or SKILLS
    setting = Setting(options["seed"], skills, options["difficulty"], sampling)
    settings, compared, count = _compare(options["files"])
    answers: list[Answer] = []
    if players:
        answers = _ask(tuple(dict.fromkeys(players)), setting, options)
        settings, count = [setting, *settings], max(count, options["count"])
    drawn = {(s.seed, s.skills, s.difficulty) for s in settings}
    shown = {answer.player for answer in (*answers, *compared)}
    beside = [word for word in BASELINES if word not in shown] if len(drawn) == 1 else []
    baselines = hold_exam(settings[0], count, beside)
    figures = figures_of([*answers, *compared, *baselines])
    if options["report"]:
        write_output(options["report"], page(settings, figures, beside))
    if options["json_"]:
        click.echo(json.dumps(as_json(settings[0], figures)))
        return
    for line in _lines(figures):
        click.echo(line)
    if options["report"]:
        click.echo(f"Report: {options['report']}")


def _ask(players: tuple[str, ...], setting: Setting, options: dict[str, Any]) -> list[Answer]:
    limits = Limits(options["seconds"], sampling=setting.sampling)
    with usage():
        for word in players:
            Examinee(word, setting.seed, limits).close()
        next(setting.positions())
    file = ExamFile(options["results"], setting) if options["results"] else None
    with Progress("Answers", len(players) * options["count"], "answers") as progress:
        return hold_exam(
            setting, options["count"], players, limits, options["jobs"], file, progress
        )


def _compare(files: tuple[str, ...]) -> tuple[list[Setting], list[Answer], int]:
    """Settings and answers of the files, and how many positions were asked about."""
    settings: list[Setting] = []
    answers: list[Answer] = []
    for path in files:
        setting, found = score_again(path)
        settings.append(setting)
        answers += found
    return settings, answers, max((answer.number + 1 for answer in answers), default=1)


def _lines(figures: list[Figures]) -> list[str]:
    verdicts = ("illegal", "unreadable", "failed")
    names = [one.player if len(one.player) <= 30 else f"{one.player[:27]}..." for one in figures]
    rows: list[tuple[str, ...]] = [("player", "asked", "right", "95% interval", *verdicts)]
    rows += [
        (name, str(one.all.asked), percent(one.all.rate), spread(one.all),
         *(str(one.verdicts[verdict]) for verdict in verdicts))
        for name, one in zip(names, figures, strict=True)
    ]  # fmt: skip
    skills = list(dict.fromkeys(skill for one in figures for skill in one.by_skill))
    by_skill: list[tuple[str, ...]] = [("right by skill", *skills)]
    by_skill += [
        (name, *(percent(one.by_skill[s].rate) if s in one.by_skill else "none" for s in skills))
        for name, one in zip(names, figures, strict=True)
    ]
    return [
        f"Task {TASK}, hash {fingerprint()}",
        *columns(rows),
        "",
        *columns(by_skill),
        *(
            f"{one.player}: {one.spent.requests:,} requests, {one.spent.prompt_tokens:,} tokens "
            f"asked, {one.spent.answer_tokens:,} answered, {one.spent.seconds:,.1f} seconds"
            for one in figures
            if one.spent.requests
        ),
    ]
