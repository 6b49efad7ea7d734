"""`numduel exam`: players answer single positions; `numduel positions`: draws such positions."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import click

from numduel.arena.exam import figures as made
from numduel.arena.exam import page as paper
from numduel.arena.exam.answers import BASELINES, SEARCH, TRICKS, Examinee, hold_exam, score_again
from numduel.arena.exam.task import Answer, ExamFile, Setting
from numduel.arena.page import percent
from numduel.cli import options, patience
from numduel.cli.layout import columns
from numduel.drawing.svg import short
from numduel.players import player_words
from numduel.study.difficulty import Difficulty
from numduel.study.positions import DIFFICULTIES, SKILLS, Skill, as_json, draw_positions
from numduel.wording import joined
from numduel.wording.players import player_word

EXAMPLES = """\b
Examples:
  numduel exam perfect level:3 --count 70
  numduel exam "llm:my-model@http://localhost:8000/v1" --seed 2026 \\
      --jobs 8 --results my-model.jsonl --report report.html
  numduel exam --from one.jsonl --from two.jsonl --report compared.html
"""
DRAWING = """\b
Examples:
  numduel positions --count 1000 --seed 2026 --format jsonl > positions.jsonl
  numduel positions --skill misere --skill own-rule --difficulty hard
"""


def position_options(count: int) -> options.Option:
    return options.together(
        options.number("--count", "N", "How many positions.", default=count),
        options.text(
            "--seed", "S", "Draw the same positions again, on any machine; any text.", default="0"
        ),
        options.text(
            "--skill", "SKILL",
            f"What it takes: {joined([*SKILLS])}. Give it again for more. Default: all.", "skills",
            multiple=True, type=click.Choice(SKILLS),
            callback=lambda _context, _option, given: tuple(dict.fromkeys(given)) or SKILLS,
        ),
        options.choice("--difficulty", DIFFICULTIES, "How hard."),
    )  # fmt: skip


def _word(text: str) -> str:
    """A player's word; exams have tricks, and search that is cut short, too."""
    return text if text in TRICKS or text.startswith(SEARCH) else player_word(text)


_PLAYER = options.Read("player", _word, lambda: [*player_words(), *TRICKS])


@click.command("exam", epilog=EXAMPLES)
@click.argument("players", nargs=-1, metavar="[PLAYER]...", type=_PLAYER)
@position_options(210)
@options.number("--repeat", "K", "Ask every question K times, for models that draw.", default=1)
@options.number("--jobs", "J", "Questions to ask a model at a time.", most=256, default=1)
@options.seconds("answer")
@options.of_answers
@options.flag("--keep-reasoning", "Keep what models thought, too.")
@options.text(
    "--results", "FILE", "Keep questions and answers in FILE as JSON lines, and continue from them."
)
@options.of_results("Ask nothing: score the answers of a results file again.")
def command(
    players: tuple[str, ...], files: tuple[str, ...], report: str | None, **chosen: Any
) -> None:
    """Ask players about positions: which move wins, or is there none?

    Every answer is right or wrong, by the solver. Built-in players are asked too, for
    comparison: some that know tricks, then from random to perfect. The same command with a
    larger --count goes on where --results ended.
    """
    if bool(players) == bool(files):
        raise click.UsageError("Name players to ask, or results to score again: --from FILE.")
    settings, answers = _ask(tuple(dict.fromkeys(players)), chosen) if players else _read(files)
    shown = {answer.player for answer in answers}
    beside = [word for word in BASELINES if word not in shown]
    pairs = made.compare(answers)
    figures = made.figures_of([*answers, *hold_exam(replace(settings[0], repeat=1), beside)])
    if report:
        options.write_output(report, paper.page(settings, figures, pairs, beside))
    options.end_in_json(lambda: made.as_json(settings, figures, pairs))
    click.echo("\n".join(_lines(settings, figures, pairs)))
    if report:
        click.echo(f"Report: {report}")


