"""`numduel exam`: ask players about single positions, and score every answer exactly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import click

from numduel.arena.exam.answers import BASELINES, Examinee, hold_exam
from numduel.arena.exam.figures import Figures, as_json, figures_of
from numduel.arena.exam.page import page, spread
from numduel.arena.exam.task import TASK, fingerprint
from numduel.arena.exam.transcript import Answer, ExamFile, Setting, score_again
from numduel.arena.page import percent, short
from numduel.cli.layout import columns
from numduel.cli.parameters import (
    PLAYER,
    chosen_sampling,
    json_option,
    number_option,
    print_json,
    report_option,
    sampling_options,
    seconds_option,
    usage,
    write_output,
)
from numduel.cli.patience import Progress
from numduel.cli.positions import position_options
from numduel.players import Limits

EXAMPLES = """\b
Examples:
  numduel exam perfect level:3 --count 70
  numduel exam "llm:my-model@http://localhost:8000/v1" --seed 2026 \\
      --jobs 8 --results my-model.jsonl --report report.html
  numduel exam --from one.jsonl --from two.jsonl --report compared.html
"""


@click.command("exam", epilog=EXAMPLES)
@click.argument("players", nargs=-1, metavar="[PLAYER]...", type=PLAYER)
@position_options(210)
@number_option("--jobs", "J", "Questions to ask a model at a time.", most=256, default=1)
@seconds_option("answer")
@sampling_options
@click.option(
    "--results", metavar="FILE",
    help="Keep questions and answers in FILE as JSON lines, and continue from them.",
)  # fmt: skip
@click.option(
    "--from", "files", multiple=True, metavar="FILE",
    help="Ask nothing: score the answers of a results file again. Several are compared.",
)  # fmt: skip
@json_option()
@report_option
def command(players: tuple[str, ...], **options: Any) -> None:
    """Ask players about positions: which move wins, or is there none?

    Every answer is right or wrong, by the solver. Built-in players are asked too, for
    comparison: one that always says none, then from random to perfect. The same command with
    a larger --count goes on where --results ended.
    """
    if bool(players) == bool(options["files"]):
        raise click.UsageError("Name players to ask, or results to score again: --from FILE.")
    if players:
        settings, answers = _ask(tuple(dict.fromkeys(players)), options)
    else:
        settings, answers = _read(options["files"])
    drawn = {(s.seed, s.skills, s.difficulty) for s in settings}
    shown = {answer.player for answer in answers}
    beside = [word for word in BASELINES if word not in shown] if len(drawn) == 1 else []
    count = len({answer.number for answer in answers})
    figures = figures_of([*answers, *hold_exam(settings[0], count, beside)])
    if options["report"]:
        write_output(options["report"], page(settings, figures, beside))
    if options["as_json"]:
        print_json(as_json(settings, figures))
        return
    for line in _lines(figures):
        click.echo(line)
    if options["report"]:
        click.echo(f"Report: {options['report']}")


def _ask(players: tuple[str, ...], options: dict[str, Any]) -> tuple[list[Setting], list[Answer]]:
    sampling = chosen_sampling(options)
    setting = Setting(options["seed"], options["skills"], options["difficulty"], sampling)
    limits = Limits(options["seconds"], sampling=sampling)
    with usage():
        for word in players:
            Examinee(word, setting.seed, limits).close()
        next(setting.positions())
    file = ExamFile(options["results"], setting) if options["results"] else None
    with Progress("Answers", len(players) * options["count"], "answers") as progress:
        answers = hold_exam(
            setting, options["count"], players, limits, options["jobs"], file, progress, _announce
        )
    return [setting], answers


def _announce(player: str, requests: int, tokens: int) -> None:
    click.echo(f"{player}: about {requests:,} requests and {tokens:,} prompt tokens.", err=True)


def _read(files: tuple[str, ...]) -> tuple[list[Setting], list[Answer]]:
    """Settings and answers of the files; whoever is in several is named with each."""
    found = {path: score_again(path) for path in files}
    named = Counter(word for _, answers in found.values() for word in {a.player for a in answers})
    told = [
        replace(each, player=f"{each.player} ({path})") if named[each.player] > 1 else each
        for path, (_, answers) in found.items()
        for each in answers
    ]
    return [setting for setting, _ in found.values()], told


def _lines(figures: list[Figures]) -> list[str]:
    verdicts = ("illegal", "unreadable", "failed")
    names = [short(one.player, 30) for one in figures]
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
