"""A table to play at: questions before the match, the match, its series, its record."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from numduel.arithmetic import read_number
from numduel.board import Board
from numduel.cli.patience import LIMIT, Stopped, thinking
from numduel.cli.screen import Screen, TextScreen, make_screen
from numduel.cli.seats import read_first, shown_names
from numduel.errors import InvalidSetup, NumduelError, TooLarge
from numduel.games import Game
from numduel.match import Record, Series, Setup, TurnBegan
from numduel.players import PERSON, Player, SeesMatch, close_players
from numduel.running import Keeper, RecordFile, Runner
from numduel.wording import joined, problem, quoted, wording_for, wording_of
from numduel.wording.hints import STEPS, hint
from numduel.wording.players import how_it_plays

if TYPE_CHECKING:
    from numduel.store import Kept


class Left(Exception):
    """The person at the prompt wants to leave."""


LEAVE = ("quit", "q", "exit")
"""Words that leave."""

INPUT_ENDED = "numduel: the input ended before the match did."


@dataclass
class Table:
    """Everything that options or menu have set; what is None is asked for, or usual."""

    setup: Setup
    """With the usual start, until `sit` has asked for another."""
    players: tuple[Player | None, Player | None] = (None, None)
    words: tuple[str, str] = (PERSON, PERSON)
    ask_start: bool = False
    first: int | None = 0
    """Who begins; None: to be asked for."""
    record_file: RecordFile | None = None
    saves: bool = False
    """Is the match kept in the history?"""
    in_json: bool = False
    """Is it shown to a program?"""
    last: Record | None = None
    """The match that was played last."""
    random: Random = field(default_factory=Random)
    _hint: tuple[TurnBegan | None, int] = (None, 0)
    """The turn that a hint was last given for, and how many."""

    def __post_init__(self) -> None:
        persons = (self.players[0] is None, self.players[1] is None)
        names, you = shown_names(self.setup.names, self.words)
        how = "" if you is None else how_it_plays(self.words[1 - you])
        self.wording = wording_for(self.setup.board)(names, persons, you, how)
        self.screen: Screen = make_screen(self.wording, self.in_json)
        self.keeper = Keeper(self._warn) if self.saves else None

    def play(self, best_of: int = 1) -> None:
        """Ask what is still open, then play the match or the series."""
        self.screen.welcome()
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
        """Close what was opened or started for the table."""
        close_players(*self.players)
        if self.keeper:
            self.keeper.close()

    def _sit(self) -> None:
        """Ask for the start and for who begins, where the game asks for them."""
        persons = PERSON in self.words
        start_question, first_question = self.wording.start_question, self.wording.first_question
        board, first = self.setup.board, self.first
        if self.ask_start and start_question and persons:
            board = self._ask_start(start_question, board)
        if first is None and first_question and persons:
            first = self._ask_first(first_question)
        names = self.setup.names
        self.setup = Setup(board, names, first or 0, self.setup.overshoot, self.setup.penalty)

    def _ask_start(self, question: str, board: Board) -> Board:
        game, default = board.numbers[0]
        while True:
            answer = self._answer("start", question, str(default))
            try:
                start = read_number(answer) if answer else default
                check_start(game, start)
            except NumduelError as error:
                self.screen.note(start_problem(error, game))
            else:
                return Board.of(game, start, board.misere)

    def _ask_first(self, question: str) -> int:
        while True:
            answer = self._answer("first", question, "1", *self.wording.names)
            first = read_first(answer or "1", self.wording.names, self.random)
            if first is not None:
                return first
            names = joined(list(self.wording.names))
            self.screen.note(f"There is no player {quoted(answer)}. Enter {names}.")

    def _answer(self, about: str, question: str, default: str, *offers: str) -> str:
        """What was entered, once it is not a command."""
        while True:
            offered = (*offers, "help", "quit")
            answer = self.screen.question(about, question, default, offered).strip()
            match answer.casefold():
                case word if word in LEAVE:
                    raise Left
                case "?" | "help":
                    self.screen.note(f"Press Enter for {default}, or type quit to leave.")
                case "moves" | "undo" | "resign" | "hint" | "map":
                    self.screen.note("The match has not begun yet.")
                case _:
                    return answer

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
        match self.screen.question("thinking", question, "", ("undo", "quit")).strip().casefold():
            case "":
                self._let(runner.go_on)
            case "undo":
                self._undo(runner)
            case word if word in LEAVE:
                raise Left
            case other:
                self.screen.note(f"{quoted(other)} is not one of these.")

    def _undo(self, runner: Runner) -> None:
        try:
            self._let(runner.undo)
        except NumduelError as error:
            self.screen.note(problem(error))

    def _take_turn(self, runner: Runner) -> None:
        if self.keeper:
            self.keeper.get_ready()
        text = self.screen.move(runner.turn)
        match text.strip().casefold():
            case "?" | "help":
                self.screen.help(runner.turn)
            case "moves":
                try:
                    self.screen.moves(runner.board)
                except TooLarge as error:
                    self.screen.note(problem(error))
            case "hint":
                self._give_hint(runner)
            case "map":
                self._show_map(runner.board)
            case "undo":
                self._undo(runner)
            case "resign":
                runner.resign()
            case word if word in LEAVE:
                raise Left
            case _:
                self._let(lambda: runner.enter(text))

    def _show_map(self, board: Board) -> None:
        from numduel.study.maps import map_in_play

        try:
            with self._thinking():
                made = map_in_play(board)
            self.screen.map(made, board.numbers[0].value)
        except NumduelError as error:
            self.screen.note(problem(error))
        except Stopped:
            self.screen.note("No map.")

    def _give_hint(self, runner: Runner) -> None:
        """The next hint for this turn: the first, second, third time it is asked for."""
        asked_at, step = self._hint
        turn = runner.turn
        step = min(step + 1, STEPS) if asked_at == turn else 1
        try:
            with self._thinking():
                said = hint(runner.board, step)
            self._hint = (turn, step)
        except NumduelError as error:
            said = problem(error)
        except Stopped as stopped:
            waited = f" after {stopped.seconds:g} seconds" if stopped.seconds else ""
            said = f"No hint{waited}. Ask again to keep thinking."
        self.screen.note(said)


def check_start(game: Game, start: int) -> None:
    """Raise `InvalidSetup`, or `TooLarge`, when a match cannot start there."""
    if not game.is_start(start):
        raise InvalidSetup("not a start", game=game, number=start)


def start_problem(error: NumduelError, game: Game) -> str:
    """What is wrong with a start, and what would be right."""
    return f"{problem(error)} {wording_of(game).starts}."
