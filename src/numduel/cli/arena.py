"""`numduel arena`: many matches between players that are programs, and a report."""

from __future__ import annotations

import json
from typing import Any

import click

from numduel.arena import (
    Plan,
    ResultsFile,
    Standings,
    check_players,
    read_drawn_start,
    run,
    standings_of,
)
from numduel.arena.page import decimal, page, percent
from numduel.board import Board
from numduel.cli.completion import complete_games, complete_players
from numduel.cli.layout import columns
from numduel.cli.output_file import write_output
from numduel.cli.progress import Progress
from numduel.cli.usage import usage
from numduel.players import Limits

EXAMPLES = """\b
Examples:
  numduel arena --player perfect --player level:3 --board divisor-duel:60
  numduel arena --player "engine:./mybot" --player random \\
      --draw divisor-duel:12 --rounds 100
  numduel arena --player "llm:my-model@http://localhost:8000/v1" \\
      --player perfect --draw subtract-a-prime:6 --rounds 20 \\
      --results results.jsonl --report report.html
"""


@click.command("arena", epilog=EXAMPLES)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="PLAYER",
    shell_complete=complete_players,
    help="A player, as in numduel play; give at least two.",
)
@click.option(
    "--board",
    "boards",
    multiple=True,
    metavar="BOARD",
    shell_complete=complete_games,
    help="A board to meet on, like divisor-duel:60.",
)
@click.option(
    "--draw",
    "draws",
    multiple=True,
    metavar="GAME:DIGITS",
    help="Draw a new start with this many digits in every round.",
)
@click.option(
    "--rounds", type=click.IntRange(1), default=1, show_default=True, metavar="K",
    help="Rounds; in each, every two players meet twice on every board.",
)  # fmt: skip
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S",
    help="Repeat the same draws and random choices.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="J",
    help="Processes to play in.",
)  # fmt: skip
@click.option(
    "--time", "seconds", type=click.FloatRange(min=0.01), metavar="S",
    help="Seconds for each move of a program (usual: 10) or a model (60).",
)  # fmt: skip
@click.option(
    "--tries", type=click.IntRange(1, 100), default=3, show_default=True, metavar="K",
    help="Forfeit a match after K answers that are not legal moves.",
)  # fmt: skip
@click.option("--results", metavar="FILE", help="Keep results in FILE, and continue from them.")
@click.option("--json", "as_json", is_flag=True, help="Print one object, as JSON.")
@click.option("--report", metavar="FILE", help="Write a page with tables and plots to FILE.")
def command(**options: Any) -> None:
    """Let players meet many times, and see who plays best.

    In every round every two players meet twice on each board, and each begins
    once. A player that fails loses that match, and the arena continues.
    """
    limits = Limits(options["seconds"], options["tries"])
    with usage():
        plan = _read_plan(options)
        check_players(plan, limits)
    file = ResultsFile(options["results"], plan) if options["results"] else None
    with Progress("Matches", len(plan), "matches") as progress:
        results = run(plan, limits, options["jobs"], file, progress)
    standings = standings_of(plan, results)
    if options["report"]:
        write_output(options["report"], page(plan, standings))
    if options["as_json"]:
        fields = {"plan": plan.fields(), "matches": len(results), **standings.fields()}
        click.echo(json.dumps(fields))
        return
    for line in _lines(standings):
        click.echo(line)
    if options["report"]:
        click.echo(f"Report: {options['report']}")


def _read_plan(options: dict[str, Any]) -> Plan:
    return Plan(
        players=options["players"],
        boards=tuple(Board.parse(text.lower()) for text in options["boards"]),
        draws=tuple(map(read_drawn_start, options["draws"])),
        rounds=options["rounds"],
        seed=options["seed"],
    )


def _lines(standings: Standings) -> list[str]:
    head = ("player", "matches", "won", "win rate", "95% interval", "optimal", "thrown", "illegal",
            "faults", "rating")  # fmt: skip
    rows = [head]
    rows += [
        (
            s.player if len(s.player) <= 30 else f"{s.player[:27]}...",
            str(s.matches),
            str(s.wins),
            percent(s.win_rate),
            "-".join(percent(bound) for bound in s.interval) if s.interval else "none",
            percent(s.optimal_rate),
            decimal(s.thrown_away),
            percent(s.illegal_rate),
            percent(s.fault_rate),
            "none" if s.rating is None else f"{s.rating:+.0f}",
        )
        for s in standings.players
    ]
    lines = columns(rows)
    luck = [s for s in standings.players if s.luck[0]]
    if luck:
        lines.append("Power Play, where no choice matters (not counted above):")
        lines += [f"  {s.player}: {s.luck[1]} of {s.luck[0]} won" for s in luck]
    return lines
