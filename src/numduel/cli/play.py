"""`numduel play` and `numduel resume`: a match by options, or where it stopped."""

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from numduel.board import Board
from numduel.cli.console import Refused
from numduel.cli.layout import on_terminal
from numduel.cli.matches import DRAW, open_history, read_first, read_names, read_start
from numduel.cli.parameters import (
    GAME_OR_MORE,
    PLAYER,
    json_option,
    misere_option,
    number_option,
    read_board,
    seconds_option,
    seed_option,
    set_option,
    usage,
    usual_board,
)
from numduel.cli.patience import Stopped, thinking
from numduel.cli.table import Table, run_match
from numduel.errors import InvalidSetup, NothingToStudy
from numduel.match import Setup, read_notation
from numduel.players import COMPUTERS, PERSON, Limits
from numduel.program import typed
from numduel.running import RecordFile
from numduel.solver import solve
from numduel.wording import quoted
from numduel.wording.players import computer_name, how_it_plays
from numduel.wording.text import counted, series_words

if TYPE_CHECKING:
    from numduel.store import Kept


def _named(word: str) -> str:
    name = computer_name(word).casefold()
    return word if word == name else f"{name}, {word}"


PLAYERS = {
    PERSON: "types at the prompt (default)",
    **{_named(word): how_it_plays(word) for word in COMPUTERS},
    "engine:COMMAND": "a program",
    "llm:MODEL@ADDRESS": "a language model",
}
_LISTED = "\n".join(f"  {word:17}  {how}" for word, how in PLAYERS.items())

EXAMPLES = f"""\b
Players:
{_LISTED}

\b
Examples:
  numduel play divisor-duel
  numduel play prime-subtractor --names Alice,Bob --overshoot loses
  numduel play digit-subtraction-duel --start 1000 --p2 largest --first 2
  numduel play subtract-a-prime:20+divisor-duel:60 --record match.txt
  numduel play divisor-duel --p2 "engine:python3 mybot.py" --time 5
"""


@click.command("play", epilog=EXAMPLES)
@click.argument("what", metavar="[GAME|BOARD]", required=False, type=GAME_OR_MORE)
@click.option(
    "--start", metavar="N|draw",
    help="The number to start from, for a game, or draw: one that makes a contest. Default: the "
    "game's own number; drawn for one person at a terminal against the computer.",
)  # fmt: skip
@click.option("--first", metavar="1|2|random", help="Who begins. Default: player 1.")
@click.option("--names", metavar="A,B", help="The players' names.")
@click.option("--p1", default=PERSON, type=PLAYER, help="Who plays as player 1.")
@click.option(
    "--p2", default=PERSON, type=PLAYER, help="Who plays as player 2. The players are listed below."
)
@seconds_option()
@number_option(
    "--tries", "K",
    "A program or a model forfeits the match after K answers that are not legal moves.",
    most=100, default=3,
)  # fmt: skip
@set_option
@misere_option
@click.option(
    "--overshoot", type=click.Choice(["again", "loses"]), default="again",
    help="Prime Subtractor: what happens to a prime above the total.",
)  # fmt: skip
@click.option("--penalty", type=int, metavar="K", help="Power Play: K bad inputs cost the turn.")
@click.option("--best-of", type=int, default=1, metavar="K", help="A series of up to K matches.")
@seed_option
@json_option("one event per line, as JSON")
@click.option("--record", metavar="FILE", help="Add the match to FILE, as text.")
@click.option("--no-save", is_flag=True, help="Do not keep the match in the history.")
@click.pass_context
def command(context: click.Context, /, what: str | None, **options: Any) -> int:
    """Play GAME (divisor-duel, say) or BOARD (divisor-duel:60+subtract-a-prime:20).

    Two people play at one keyboard unless --p1 or --p2 name other players.
    """
    if what is None:
        sources = map(context.get_parameter_source, options)
        if ParameterSource.COMMANDLINE in sources or not on_terminal():
            raise click.UsageError(f"Name a game: {typed('games')} lists them.")
        from numduel.cli.menu import run_menu

        return run_menu()
    with usage():
        table = _lay_table(what, options)
    return run_match(table)


