"""Puzzles at the prompt, one after another: tries, hints, the reason, and the count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain

from numduel.cli.console import EndOfInput, Left, Refused, Words, ask, ask_until, note, one_of
from numduel.cli.layout import say
from numduel.cli.matches import open_history
from numduel.cli.screen import check_winner, offered_moves, played
from numduel.errors import StoreError
from numduel.match import DEFAULT_NAMES
from numduel.solver import solve
from numduel.study.lessons import refutation
from numduel.study.puzzles import NEAR, SEVERAL, Puzzle, nearest_rating
from numduel.study.statistics import daily_streak, streak
from numduel.wording import problem, wording_for
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

    saves: bool
    rating: int | None = None
    kind: str | None = None
    """The game that was asked for, or "several"."""
    tried: int = 0
    solved: int = 0
    at_once: int = 0
    _rules: list[list[str]] = field(default_factory=list)

    def run(self, puzzles: Iterator[Puzzle]) -> None:
        """Ask one after another, until there are no more or somebody leaves."""
        try:
            for puzzle in puzzles:
                self._ask(puzzle)
                if puzzle.day:
                    return
                ask_until(partial(ask, NEXT), one_of({"": None}), {})
                say()
            say(NO_MORE)
        except (Left, EndOfInput):
            pass
        except KeyboardInterrupt:
            say()  # below the prompt
            raise
        finally:
            if self.tried > 1:
                say(self._summary())

    def _summary(self) -> str:
        said = f"You solved {self.solved} of {self.tried}"
        if not self.solved:
            return f"{said}."
        first = {self.solved: "all", 0: "none"}.get(self.at_once, str(self.at_once))
        return f"{said}, {first} on the first try."

    def _ask(self, puzzle: Puzzle) -> None:
        """Show the puzzle; take answers until one is right, or the answer is shown."""
        self._show(puzzle)
        board = puzzle.board
        hints, asks_winner = 0, puzzle.asks == "winner"
        tally: list[str] | None = None

        def count(right: bool) -> None:
            """Count the puzzle, once: by the first answer, or by the help that was asked for."""
            nonlocal tally
            if tally is None:
                self.tried += 1
                self.at_once += right
                tally = self._count(puzzle, right) if self.saves else []

        def give_hint() -> None:
            nonlocal hints
            hints += 1
            note(puzzle_hint(board, hints))
            if not puzzle.day:  # one can come back to it
                count(right=False)

        def accept(answer: str) -> None:
            """Take the answer, or the wish to see it; after a move that does not win, ask again."""
            if answer.casefold() in ("show", "why"):
                if asks_winner:
                    say(f"Player {puzzle.solution} wins.")
                return
            after = None
            if asks_winner:
                check_winner(answer)
            else:
                after = played(board, answer)
            if puzzle.is_solved_by(answer):
                say("Right!", fg="green", bold=True)
                self.solved += 1
                count(right=not hints)
            elif after is None:
                say(f"Not quite. Player {puzzle.solution} wins.", fg="red")
            else:
                say(f"{answer} does not win. {refutation(after)}", fg="red")
                count(right=False)
                raise Refused

        helps = partial(say, "\n".join([*rule_in_short(board), HELP]))
        moves = wording_for(board)(DEFAULT_NAMES).moves
        words: Words = {
            "moves": lambda: say("\n".join(moves(board))),
            "hint": give_hint,
            **dict.fromkeys(("", "?", "help"), helps),
        }
        offers = tuple if asks_winner else partial(offered_moves, board)
        ask_until(lambda: ask("Your answer: ", chain(WORDS, offers())), accept, words)
        say(" ".join(why(solve(board))))
        count(right=False)  # if it was not counted yet
        if tally:
            say("\n".join(tally))

    def _show(self, puzzle: Puzzle) -> None:
        if note := off_rating(puzzle, self.kind, self.rating):
            say(note)
            self.rating = None  # said once
        title = f"Daily puzzle of {puzzle.day}" if puzzle.day else f"Puzzle {len(self._rules) + 1}"
        say(f"{title}, rating {puzzle.rating}", bold=True)
        for place, (game, value) in enumerate(puzzle.board.numbers, 1):
            head = f"{place}: " if puzzle.game == SEVERAL else ""
            say(f"  {head}{titled(game)} {value}")
        rule = rule_in_short(puzzle.board)
        if rule not in self._rules:
            say("\n".join(rule))
        self._rules.append(rule)
        say(puzzle.question)

    def _count(self, puzzle: Puzzle, solved: bool) -> list[str]:
        from numduel.store import PuzzleAnswer

        now, board = datetime.now(UTC), str(puzzle.board)
        try:
            with open_history() as store:
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
