"""`numduel arena`: many matches between programs; `engine`, `mcp`: numduel as one, on a pipe."""

import sys
from random import Random
from typing import Any

import click

from numduel import __version__, arena
from numduel.arena.page import Report, compare, decimal, page, percent, rating
from numduel.board import Board
from numduel.cli import console, options, patience
from numduel.cli.layout import columns
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
@options.text(
    "--player", None, "A player, as in numduel play; give at least two.", "players", multiple=True,
    type=options.PLAYER,
)  # fmt: skip
@options.text(
    "--board", "BOARD", "A board to meet on, like divisor-duel:60.", "boards", multiple=True,
    type=options.GAME_OR_MORE,
)  # fmt: skip
@options.text(
    "--draw", "GAME:DIGITS", "Draw a new start with this many digits in every round.", "draws",
    multiple=True,
)  # fmt: skip
@options.number(
    "--rounds", "K", "Rounds; in each, every two players meet twice on every board.", default=1
)
@options.text("--seed", "S", "Repeat the same draws and random choices.", type=int, default=0)
@options.number("--jobs", "J", "Processes to play in.", most=256, default=1)
@options.seconds()
@options.number(
    "--tries", "K", "Forfeit a match after K answers that are not legal moves.", most=100, default=3
)
@options.of_matches
@options.flag(
    "--baselines",
    "Also show built-in players in a model's place: same boards, same built-in opponents.",
)
@options.text(
    "--results", "FILE", "Keep results in FILE, and continue from them; more --rounds are added."
)
@options.text(
    "--transcript", "FILE", "Keep every prompt, answer, reading and verdict in FILE, as JSON lines."
)
@options.of_results("Play nothing: show results, or score a transcript again.")
def command(files: tuple[str, ...], report: str | None, **chosen: Any) -> None:
    """Let players meet many times, and see who plays best.

    In every round every two players meet twice on each board, and each begins
    once. A player that fails loses that match, and the arena continues; a model
    whose key is refused ends it. A match of a model ends after 100 turns, and the
    solver says who was winning.
    """
    reports = {path: _read(path) for path in files} or {"": _play(chosen)}
    if report:
        options.write_output(report, compare(reports) if files else page(reports[""]))
    one, *more = reports.values()
    options.end_in_json(
        lambda: {path: _fields(each) for path, each in reports.items()} if more else _fields(one)
    )
    for path, each in reports.items():
        if more:
            click.echo(f"{path}:")
        _show(each)
    if report:
        click.echo(f"Report: {report}")


def _read(path: str) -> Report:
    file = arena.ResultsFile.open(path)
    standings = arena.standings_of(file.plan, file.read(mend=False).values())
    return Report(file.plan, file.limits, standings)


def _play(chosen: dict[str, Any]) -> Report:
    limits = options.limits(chosen)
    with options.usage():
        boards = tuple(Board.parse(text.lower()) for text in chosen["boards"])
        draws = tuple(map(arena.read_drawn_start, chosen["draws"]))
        plan = arena.Plan(chosen["players"], boards, draws, chosen["rounds"], chosen["seed"])
        arena.check_players(plan, limits)
        beside = arena.baselines_of(plan) if chosen["baselines"] else []
    kept, told = chosen["results"], chosen["transcript"]
    file = arena.ResultsFile(kept, plan, limits) if kept else None
    transcript = arena.ResultsFile(told, plan, limits, transcript=True) if told else None
    for about in arena.estimates(plan, limits, file.read() if file else ()):
        click.echo(
            f"{about.player}: about {about.requests:,} requests and {about.prompt_tokens:,} prompt "
            f"tokens in {about.matches:,} matches; at most {about.most_requests:,} requests.",
            err=True,
        )
    with patience.Progress("Matches", len(plan), "matches") as progress:
        results = arena.run(plan, limits, chosen["jobs"], file, progress, transcript=transcript)
    return Report(plan, limits, arena.standings_of(plan, results), beside)


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
    click.echo("\n".join(columns(rows)))
    for s in report.standings.players:
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
@options.text(
    "--player", None, "The player that answers genmove.", default="perfect", type=options.PLAYER
)
@options.seed
def engine(player: str, seed: int | None) -> None:
    """Speak the engine protocol: commands come in, replies go out.

    The commands are protocol_version, name, version, list_commands,
    known_command, board, legal, play, genmove, undo, verdict and quit.
    """
    from numduel.adaptors.engine import Engine

    with options.usage():
        chooses = make_computer(player, Random(seed))
    lines = iter(lambda: sys.stdin.readline(console.LONGEST_LINE), "")
    for reply in Engine(chooses, "numduel", __version__).replies(lines):
        sys.stdout.write(reply)
        sys.stdout.flush()


@click.command("mcp")
@options.seed
@options.flag(
    "--no-answers",
    "Measure a model: no verdicts, and no second match before the first is over.",
)
def mcp(seed: int | None, no_answers: bool) -> None:
    """Serve the Model Context Protocol on standard input and output.

    A language model that is connected to it can list games, start matches, see
    legal moves, play, and ask for verdicts.
    """
    from numduel.adaptors.mcp import make_server

    make_server(seed, not no_answers).run("stdio")