def _lay_table(what: str, options: dict[str, Any]) -> Table:
    random = Random(options["seed"])
    board, is_game = _read_board(what, options)
    names = read_names(options["names"])
    words = (options["p1"], options["p2"])
    said = options["first"]
    try:
        first = read_first("1" if said is None else said, names, random, names)
    except Refused:
        raise click.UsageError(f"--first takes 1, 2 or random, not {quoted(said)}.") from None
    draws = is_game and _draws(board, words, options)
    setup = Setup(board, names, first, options["overshoot"], options["penalty"])
    if "perfect" in words and not is_game:
        # Refused now, rather than in the middle of the match; what takes long may be played.
        with suppress(Stopped), thinking(1, stoppable=True):
            solve(board)
    table = Table(
        setup=setup,
        words=words,
        limits=Limits(options["seconds"], options["tries"]),
        ask_start=is_game and options["start"] is None and not draws,
        ask_first=said is None,
        draws=draws,
        best_of=options["best_of"],
        saves=not options["no_save"],
        in_json=options["as_json"],
        random=random,
    )
    if options["record"] is not None:  # a file is made last
        table.record_file = RecordFile(options["record"])
    return table


def _draws(board: Board, words: tuple[str, str], options: dict[str, Any]) -> bool:
    """Is the start drawn? If asked for; and for one person at a terminal against the computer."""
    start, fits = options["start"], words.count(PERSON) == 1 and not board.misere
    if start == DRAW and not fits:
        raise click.UsageError(f"--start {DRAW} is for one person, and not under misère.")
    plain = options["as_json"] or not on_terminal() or COMPUTERS.keys().isdisjoint(words)
    return fits and (start == DRAW or (start is None and not plain))


def _read_board(what: str, options: dict[str, Any]) -> tuple[Board, bool]:
    """The board to play, and whether just a game was named."""
    if "/" in what:
        board = read_notation(what).replay().board
        raise click.UsageError(
            f"That is a match's notation: {typed()} show, analyse and share read it. "
            f"To play on from there: {typed(f'play {board}')}"
        )
    start = options["start"]
    is_game = ":" not in what and "+" not in what
    if start is not None and not is_game:
        raise click.UsageError("--start is for a game; a board has its own numbers.")
    board = usual_board(what) if is_game else read_board(what)
    if start not in (None, DRAW):
        game = board.numbers[0].game
        try:
            board = Board.of(game, read_start(game, start), board.misere)
        except Refused as refused:
            raise click.UsageError(f"--start: {refused}") from refused
    board = board.having(**options["settings"])
    return Board(board.numbers, board.misere or options["misere"]), is_game


@click.command("resume")
@click.argument("id", type=int, required=False)
@json_option("one event per line, as JSON")
def resume(id: int | None, as_json: bool) -> int:
    """Continue an unfinished match of the history: match ID, or the latest.

    A series continues with its tally, to its end.
    """
    with open_history() as store:
        found = store.matches(limit=1, unfinished=True) if id is None else []
        if id is None and not found:
            raise NothingToStudy(problem="nothing unfinished")
        kept = store.load(found[0].id if id is None else id)
    if kept.record.winner is not None:
        raise NothingToStudy(problem="over", id=kept.id)
    setup, words = kept.record.setup, kept.record.players
    try:
        table = Table(setup, words, saves=True, in_json=as_json)
    except InvalidSetup as error:
        raise NothingToStudy(problem="not here", id=kept.id, player=error.text) from error
    table.screen.note(_greeting(kept))
    return run_match(table, kept)


def _greeting(kept: "Kept") -> str:
    from numduel.wording.analysis import described  # what `play` has no need to load

    what, turns = described(kept.record.setup.board), counted(len(kept.record.turns), "turn")
    said = f"Match {kept.id} continues: {what}, after {turns}."
    return said if kept.series is None else f"{said} {series_words(kept.series)}"
