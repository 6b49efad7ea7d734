"""`numduel arena`: many matches between programs; `engine`, `mcp`: numduel as one, on a pipe."""

import sys
from random import Random
from typing import Any

import click

from numduel import __version__
from numduel.arena import (
    Plan,
    ResultsFile,
    baselines_of,
    check_players,
    estimates,
    read_drawn_start,
    run,
    standings_of,
)
from numduel.arena.page import Report, compare, decimal, page, percent, rating
from numduel.board import Board
from numduel.cli.console import LONGEST_LINE
from numduel.cli.layout import columns
from numduel.cli.parameters import (
    GAME_OR_MORE,
    PLAYER,
    json_option,
    model_limits,
    model_options,
    number_option,
    print_json,
    report_option,
    seconds_option,
    seed_option,
    usage,
    write_output,
)
from numduel.cli.patience import Progress
from numduel.drawing.svg import short
from numduel.players import make_computer

EXAMPLES = """\b
Examples:
  numduel arena --player perfect --player level:3 --board divisor-duel:60
  numduel arena --player "llm:my-model@http://localhost:8000/v1" \\
      --player perfect --draw subtract-a-prime:6 --rounds 20 \\
      --results results.jsonl --report report.html
  numduel arena --from one.jsonl --from two.jsonl --report compared.html
"""


ENGINE = """\b
Example:
  $ printf 'board divisor-duel:60\\ngenmove\\nquit\\n' | numduel engine
"""


@click.command("arena", epilog=EXAMPLES)
@click.option(
    "--player", "players", multiple=True, type=PLAYER,
    help="A player, as in numduel play; give at least two.",
)  # fmt: skip
@click.option(
    "--board", "boards", multiple=True, metavar="BOARD", type=GAME_OR_MORE,
    help="A board to meet on, like divisor-duel:60.",
)  # fmt: skip
@click.option(
    "--draw", "draws", multiple=True, metavar="GAME:DIGITS",
    help="Draw a new start with this many digits in every round.",
)  # fmt: skip
@number_option(
    "--rounds", "K", "Rounds; in each, every two players meet twice on every board.", default=1
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S",
    help="Repeat the same draws and random choices.",
)  # fmt: skip
@number_option("--jobs", "J", "Processes to play in.", most=256, default=1)
@seconds_option()
@number_option(
    "--tries", "K", "Forfeit a match after K answers that are not legal moves.", most=100, default=3
)
@model_options
@click.option(
    "--baselines", is_flag=True,
    help="Also show built-in players in a model's place: same boards, same built-in opponents.",
)  # fmt: skip
@click.option(
    "--results", metavar="FILE",
    help="Keep results in FILE, and continue from them; more --rounds are added.",
)  # fmt: skip
@click.option(
    "--transcript", metavar="FILE",
    help="Keep every prompt, answer, reading and verdict in FILE, as JSON lines.",
)  # fmt: skip
@click.option(
    "--from", "files", multiple=True, metavar="FILE",
    help="Play nothing: show results, or score a transcript again. Several are compared.",
)  # fmt: skip
@json_option()
@report_option
def command(**options: Any) -> None:
    """Let players meet many times, and see who plays best.

    In every round every two players meet twice on each board, and each begins
    once. A player that fails loses that match, and the arena continues; a model
    whose key is refused ends it. A match of a model ends after 100 turns, and the
    solver says who was winning.
    """
    files = options["files"]
    reports = {path: _read(path) for path in files} or {"": _play(options)}
    if options["report"]:
        write_output(options["report"], compare(reports) if files else page(reports[""]))
    if options["as_json"]:
        told = {path: _fields(report) for path, report in reports.items()}
        print_json(told if len(told) > 1 else next(iter(told.values())))
        return
    for path, report in reports.items():
        if len(reports) > 1:
            click.echo(f"{path}:")
        _show(report)
    if options["report"]:
        click.echo(f"Report: {options['report']}")


def _read(path: str) -> Report:
    file = ResultsFile.open(path)
    standings = standings_of(file.plan, file.read(mend=False).values())
    return Report(file.plan, file.limits, standings)


