"""What one person against the computer is told beyond the rulebooks, at a terminal.

A start that makes a contest; a call of who will win, where no choice matters; a word of the
opponent's; at the end the map with the way that the match took, and where it was decided.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from numduel.analysis import Analysis, analyse
from numduel.board import Board
from numduel.cli.console import one_of
from numduel.cli.daily import count_call
from numduel.cli.layout import say
from numduel.errors import NumduelError
from numduel.match import Ending, write_notation
from numduel.program import typed
from numduel.solver import no_choice_matters
from numduel.study.duels import draw_contest
from numduel.study.maps import map_in_play, way_of
from numduel.wording import analysis as words
from numduel.wording import brief
from numduel.wording.players import KINDS, computer_name, says
from numduel.wording.text import counted
from numduel.wording.why import no_choice_reasons

if TYPE_CHECKING:
    from numduel.cli.table import Table


def begin(table: Table) -> int | None:
    """Draws the start; then the opponent's first word, and the call, if there is one: a seat."""
    if table.draws:
        table.setup = replace(table.setup, board=_drawn_start(table))
    board, names = table.setup.board, table.wording.names
    if not table.shows_more:
        return None
    _say_of_opponent(table, "start")
    if board.is_over:
        start, ends = brief(board.numbers[0].value), "wins" if board.misere else "loses"
        say(f"Nobody can move from {start}: whoever begins {ends} at once.")
    if board.is_over or table.best_of > 1 or not no_choice_matters(board):
        return None
    begins = table.wording.who[table.setup.first]
    number, begin = brief(board.numbers[0].value), begins.form("begin", "begins")
    say("\nWhatever is chosen, the same player wins.")
    one, two = (who.inside for who in table.wording.who)
    question = f"{begins} {begin} at {number}. Who will win, {one} or {two}: "
    answers = {"1": 0, names[0].casefold(): 0, "2": 1, names[1].casefold(): 1}
    return table.ask("call", question, "", one_of(answers), *names)


def _drawn_start(table: Table) -> Board:
    """A start from which the person can win, whoever begins, and not as in the last match."""
    game, you = table.setup.board.numbers[0].game, table.seat or 0
    last = table.last.setup.board if table.last else None
    seed, begins = str(table.random.random()), table.setup.first == you
    return draw_contest(game, table.words[1 - you], seed, last, begins)


def look_back(table: Table, called: int | None) -> None:
    """Was the call right? The map with the way of the match, and the turn that decided it."""
    record, who = table.last, table.wording.who
    if record is None or not record.turns:
        return
    _say_of_opponent(table, "lost" if table.won else "won")
    board, ending = record.setup.board, record.ending
    if called is not None and ending is Ending.NO_MOVE:
        right = called == record.winner
        tally = count_call(board, right) if table.saves else ""
        colour = "green" if right else "red"
        say(f"\nYour call was {'right' if right else 'wrong'}. {tally}", fg=colour, bold=True)
    way = way_of(record)
    with suppress(NumduelError):
        if made := table.think(partial(map_in_play, board, way), "map"):
            say()
            table.screen.map(made, *way)
    if judged := judgement(table):
        said = words.decided(judged, who)
        if judged.no_choice:
            turns = len(record.turns)
            last = "odd, so whoever begins" if turns % 2 else "even, so the other player"
            took = f"It took {counted(turns, 'move')}: that is {last} makes the last."
            said = [*no_choice_reasons(board), took * (ending is Ending.NO_MOVE)]
        say(" ".join(filter(None, said)))
    if not table.from_menu:
        kept = table.keeper.match_id if table.keeper else None
        say(f"Every move judged: {typed(f'analyse {kept or write_notation(record)}')}")


def judgement(table: Table) -> Analysis | None:
    """The last match, judged; None if nothing was played, or somebody did not want to wait."""
    record = table.last
    return table.think(partial(analyse, record), "analysis") if record and record.turns else None


def _say_of_opponent(table: Table, when: Literal["start", "won", "lost"]) -> None:
    word = table.words[1 - (table.seat or 0)]
    if word in KINDS:
        said = says(word, when, no_choice_matters(table.setup.board))
        say(f"{computer_name(word)}: {said}", fg="magenta")
