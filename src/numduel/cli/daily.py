"""The daily duel at the prompt, three tries and a row to share; what answers add up to."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from numduel.board import Board
from numduel.cli.console import EndOfInput, Left
from numduel.cli.layout import say, show_large, shows_all_signs
from numduel.cli.matches import from_history, open_history
from numduel.cli.options import print_json
from numduel.cli.screen import ask_about, show_board
from numduel.errors import StoreError
from numduel.match import DEFAULT_NAMES
from numduel.solver import solve
from numduel.study.difficulty import winner_rating
from numduel.study.duels import KEPT, LOST, TRIES, Play, as_json, daily_duel, play_duel
from numduel.study.lessons import after_move
from numduel.study.statistics import daily_streak, streak
from numduel.wording import problem, wording_for
from numduel.wording.rules import rule_in_short
from numduel.wording.text import typed_move
from numduel.wording.why import shown, why_in_short

if TYPE_CHECKING:
    from numduel.store import PuzzleAnswer

HELP = "Type your move, or: moves, rules, quit. A try ends with the move that throws the win away."


def play_daily(saves: bool, in_json: bool) -> None:
    """Play today's duel from where it was left, or print how it stands. Each try is kept."""
    duel = daily_duel(datetime.now(UTC).date())
    day, head = duel.day.isoformat(), f"{duel.board}/"
    answers = [answer.puzzle for answer in kept_answers() if saves and answer.day == day]
    kept = next((text for text in answers[::-1] if text.startswith(head)), head)
    play = play_duel(duel, filter(None, kept.removeprefix(head).split(".")))
    if in_json:
        print_json(as_json(play))
        return
    date = f"{duel.day:%A} {duel.day.day} {duel.day:%B}"
    say(f"Daily duel {duel.number}, {date}, rating {duel.rating}", bold=True)
    show_board(duel.board)
    say("\n".join(rule_in_short(duel.board)))
    said = ""
    try:
        while not play.over:
            play = _take_turn(play)
            if saves and not play.turns:
                said = count_answer(head + play.played, "daily", duel.rating, play.solved, day)
    except (Left, EndOfInput):
        return
    end = (
        f"You win, on try {len(play.tries)}!" if play.solved else "Not today: three tries are over."
    )
    say(f"\n{end}", fg="green" if play.solved else "red", bold=True)
    verdict = solve(duel.board)
    first = typed_move(duel.board, verdict.winning_move())
    say(f"The first move to win: {first}. {why_in_short(verdict)}")
    say(f"\n{_shown(play.shared)}\n", bold=True)
    say(said or (told_of_days(kept_answers()) if saves else ""))
    say("The next duel comes at midnight, UTC.")


def _take_turn(before: Play) -> Play:
    """Take a move, and say what it did to the win."""
    board = before.board
    if not before.turns:
        say(f"\nTry {len(before.tries) + 1} of {TRIES}. You begin, and you can win.", bold=True)
    if len(board.numbers) == 1:
        show_large(board.numbers[0].value)
    say("\n".join(wording_for(board)(DEFAULT_NAMES).moves(board)))

    def accept(answer: str) -> Play:
        after_move(board, answer)
        return play_duel(before.duel, [*filter(None, before.played.split(".")), answer])

    play = ask_about(board, "Your move: ", accept, {}, HELP)
    turn = play.tries[-1][-1]
    if turn.reply is not None:
        reply = f"Perfect plays {typed_move(turn.left, turn.reply)} and leaves {shown(turn.after)}."
        kept, lost = f"{_shown(KEPT)} You kept the win.", f"{_shown(LOST)} That threw the win away."
        say(f"{kept if turn.kept else lost} {reply}", fg="green" if turn.kept else "red")
    return play


def _shown(squares: str) -> str:
    """Squares to paste; signs where the terminal has no squares."""
    return squares if shows_all_signs() else squares.replace(KEPT, "+").replace(LOST, "-")


def kept_answers() -> list[PuzzleAnswer]:
    return from_history(lambda store: store.answers())


def count_answer(puzzle: str, game: str, rating: int, solved: bool, day: str | None = None) -> str:
    """Keep an answer, and say what they add up to by now: puzzles, or those of the day."""
    from numduel.store import PuzzleAnswer

    try:
        with open_history() as store:
            store.add_answer(PuzzleAnswer(datetime.now(UTC), puzzle, game, rating, solved, day))
            answers = store.answers()
    except StoreError as error:
        return f"The answer is not counted. {problem(error)}"
    return told_of_days(answers) if day else told_of_puzzles(answers)


def count_call(board: Board, right: bool) -> str:
    """A call of who will win is a puzzle of its game: it has its own tally."""
    game = board.numbers[0].game.key
    said = count_answer(str(board), game, winner_rating(board, {}), right)
    calls = [answer.solved for answer in kept_answers() if answer.game == game]
    return f"Right so far: {sum(calls)} of {len(calls)}." if calls else said


def told_of_puzzles(answers: list[PuzzleAnswer]) -> str:
    solved = [answer.solved for answer in answers if answer.day is None]
    first = f"Solved on the first try: {sum(solved)} of {len(solved)}."
    return f"{first} In a row: {streak(solved)}."


def told_of_days(answers: list[PuzzleAnswer]) -> str:
    days = {answer.day for answer in answers if answer.day}
    solved = {answer.day for answer in answers if answer.day and answer.solved}
    row = days_in_a_row(answers)
    return f"Daily duels solved: {len(solved)} of {len(days)}. Days in a row: {row}."


def days_in_a_row(answers: list[PuzzleAnswer]) -> int:
    solved = [answer.day for answer in answers if answer.day and answer.solved]
    return daily_streak(solved, datetime.now(UTC).date())