def _play(options: dict[str, Any]) -> Report:
    limits = model_limits(options)
    with usage():
        plan = Plan(
            players=options["players"],
            boards=tuple(Board.parse(text.lower()) for text in options["boards"]),
            draws=tuple(map(read_drawn_start, options["draws"])),
            rounds=options["rounds"],
            seed=options["seed"],
        )
        check_players(plan, limits)
        beside = baselines_of(plan) if options["baselines"] else []
    file, transcript = (
        ResultsFile(options[kind], plan, limits, kind == "transcript") if options[kind] else None
        for kind in ("results", "transcript")
    )
    for about in estimates(plan, limits, file.read() if file else ()):
        click.echo(
            f"{about.player}: about {about.requests:,} requests and {about.prompt_tokens:,} prompt "
            f"tokens in {about.matches:,} matches; at most {about.most_requests:,} requests.",
            err=True,
        )
    with Progress("Matches", len(plan), "matches") as progress:
        results = run(plan, limits, options["jobs"], file, progress, transcript=transcript)
    return Report(plan, limits, standings_of(plan, results), beside)


def _fields(report: Report) -> dict[str, Any]:
    return {
        "plan": report.plan.fields(),
        "limits": report.limits.fields(),
        "matches": report.matches,
        **report.standings.fields(),
        "baselines": [standing.fields() for standing in report.baselines],
    }


def _show(report: Report) -> None:
    head = ("player", "matches", "won", "win rate", "95% interval", "optimal", "95% interval",
            "thrown", "illegal", "unreadable", "faults", "rating")  # fmt: skip
    rows: list[tuple[str, ...]] = [head]
    for s in report.rows:
        shares = []
        for figure in ("win_rate", "optimal_rate"):
            bounds = [f"{100 * bound:.0f}%" for bound in s.interval(figure) or ()]
            shares += [percent(s.rate(figure)), "-".join(bounds) or "none"]
        thrown = decimal(s.rate("thrown_away_per_match"))
        refused = [percent(s.rate(f"{kind}_rate")) for kind in ("illegal", "unreadable", "fault")]
        name = short(report.name(s), 30)
        rows.append((name, str(s.matches), str(s.wins), *shares, thrown, *refused, rating(s)))
    for line in columns(rows):
        click.echo(line)
    players = report.standings.players
    for s in players:
        if s["requests"]:
            tokens = s["prompt_tokens"] + s["answer_tokens"]
            used = f"{tokens:,} tokens, {s['seconds']:,.0f} seconds"
            click.echo(f"{s.player}: {s['requests']:,} requests, {used}")
        if s.problem:
            click.echo(f"{s.player} forfeited {s['forfeits']:,} matches. The last: {s.problem}")
        if s.luck[0]:
            said = "won, where no choice matters (not counted above)"
            click.echo(f"{s.player}: {s.luck[1]} of {s.luck[0]} matches of Power Play {said}")


@click.command("engine", epilog=ENGINE)
@click.option(
    "--player", default="perfect", show_default=True, type=PLAYER,
    help="The player that answers genmove.",
)  # fmt: skip
@seed_option
def engine(player: str, seed: int | None) -> None:
    """Speak the engine protocol: commands come in, replies go out.

    The commands are protocol_version, name, version, list_commands,
    known_command, board, legal, play, genmove, undo, verdict and quit.
    """
    from numduel.adaptors.engine import Engine

    with usage():
        chooses = make_computer(player, Random(seed))
    speaks = Engine(chooses, "numduel", __version__)
    lines = iter(lambda: sys.stdin.readline(LONGEST_LINE), "")
    for reply in speaks.replies(lines):
        sys.stdout.write(reply)
        sys.stdout.flush()


@click.command("mcp")
@seed_option
@click.option(
    "--no-answers", is_flag=True,
    help="Measure a model: no verdicts, and no second match before the first is over.",
)  # fmt: skip
def mcp(seed: int | None, no_answers: bool) -> None:
    """Serve the Model Context Protocol on standard input and output.

    A language model that is connected to it can list games, start matches, see
    legal moves, play, and ask for verdicts.
    """
    from numduel.adaptors.mcp import make_server

    make_server(seed, not no_answers).run("stdio")
