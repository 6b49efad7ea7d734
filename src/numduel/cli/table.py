"""A table to play at, from its first question and prompt to the exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import click

from numduel.board import Board
from numduel.cli import matches, patience
from numduel.cli.console import EndOfInput, Left, Taken, Words, ask_until, one_of
from numduel.cli.layout import on_terminal, say
from numduel.cli.screen import WORDS, JsonScreen, Screen, TextScreen
from numduel.errors import NotAllowed, NumduelError
from numduel.match import Record, Series, Setup, TurnBegan
from numduel.players import PERSON, Limits, Player, SeesMatch, close_players, make_player
from numduel.program import typed
from numduel.running import Keeper, RecordFile, Runner
from numduel.solver import no_choice_matters, solve
from numduel.wording import joined, players, problem, wording_for
from numduel.wording.rules import paragraphs, rule_in_short, unusual_rule
from numduel.wording.why import STEPS, hint, why

if TYPE_CHECKING:
    from numduel.store import Kept


@dataclass
class Table:
    """Everything that options or menu have set; what is None is asked for, or usual."""

    setup: Setup  # with the usual start, until `sit` has asked for another
    words: tuple[str, str] = (PERSON, PERSON)  # who plays; raises as `make_player` and `Series` do
    limits: Limits | None = None
    ask_start: bool = False
    ask_first: bool = False
    best_of: int = 1
    record_file: RecordFile | None = None
    saves: bool = False
    in_json: bool = False
    draws: bool = False  # each match starts from another number, drawn to make a contest of it
    from_menu: bool = False
    last: Record | None = None
    wins: list[int] = field(default_factory=lambda: [0, 0])
    random: Random = field(default_factory=Random)
    _hint: tuple[TurnBegan | None, int] = (None, 0)  # the turn last given a hint, and how many

    def __post_init__(self) -> None:
        Series(self.best_of)
        one, two = (make_player(word, self.random, self.limits) for word in self.words)
        self.players = (one, two)
        persons = (one is None, two is None)
        names, you = matches.shown_names(self.setup.names, self.words)
        luck = no_choice_matters(self.setup.board)
        how = "" if you is None or luck else players.how_it_plays(self.words[1 - you])
        self.wording = wording_for(self.setup.board)(names, persons, you, how)
        self.seat = self.words.index(PERSON) if persons.count(True) == 1 else None
        """Of the one person against the computer, who is told more than the rulebooks tell."""
        self.shows_more = self.seat is not None and not self.in_json and on_terminal()
        tells = self.from_menu or self.seat is not None
        self.screen: Screen = (JsonScreen if self.in_json else TextScreen)(self.wording, tells)
        self.keeper = Keeper(self._warn) if self.saves else None

    def play(self, kept: Kept | None = None) -> None:
        """Play the match or series to its end; a `kept` match goes on, then its series."""
        series = kept.series if kept else None
        if series and series.played:
            self.screen.tally(series)
        if not (kept and kept.record.turns):
            self.screen.welcome(self.setup.board)
        if not kept and PERSON in self.words:
            self._sit()
        called = None
        if not kept and (self.draws or self.shows_more):
            from numduel.cli.alone import begin

            called = begin(self)
        series = series or Series(1 if kept else self.best_of, self.setup.first)
        while series.winner is None:
            series = series.count(self._play_match(series, kept))
            kept = None
            if series.length > 1:
                self.screen.tally(series)
            if series.winner is None:
                self.screen.welcome()
        if self.shows_more:
            from numduel.cli.alone import look_back

            look_back(self, called)

    @property
    def won(self) -> bool:
        """Has the one person beaten the computer?"""
        return self.seat is not None and self.last is not None and self.last.winner == self.seat

    def _sit(self) -> None:
        """Ask for the start and for who begins, where the game asks for them."""
        board, names = self.setup.board, self.wording.names
        game, usual = board.numbers[0]
        if self.ask_start and (question := self.wording.start_question):
            start = self.ask("start", question, str(usual), partial(matches.read_start, game))
            self.setup = replace(self.setup, board=Board.of(game, start, board.misere))
        if self.ask_first and (question := self.wording.first_question):
            read = partial(matches.read_first, names=names, random=self.random, allowed=names)
            first = self.ask("first", question.format(*names), "1", read, *names)
            self.setup = self.setup.beginning_with(first)

    def ask(
        self, about: str, text: str, default: str, read: Callable[[str], Taken], *offers: str
    ) -> Taken:
        note = self.screen.note
        usual = f"Press Enter for {default}" if default else f"Type {joined([*offers])}"
        helps = partial(note, f"{usual}, or type quit to leave.")
        early = dict.fromkeys(WORDS, partial(note, "The match has not begun yet."))
        return ask_until(
            partial(self.screen.question, about, text, default, (*offers, "help", "quit")),
            lambda answer: read(answer or default),
            {**early, "?": helps, "help": helps},
            note,
        )

    def _play_match(self, series: Series, kept: Kept | None) -> int:
        """Play one match to its end and give its winner; keep its record however it ends."""
        if self.keeper:
            self.keeper.begin(series if series.length > 1 else None, kept)
        setup = self.setup.beginning_with(series.first)
        played = kept.record if kept else None
        runner = Runner(
            setup, self.players, self.screen.event, self.words, self.keeper, played, self._thinking
        )
        self._hint = (None, 0)
        try:
            self._let(runner.begin)
            while not runner.referee.over:
                if self.players[runner.referee.turn.player] is None:
                    self._take_turn(runner)
                else:
                    self._ask_to_wait(runner)
            self.wins[runner.referee.over.winner] += 1
            return runner.referee.over.winner
        finally:
            self.last = runner.record
            if self.keeper:
                self.keeper.close()
            if self.record_file:
                self.record_file.add(runner.record)

    def _warn(self, error: NumduelError) -> None:
        own, said = self.keeper and self.keeper.match_id, problem(error)
        unkept = f"This match is not being saved. {said}"
        self.screen.note(f"{said} Your match is saved as match {own}." if own else unkept)

    def _thinking(self, player: Player | None = None) -> AbstractContextManager[None]:
        """A block that a person at a terminal can stop; a program has its own time limit."""
        waits = PERSON in self.words and on_terminal()
        limit = None if isinstance(player, SeesMatch) else patience.LIMIT
        return patience.thinking(limit, stoppable=waits and isinstance(self.screen, TextScreen))

    def _let(self, action: Callable[[], None]) -> None:
        """Act, and let the computer move; when it is stopped, the match stays as it stands."""
        try:
            action()
        except patience.Stopped as stopped:
            close_players(*self.players)  # a program may still answer the last question
            if stopped.seconds is not None:
                self.screen.note(f"No move yet after {stopped.seconds:g} seconds.")
        except NotAllowed as error:
            self.screen.note(problem(error))

    def _ask_to_wait(self, runner: Runner) -> None:
        """The computer was stopped at its move: should it keep thinking?"""
        name = self.wording.names[runner.referee.turn.player]
        question = f"Press Enter to let {name} keep thinking, or type undo or quit: "
        ask = partial(self.screen.question, "thinking", question, "", ("undo", "quit"))
        answers = {"": runner.go_on, "undo": runner.undo}
        self._let(ask_until(ask, one_of(answers), {}, self.screen.note))

    def _take_turn(self, runner: Runner) -> None:
        """Ask for a move until something is done: one is entered, taken back, or the last."""
        if self.keeper:
            self.keeper.get_ready()
        shows: Words = {
            **dict.fromkeys(("?", "help"), partial(self.screen.help, runner.referee.turn)),
            "moves": partial(self.screen.moves, runner.referee.board),
            "hint": partial(self._give_hint, runner),
            "why": partial(self._say_why, runner.referee.board),
            "rules": partial(self._say_rules, runner.referee.board),
            "map": partial(self._show_map, runner.referee.board),
        }
        does = {"resign": runner.resign, "undo": runner.undo}
        text = ""

        def ask() -> str:
            nonlocal text
            text = self.screen.move(runner.referee.turn)
            return text

        def accept(answer: str) -> Callable[[], None]:
            return does.get(answer.casefold(), partial(runner.enter, text))

        self._let(ask_until(ask, accept, shows, self.screen.note))

    def think(self, about: Callable[[], Taken], what: str) -> Taken | None:
        """What the solver finds; None, with a note, where a person did not want to wait for it."""
        try:
            with self._thinking():
                return about()
        except patience.Stopped as stopped:
            waited = f" after {stopped.seconds:g} seconds" if stopped.seconds else ""
            self.screen.note(f"No {what}{waited}. Ask again to keep thinking.")
            return None

    def _show_map(self, board: Board) -> None:
        from numduel.study.maps import map_in_play

        if made := self.think(partial(map_in_play, board), "map"):
            self.screen.map(made, board.numbers[0].value)

    def _give_hint(self, runner: Runner) -> None:
        asked_at, step = self._hint
        step = min(step + 1, STEPS) if asked_at == runner.referee.turn else 1
        if said := self.think(partial(hint, runner.referee.board, step), "hint"):
            self._hint = (runner.referee.turn, step)
            self.screen.note(said)

    def _say_why(self, board: Board) -> None:
        if said := self.think(lambda: " ".join(why(solve(board))), "answer"):
            self.screen.note(said)

    def _say_rules(self, board: Board) -> None:
        games = dict.fromkeys(number.game for number in board.numbers)
        said = [line for game in games for part in paragraphs(game) for line in part]
        self.screen.tell("\n".join([*(unusual_rule(board) or rule_in_short(board)), *said]))


def run_match(table: Table, kept: Kept | None = None) -> None:
    """Play; whoever leaves the match, in whatever way, is told what becomes of it. The exit code is
    1 when the input ended.
    """
    try:
        table.play(kept)
    except EndOfInput:
        say("numduel: the input ended before the match did.", err=True)
        if sys.stdin.isatty():
            _say_how_to_go_on(table)
        raise click.exceptions.Exit(1) from None
    except (Left, KeyboardInterrupt) as left:
        if isinstance(left, KeyboardInterrupt):
            click.echo(err=True)  # below the prompt
        _say_how_to_go_on(table)
        raise
    finally:
        close_players(*table.players)


def _say_how_to_go_on(table: Table) -> None:
    played = table.last
    is_over = played is not None and played.winner is not None
    if is_over or table.keeper is None or not isinstance(table.screen, TextScreen):
        return
    kept = table.keeper.left(played) if played else None
    if kept is None:
        if played is None or not played.turns:
            say("No move was played, so there is nothing to save.")
    elif kept.record.winner is None:
        say(f"The match is saved. Continue with: {typed(f'resume {kept.id}')}")
    else:
        say(f"Match {kept.id} was finished in another terminal: {typed(f'show {kept.id}')}")
