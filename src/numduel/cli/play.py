"""`numduel play` and `numduel resume`: a match by options, or where it stopped."""

from contextlib import suppress
from random import Random
from typing import Any

import click
from click.core import ParameterSource

from numduel.board import Board
from numduel.cli import options, patience
from numduel.cli.layout import on_terminal
from numduel.cli.matches import DRAW, open_history, read_first, read_names, read_start
from numduel.cli.table import Table, run_match
from numduel.errors import InvalidSetup, NothingToStudy, Unanswerable
from numduel.match import Setup, read_notation
from numduel.players import COMPUTERS, PERSON, Limits
from numduel.program import typed
from numduel.running import RecordFile
from numduel.solver import solve
from numduel.wording import players, quoted
from numduel.wording.text import counted, series_words


def _named(word: str) -> str:
    name = players.computer_name(word).casefold()
    return word if word == name else f"{name}, {word}"


PLAYERS = {
    PERSON: "types at the prompt (default)",
    **{_named(word): players.how_it_plays(word) for word in COMPUTERS},
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
_WHO = {"type": options.PLAYER, "default": PERSON, "show_default": False}


@click.command("play", epilog=EXAMPLES)
@click.argument("what", metavar="[GAME|BOARD]", required=False, type=options.GAME_OR_MORE)
@options.text(
    "--start",
    "N|draw",
    "The number to start from, for a game, or draw: one that makes a contest. Default: the "
    "game's own number; drawn for one person at a terminal against the computer.",
)
@options.text("--first", "1|2|random", "Who begins. Default: player 1.")
@options.text("--names", "A,B", "The players' names.")
@options.text("--p1", None, "Who plays as player 1.", **_WHO)
@options.text("--p2", None, "Who plays as player 2. The players are listed below.", **_WHO)
@options.seconds()
@options.number(
    "--tries", "K",
    "A program or a model forfeits the match after K answers that are not legal moves.",
    most=100, default=3,
)  # fmt: skip
@options.variants
@options.misere
@options.choice(
    "--overshoot", ["again", "loses"], "Prime Subtractor: what happens to a prime above the total.",
    default="again", show_default=False,
)  # fmt: skip
@options.text("--penalty", "K", "Power Play: K bad inputs cost the turn.", type=int)
@options.text(
    "--best-of", "K", "A series of up to K matches.", type=int, default=1, show_default=False
)
@options.seed
@options.in_json("one event per line, as JSON")
@options.text("--record", "FILE", "Add the match to FILE, as text.")
@options.flag("--no-save", "Do not keep the match in the history.")
@click.pass_context
def command(context: click.Context, /, what: str | None, **chosen: Any) -> None:
    """Play GAME (divisor-duel, say) or BOARD (divisor-duel:60+subtract-a-prime:20).

    Two people play at one keyboard unless --p1 or --p2 name other players.
    """
    if what is None:
        sources = map(context.get_parameter_source, (*chosen, "json"))
        if ParameterSource.COMMANDLINE in sources or not on_terminal():
            raise click.UsageError(f"Name a game: {typed('games')} lists them.")
        from numduel.cli.menu import run_menu

        run_menu()
    with options.usage():
        table = _lay_table(what, chosen)
    run_match(table)


def _lay_table(what: str, chosen: dict[str, Any]) -> Table:
    random = Random(chosen["seed"])
    board, is_game = _read_board(what, chosen)
    names = read_names(chosen["names"])
    words, said = (chosen["p1"], chosen["p2"]), chosen["first"]
    try:
        first = read_first("1" if said is None else said, names, random, names)
    except Unanswerable:
        raise click.UsageError(f"--first takes 1, 2 or random, not {quoted(said)}.") from None
    draws = is_game and _draws(board, words, chosen)
    setup = Setup(board, names, first, chosen["overshoot"], chosen["penalty"])
    if "perfect" in words and not is_game:
        # Refused now, rather than in the middle of the match; what takes long may be played.
        with suppress(patience.Stopped), patience.thinking(1, stoppable=True):
            solve(board)
    table = Table(
        setup, words, Limits(chosen["seconds"], chosen["tries"]),
        ask_start=is_game and chosen["start"] is None and not draws, ask_first=said is None,
        best_of=chosen["best_of"], saves=not chosen["no_save"], in_json=options.wants_json(),
        draws=draws, random=random,
    )  # fmt: skip
    if chosen["record"] is not None:  # a file is made last
        table.record_file = RecordFile(chosen["record"])
    return table


def _draws(board: Board, words: tuple[str, str], chosen: dict[str, Any]) -> bool:
    """Is the start drawn? If asked for; and for one person at a terminal against the computer."""
    start, fits = chosen["start"], words.count(PERSON) == 1 and not board.misere
    if start == DRAW and not fits:
        raise click.UsageError(f"--start {DRAW} is for one person, and not under misère.")
    plain = options.wants_json() or not on_terminal() or COMPUTERS.keys().isdisjoint(words)
    return fits and (start == DRAW or (start is None and not plain))


def _read_board(what: str, chosen: dict[str, Any]) -> tuple[Board, bool]:
    """The board to play, and whether just a game was named."""
    if "/" in what:
        board = read_notation(what).replay().board
        raise click.UsageError(
            f"That is a match's notation: {typed()} show, analyse and share read it. "
            f"To play on from there: {typed(f'play {board}')}"
        )
    start, is_game = chosen["start"], ":" not in what and "+" not in what
    if start is not None and not is_game:
        raise click.UsageError("--start is for a game; a board has its own numbers.")
    board = options.usual_board(what) if is_game else options.read_board(what)
    if start not in (None, DRAW):
        game = board.numbers[0].game
        try:
            board = Board.of(game, read_start(game, start), board.misere)
        except Unanswerable as error:
            raise click.UsageError(f"--start: {error.message}") from error
    board = board.having(**chosen["settings"])
    return Board(board.numbers, board.misere or chosen["misere"]), is_game


@click.command("resume")
@click.argument("id", type=int, required=False)
@options.in_json("one event per line, as JSON")
def resume(id: int | None) -> None:
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
    try:
        in_json = options.wants_json()
        table = Table(kept.record.setup, kept.record.players, saves=True, in_json=in_json)
    except InvalidSetup as error:
        raise NothingToStudy(problem="not here", id=kept.id, player=error.text) from error
    from numduel.wording.analysis import described  # what `play` has no need to load

    what, turns = described(kept.record.setup.board), counted(len(kept.record.turns), "turn")
    series = series_words(kept.series)
    table.screen.note(f"Match {kept.id} continues: {what}, after {turns}.{series}")
    run_match(table, kept)
