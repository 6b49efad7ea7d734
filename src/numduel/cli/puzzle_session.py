"""Puzzles at the prompt, one after another: tries, hints, the reason, and the count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import chain

from numduel.cli.console import Console, EndOfInput
from numduel.cli.screen import offered_moves
from numduel.cli.table import LEAVE, Left
from numduel.errors import NumduelError, StoreError
from numduel.match import DEFAULT_NAMES
from numduel.solver import solve
from numduel.study.lessons import refutation
from numduel.study.puzzles import NEAR, SEVERAL, Puzzle, nearest_rating
from numduel.study.statistics import daily_streak, streak
from numduel.wording import problem, quoted, wording_for
from numduel.wording.hints import puzzle_hint
from numduel.wording.rule_in_short import rule_in_short
from numduel.wording.rules import titled
from numduel.wording.why import why

WORDS = ("moves", "hint", "show", "help", "quit")
HELP = "Type your answer, or: moves, hint, show (the answer and the reason), quit."
NEXT = "Press Enter for the next puzzle, or type q to stop: "
NO_MORE = "There are no more new puzzles. Try another game or rating."


@dataclass
class Session:
    """Asks puzzles and keeps count. A right answer without a hint is a first try."""

    console: Console
    saves: bool
    """Are the answers counted in the history?"""
    rating: int | None = None
    """The rating that was asked for."""
    kind: str | None = None
    """The game that was asked for, or "several"."""
    tried: int = 0
    solved: int = 0
    at_once: int = 0
    """How many were solved on the first try."""
    _rules: list[list[str]] = field(default_factory=list)
    """The rules that were shown."""

    def run(self, puzzles: Iterator[Puzzle]) -> None:
        """Ask one after another, until there are no more or somebody leaves."""
        try:
            for puzzle in puzzles:
                self._ask(puzzle)
                if puzzle.day:
                    return
                self._ask_to_go_on()
            self.console.show(NO_MORE)
        except (Left, EndOfInput):
            pass
        except KeyboardInterrupt:
            self.console.show()  # below the prompt
            raise
        finally:
            if self.tried > 1:
                self.console.show(self._summary())
                self.console.flush()

    def _summary(self) -> str:
        said = f"You solved {self.solved} of {self.tried}"
        if not self.solved:
            return f"{said}."
        first = {self.solved: "all", 0: "none"}.get(self.at_once, str(self.at_once))
        return f"{said}, {first} on the first try."

    def _ask_to_go_on(self) -> None:
        while answer := self.console.ask(NEXT).strip():
            if answer.casefold() in LEAVE:
                raise Left
            self.console.show(f"{quoted(answer)} is not one of these.", fg="yellow")
        self.console.show()

    def _ask(self, puzzle: Puzzle) -> None:
        """Show the puzzle; take answers until one is right, or the answer is shown."""
        self._show(puzzle)
        hints = 0
        tally: list[str] | None = None

        def count(right: bool) -> None:
            """Count the puzzle, once: by the first answer, or by the help that was asked for."""
            nonlocal tally
            if tally is None:
                self.tried += 1
                self.at_once += right
                tally = self._count(puzzle, right) if self.saves else []

        while True:
            moves = () if puzzle.asks == "winner" else offered_moves(puzzle.board)
            answer = self.console.ask("Your answer: ", chain(WORDS, moves)).strip()
            match answer.casefold():
                case word if word in LEAVE:
                    raise Left
                case "" | "?" | "help":
                    for line in (*rule_in_short(puzzle.board), HELP):
                        self.console.show(line)
                case "moves":
                    for line in wording_for(puzzle.board)(DEFAULT_NAMES).moves(puzzle.board):
                        self.console.show(line)
                case "hint":
                    hints += 1
                    self.console.show(puzzle_hint(puzzle.board, hints), fg="yellow")
                    if not puzzle.day:  # one can come back to it
                        count(right=False)
                case "show" | "why":
                    if puzzle.asks == "winner":
                        self.console.show(f"Player {puzzle.solution} wins.")
                    break
                case _ if self._is_answer(puzzle, answer):
                    if puzzle.is_solved_by(answer):
                        self.console.show("Right!", fg="green", bold=True)
                        self.solved += 1
                        count(right=not hints)
                        break
                    if puzzle.asks == "winner":
                        self.console.show(f"Not quite. Player {puzzle.solution} wins.", fg="red")
                        break
                    self.console.show(_refuted(puzzle, answer), fg="red")
                    count(right=False)
        self.console.show(" ".join(why(solve(puzzle.board))))
        count(right=False)  # if it was not counted yet
        for line in tally or ():
            self.console.show(line)

    def _show(self, puzzle: Puzzle) -> None:
        if note := off_rating(puzzle, self.kind, self.rating):
            self.console.show(note)
            self.rating = None  # said once
        title = f"Daily puzzle of {puzzle.day}" if puzzle.day else f"Puzzle {len(self._rules) + 1}"
        self.console.show(f"{title}, rating {puzzle.rating}", bold=True)
        for place, (game, value) in enumerate(puzzle.board.numbers, 1):
            head = f"{place}: " if puzzle.game == SEVERAL else ""
            self.console.show(f"  {head}{titled(game)} {value}")
        rule = rule_in_short(puzzle.board)
        for line in rule if rule not in self._rules else ():
            self.console.show(line)
        self._rules.append(rule)
        self.console.show(puzzle.question)

    def _is_answer(self, puzzle: Puzzle, answer: str) -> bool:
        """Can it be right or wrong? If not, say what an answer looks like."""
        if puzzle.asks == "winner":
            said = (
                "" if answer in ("1", "2") else f"{quoted(answer)} is not an answer. Enter 1 or 2."
            )
        else:
            said = ""
            try:
                puzzle.board.play(puzzle.board.parse_move(answer))
            except NumduelError as error:
                allowed = wording_for(puzzle.board)(DEFAULT_NAMES).allowed_on(puzzle.board)
                said = f"{problem(error)} {allowed}."
        if said:
            self.console.show(said, fg="yellow")
        return not said

    def _count(self, puzzle: Puzzle, solved: bool) -> list[str]:
        """Keep the first try, and say how things stand."""
        from numduel.store import PuzzleAnswer, open_store

        now, board = datetime.now(UTC), str(puzzle.board)
        try:
            with open_store() as store:
                before = store.answers()
                if puzzle.day and any(a.day == puzzle.day and a.puzzle == board for a in before):
                    return ["You answered this daily puzzle before, so it is not counted again."]
                answer = PuzzleAnswer(now, board, puzzle.game, puzzle.rating, solved, puzzle.day)
                store.add_answer(answer)
        except StoreError as error:
            return [f"The answer is not counted. {problem(error)}"]
        answers = [*before, answer]
        right = sum(answer.solved for answer in answers)
        in_a_row = streak(answer.solved for answer in answers)
        said = [f"Solved on the first try: {right} of {len(answers)}. In a row: {in_a_row}."]
        if puzzle.day:
            days = {answer.day for answer in answers if answer.solved and answer.day}
            count = daily_streak(days, date.fromisoformat(puzzle.day))
            said.append(f"Daily puzzles solved in a row: {count}.")
        return said


def off_rating(puzzle: Puzzle, kind: str | None, rating: int | None) -> str:
    """What to say of a puzzle that is not near the rating that was asked for; else nothing."""
    if rating is None or abs(puzzle.rating - rating) <= NEAR:
        return ""
    nearest = nearest_rating(kind, rating)
    also = "" if nearest is None else f" The nearest is {nearest}."
    return f"Few puzzles of this kind are rated near {rating}.{also}"


def _refuted(puzzle: Puzzle, answer: str) -> str:
    """Why a move does not win: what the computer would reply."""
    after = puzzle.board.play(puzzle.board.parse_move(answer))
    return f"{answer} does not win. {refutation(after)}"