def _ask(players: tuple[str, ...], chosen: dict[str, Any]) -> tuple[list[Setting], list[Answer]]:
    setting = Setting(
        chosen["seed"], chosen["count"], chosen["skills"], chosen["difficulty"],
        chosen["repeat"], options.sampling(chosen), chosen["seconds"],
    )  # fmt: skip
    with options.usage():
        for word in players:
            Examinee(word, setting).close()
        setting.positions()
    file = ExamFile(chosen["results"], setting) if chosen["results"] else None
    asked = len(players) * setting.count * setting.repeat
    with patience.Progress("Answers", asked, "answers") as progress:
        answers = hold_exam(
            setting, players, chosen["jobs"], file, progress, _announce, chosen["keep_reasoning"]
        )
    return [setting], answers


def _announce(player: str, requests: int, tokens: int) -> None:
    click.echo(f"{player}: about {requests:,} requests and {tokens:,} prompt tokens.", err=True)


def _read(files: tuple[str, ...]) -> tuple[list[Setting], list[Answer]]:
    """Settings and answers of the files; whoever is in several is named with each."""
    found = {path: score_again(path) for path in files}
    settings = [setting for setting, _ in found.values()]
    if len({setting.questions for setting in settings}) > 1:
        raise click.UsageError(
            "These files are of different exams: the seed, the count, the choice of positions and"
            " the version of numduel have to be the same."
        )
    named = Counter(word for _, answers in found.values() for word in {a.player for a in answers})
    told = [
        replace(each, player=f"{each.player} ({path})") if named[each.player] > 1 else each
        for path, (_, answers) in found.items()
        for each in answers
    ]
    return settings, told


def _lines(
    settings: list[Setting], figures: list[made.Figures], pairs: list[made.Comparison]
) -> Iterator[str]:
    yield paper.title(settings)
    yield from paper.warnings(figures)
    yield from columns([paper.PLAYER_HEAD, *(paper.player_row(one, 30) for one in figures)])
    skills = list(dict.fromkeys(skill for one in figures for skill in one.by_skill))
    by_skill: list[tuple[str, ...]] = [("right by skill", *skills)]
    for one in figures:
        rates = (percent(one.by_skill[s].rate) if s in one.by_skill else "none" for s in skills)
        by_skill.append((short(one.player, 30), *rates))
    yield from ["", *columns(by_skill)]
    if pairs:
        yield from ["", *columns([paper.PAIR_HEAD, *(paper.pair_row(pair, 24) for pair in pairs)])]
    for one in figures:
        if len(one.samples) > 1:
            yield (
                f"{one.player}: asked {len(one.samples)} times, spread {percent(one.spread)},"
                f" right at least once on {percent(one.solved)}"
            )
        if one.spent.requests:
            spent, more = one.spent, f", cost {one.cost:,.4f}" if one.cost else ""
            if one.asked_again:
                more += f"; asked again after a failure: {one.asked_again:,}"
            yield (
                f"{one.player}: {spent.requests:,} requests, {spent.prompt_tokens:,} tokens asked, "
                f"{spent.answer_tokens:,} answered ({one.reasoning_tokens:,} of reasoning), "
                f"{spent.seconds:,.1f} seconds{more}"
            )
        for reason, times in one.failures.items():
            yield f"{one.player}: {times:,} failed: {reason}"


@click.command("positions", epilog=DRAWING)
@position_options(10)
@options.choice(
    "--format", ["text", "jsonl"], "Lines to read, or one JSON object a line.", "form",
    default="text",
)  # fmt: skip
def positions(
    count: int, seed: str, skills: tuple[Skill, ...], difficulty: Difficulty | None, form: str
) -> None:
    """Draw positions and their answers: which move wins, or is there none?

    The skills take turns, except those that have no such difficulty. No position comes
    twice, and on one in three of each skill no move wins. The same seed gives the same positions
    on any machine.
    """
    with options.usage():
        for fields in map(as_json, islice(draw_positions(seed, skills, difficulty), count)):
            wins = ", ".join(fields["winning_moves"]) or "none"
            line = f"{fields['board']}  {fields['skill']}, {fields['difficulty']}  wins: {wins}"
            click.echo(json.dumps(fields) if form == "jsonl" else line)
