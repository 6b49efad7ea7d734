"""A table to play at: questions before the match, the match, its series, its record."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.cli.console import Refused, Taken, ask_until, not_one_of_these
from numduel.cli.matches import read_first, shown_names
from numduel.cli.patience import LIMIT, Stopped, thinking
from numduel.cli.screen import WORDS, Screen, TextScreen, make_screen
from numduel.errors import InvalidSetup, NumduelError
from numduel.games import Game
from numduel.match import Record, Series, Setup, TurnBegan
from numduel.players import PERSON, Limits, Player, SeesMatch, close_players, make_player
from numduel.running import Keeper, RecordFile, Runner
from numduel.wording import problem, wording_for, wording_of
from numduel.wording.hints import STEPS, hint
from numduel.wording.players import how_it_plays

if TYPE_CHECKING:
    from numduel.store import Kept


@dataclass
class Table:
    """Everything that options or menu have set; what is None is asked for, or usual."""

    setup: Setup
    """With the usual start, until `sit` has asked for another."""
    words: tuple[str, str] = (PERSON, PERSON)
    """Who plays. `__init__` raises what `make_player` does."""
    limits: Limits | None = None
    """Of programs and models, where they may play."""
    ask_start: bool = False
    ask_first: bool = False
    record_file: RecordFile | None = None
    saves: bool = False
    """Is the match kept in the history?"""
    in_json: bool = False
    """Is it shown to a program?"""
    last: Record | None = None
    random: Random = field(default_factory=Random)
    _hint: tuple[TurnBegan | None, int] = (None, 0)
    """The turn that a hint was last given for, and how many."""

    def __post_init__(self) -> None:
        one, two = (make_player(word, self.random, self.limits) for word in self.words)
        self.players = (one, two)
        persons = (one is None, two is None)
        names, you = shown_names(self.setup.names, self.words)
        how = "" if you is None else how_it_plays(self.words[1 - you])
        self.wording = wording_for(self.setup.board)(names, persons, you, how)
        self.screen: Screen = make_screen(self.wording, self.in_json)
        self.keeper = Keeper(self._warn) if self.saves else None

    def play(self, best_of: int = 1) -> None:
        """Ask what is still open, then play the match or the series."""
        self.screen.welcome()
        if PERSON in self.words:
            self._sit()
        self._play_on(Series(best_of, self.setup.first))

    def go_on(self, kept: Kept) -> None:
        """Continue a match of the history where it stopped, and then the rest of its series."""
        series = kept.series or Series(1, kept.record.setup.first)
        if series.played:
            self.screen.tally(series)
        if not kept.record.turns:
            self.screen.welcome()
        self._play_on(series, kept)

    def _play_on(self, series: Series, kept: Kept | None = None) -> None:
        """Play the series to its end, from a match that is kept, or from a new one."""
        while series.winner is None:
            series = series.count(self._play_match(series, kept))
            kept = None
            if series.length > 1:
                self.screen.tally(series)
            if series.winner is None:
                self.screen.welcome()

    def close(self) -> None:
        close_players(*self.players)
        if self.keeper:
            self.keeper.close()

    def _sit(self) -> None:
        """Ask for the start and for who begins, where the game asks for them."""
        start_question, first_question = self.wording.start_question, self.wording.first_question
        if self.ask_start and start_question:
            board = self._ask_start(start_question, self.setup.board)
            self.setup = replace(self.setup, board=board)
        if self.ask_first and first_question:
            self.setup = self.setup.beginning_with(self._ask_first(first_question))

    def _ask_start(self, question: str, board: Board) -> Board:
        game, default = board.numbers[0]

        def accept(answer: str) -> Board:
            return Board.of(game, read_start(game, answer or str(default)), board.misere)

        return self._ask("start", question, str(default), accept)

    def _ask_first(self, question: str) -> int:
        names = self.wording.names

        def accept(answer: str) -> int:
            return read_first(answer or "1", names, self.random, names)

        return self._ask("first", question, "1", accept, *names)

    def _ask(
        self, about: str, text: str, default: str, accept: Callable[[str], Taken], *offers: str
    ) -> Taken:
        note = self.screen.note
        helps = partial(note, f"Press Enter for {default}, or type quit to leave.")
        early = dict.fromkeys(WORDS, partial(note, "The match has not begun yet."))
        offered = (*offers, "help", "quit")
        return ask_until(
            lambda: self.screen.question(about, text, default, offered),
            note,
            accept,
            {**early, "?": helps, "help": helps},
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
            while not runner.over:
                if self.players[runner.turn.player] is None:
                    self._take_turn(runner)
                else:
                    self._ask_to_wait(runner)
            return runner.over.winner
        finally:
            self.last = runner.record
            if self.keeper:
                self.keeper.close()
            if self.record_file:
                self.record_file.add(runner.record)

    def _warn(self, error: NumduelError) -> None:
        own = self.keeper and self.keeper.match_id
        if own is None:
            self.screen.note(f"This match is not being saved. {problem(error)}")
        else:
            self.screen.note(f"{problem(error)} Your match is saved as match {own}.")

    def _thinking(self, player: Player | None = None) -> AbstractContextManager[None]:
        """The block to think in: a person who waits at a terminal can stop it.

        Programs and models have a time limit of their own.
        """
        waits = PERSON in self.words and sys.stdin.isatty() and sys.stdout.isatty()
        limit = None if isinstance(player, SeesMatch) else LIMIT
        return thinking(limit, stoppable=waits and isinstance(self.screen, TextScreen))

    def _let(self, action: Callable[[], None]) -> None:
        """Act, and let the computer move; when it is stopped, the match stays as it stands."""
        try:
            action()
        except Stopped as stopped:
            close_players(*self.players)  # a program may still answer the last question
            if stopped.seconds is not None:
                self.screen.note(f"No move yet after {stopped.seconds:g} seconds.")

    def _ask_to_wait(self, runner: Runner) -> None:
        """The computer was stopped at its move: should it keep thinking?"""
        name = self.wording.names[runner.turn.player]
        question = f"Press Enter to let {name} keep thinking, or type undo or quit: "

        def accept(answer: str) -> Callable[[], None]:
            if answer.casefold() not in ("", "undo"):
                not_one_of_these(answer)
            return partial(self._undo, runner) if answer else runner.go_on

        ask = partial(self.screen.question, "thinking", question, "", ("undo", "quit"))
        self._let(ask_until(ask, self.screen.note, accept, {}))

    def _undo(self, runner: Runner) -> None:
        try:
            runner.undo()
        except NumduelError as error:
            self.screen.note(problem(error))

    def _take_turn(self, runner: Runner) -> None:
        """Ask for a move until something is done: one is entered, taken back, or the last."""
        if self.keeper:
            self.keeper.get_ready()
        shows = {
            **dict.fromkeys(("?", "help"), partial(self.screen.help, runner.turn)),
            "moves": partial(self.screen.moves, runner.board),
            "hint": partial(self._give_hint, runner),
            "map": partial(self._show_map, runner.board),
        }
        text = ""

        def ask() -> str:
            nonlocal text
            text = self.screen.move(runner.turn)
            return text

        def accept(answer: str) -> Callable[[], None]:
            if answer.casefold() == "resign":
                return runner.resign
            undoes = answer.casefold() == "undo"
            return partial(self._undo, runner) if undoes else partial(runner.enter, text)

        self._let(ask_until(ask, self.screen.note, accept, shows))

    def _show_map(self, board: Board) -> None:
        from numduel.study.maps import map_in_play

        try:
            with self._thinking():
                made = map_in_play(board)
        except Stopped:
            self.screen.note("No map.")
        else:
            self.screen.map(made, board.numbers[0].value)

    def _give_hint(self, runner: Runner) -> None:
        """The next hint for this turn: the first, second, third time it is asked for."""
        asked_at, step = self._hint
        turn = runner.turn
        step = min(step + 1, STEPS) if asked_at == turn else 1
        try:
            with self._thinking():
                said = hint(runner.board, step)
            self._hint = (turn, step)
        except Stopped as stopped:
            waited = f" after {stopped.seconds:g} seconds" if stopped.seconds else ""
            said = f"No hint{waited}. Ask again to keep thinking."
        self.screen.note(said)


def read_start(game: Game, text: str) -> int:
    """A number that a match can start from. Raises `Refused`, which says what would be right."""
    try:
        start = read_number(text)
        if not game.is_start(start):
            raise InvalidSetup("not a start", game=game, number=start)
    except NumduelError as error:
        raise Refused(f"{problem(error)} {wording_of(game).starts}.") from error
    return start
